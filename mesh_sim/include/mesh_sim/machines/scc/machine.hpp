// The simulated SCC: cores with private caches and memory, message-passing buffers (MPBs), test-and-set
// registers, atomic counters, off-chip shared memory, tile clocks and voltages, on a mesh. Knows when every
// access ends and moves the real bytes; knows nothing of the library that issues the accesses.
//
// What is modelled: per-line costs of copies by the place where the private line is found, round trips and
// one-way traversals over the mesh, contention for links, MPB ports and memory controllers. What is not:
// instruction fetch, the program's own loads and stores, traffic of polling loops (a waiting core sleeps),
// virtual channels and credits.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mesh_sim/kernel/kernel.hpp"
#include "mesh_sim/machines/machine.hpp"
#include "mesh_sim/machines/scc/costs.hpp"
#include "mesh_sim/machines/scc/energy.hpp"
#include "mesh_sim/machines/scc/transfer.hpp"
#include "mesh_sim/observe/intervention.hpp"
#include "mesh_sim/observe/observer.hpp"
#include "mesh_sim/observe/statistics.hpp"
#include "mesh_sim/parts/network.hpp"

namespace mesh {

class SccMachine final : public MessageBuffers, // the first: no adjustment of `this` on the way to an access
                         public SccCosts,
                         public Machine,
                         public Registers,
                         public Power {
 public:
  SccMachine(const MachineConfig& config, std::size_t stack_bytes, std::size_t shared_bytes);
  ~SccMachine() override;

  [[nodiscard]] MessageBuffers* message_buffers() noexcept override { return this; }
  [[nodiscard]] Registers* registers() noexcept override { return this; }
  [[nodiscard]] Power* power() noexcept override { return this; }

  [[nodiscard]] Kernel& kernel() noexcept override { return kernel_; }
  [[nodiscard]] const Topology& topology() const noexcept override { return topology_; }
  [[nodiscard]] std::byte* mpb(int core) noexcept override { return SccCosts::mpb(core); }
  [[nodiscard]] std::size_t mpb_bytes() const noexcept override { return mpb_bytes_; }
  [[nodiscard]] std::byte* shared_memory() noexcept override { return shared_.data(); }
  [[nodiscard]] std::size_t shared_memory_bytes() const noexcept override { return shared_.size(); }
  void map_private(int core, const void* base, std::size_t bytes) override {
    SccCosts::map_private(core, base, bytes);
  }
  void set_intervention(Intervention* intervention) override {
    intervention_ = intervention;
    if (intervention_ != nullptr) intervention_->attached(*this);
    acts_matter_ = intervention_ != nullptr || has(told_, Told::acts);
  }
  void set_observers(const Observers* observers) override {
    observers_ = observers;
    told_ = observers == nullptr ? nothing_told : observers->wanted();
    acts_matter_ = intervention_ != nullptr || has(told_, Told::acts);
  }
  [[nodiscard]] std::string name_of(ResourceId resource) const override;

  // All of the following act for the core whose context is running.

  void compute(Cycles cycles) noexcept override { kernel_.advance(cycles * me().cycle); }
  void spin(unsigned rounds) override;
  /// Whether a store is on its way, or somebody can go on who sleeps: whom a plain store has met, or whom the
  /// intervention holds back. Wakes these.
  bool interrupt(int core, Picoseconds at) override;
  [[nodiscard]] bool under_way() override;

  void put(int target, std::size_t offset, const void* source, std::size_t bytes, Copy how) override;
  void get(void* target, int source, std::size_t offset, std::size_t bytes, Copy how) override;
  void store(int target, std::size_t offset, const void* data, std::size_t bytes) override;
  void update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value) override;
  void load(int source, std::size_t offset, void* data, std::size_t bytes) override;
  void wait(int source, std::size_t offset, Condition condition, Cycles overhead) override;
  std::size_t wait_any(int source, std::span<const Look> looks, Cycles overhead) override;

  bool lock_try(int core) override;
  void lock_acquire(int core) override;
  void lock_release(int core) override;
  std::uint32_t counter_access(int counter, bool write, std::uint32_t value, bool increment) override;
  void counter_wait(int counter, std::uint32_t value, Backoff pauses) override;

  void touch(const void* base, std::size_t bytes, bool write) override;
  /// The program is about to make this access to an MPB or to shared memory by itself: returns when it may.
  /// Takes no time. Only with an intervention.
  void plain(Access access);

  [[nodiscard]] double global_clock_mhz() const noexcept override { return config_.global_clock_mhz; }
  [[nodiscard]] int tile_divider(int tile) const noexcept override {
    return dividers_[static_cast<std::size_t>(tile)];
  }
  void set_tile_divider(int tile, int divider) override;
  void set_voltage(int domain, double volt) override;

  /// What a blocked core waits for, and the loop that it sleeps through.
  struct Watch : PollingLoop {
    int target = -1;
    std::size_t offset = 0;
    Condition condition;
    bool on_lock = false;
    int counter = -1; ///< atomic counter that is to become condition.value; then no buffer is watched
    std::span<const Look> looks; ///< of a loop that looks at several words instead; times are not used then
  };
  [[nodiscard]] const Watch& watch(int core) const noexcept {
    return watches_[static_cast<std::size_t>(core)];
  }

  [[nodiscard]] Wish wish(int core) const override {
    const Watch& on = watch(core);
    return {.since = on.start,
            .target = on.target,
            .offset = on.offset,
            .on_lock = on.on_lock,
            .counter = on.counter,
            .counter_value = on.counter < 0 ? 0 : counters_.at(static_cast<std::size_t>(on.counter)),
            .condition = on.condition};
  }

  [[nodiscard]] std::uint64_t accesses() const noexcept override { return accesses_; }
  void statistics(Statistics& to) const override;
  void energy(Statistics& to) const override;

 private:
  struct Pending { ///< a store on its way
    enum class Kind : std::uint8_t { bytes, bits, lock };
    Kind kind;
    std::uint8_t mask; ///< for bits
    std::uint32_t bytes;
    int core; ///< whose store it is
    int target;
    std::size_t offset;
    std::byte data[line_bytes];
  };

  [[nodiscard]] CoreState& me() noexcept { return cores_[static_cast<std::size_t>(kernel_.current())]; }
  [[nodiscard]] CoreState& active() noexcept { return SccCosts::active(kernel_.current()); }
  void set_clock(int tile, int divider) noexcept;

  // To whoever stands in between.
  void before() {
    if (intervention_ != nullptr) [[unlikely]]
      intervention_->before(kernel_);
  }
  // make() gives an access.
  /// It acts, now or at a later time.
  template <class Make>
  void acts(const Make& make, Picoseconds at) {
    if (acts_matter_) [[unlikely]]
      tell_acts(make(), at);
  }
  void tell_acts(Access access, Picoseconds at);
  void segment_acts(const Transfer& transfer, std::size_t from, std::size_t bytes);

  /// The running core sets out for it now. Returns when that is.
  template <class Make>
  Picoseconds issue(const Make& make) {
    ++accesses_;
    if (has(told_, Told::issues)) [[unlikely]]
      tell_issue(make());
    return kernel_.now();
  }
  /// It goes on after it.
  template <class Make>
  void ends(const Make& make, Picoseconds begin) {
    if (has(told_, Told::ends)) [[unlikely]]
      tell_end(make(), begin);
  }
  void tell_issue(Access access);
  void tell_end(Access access, Picoseconds begin);
  /// Sleeps until somebody wakes the running core, who leaves the cause. make() gives the wait.
  template <class Make>
  void block_on(const Make& make) {
    if (has(told_, Told::waits)) [[unlikely]]
      return block_and_tell(make());
    kernel_.block();
  }
  void block_and_tell(Wait wait);
  [[nodiscard]] ResourceId id_of(const Resource& resource) const noexcept;
  void tell_served(const Resource& resource, Picoseconds from, Picoseconds queued, Picoseconds service,
                   std::uint32_t packets);
  void own_side_acts(const void* own, std::size_t bytes, bool write);
  void looks_act(int source, std::span<const Look> looks, std::size_t seen);
  bool try_lock(int core);
  void load_line(CoreState& core, const Passage& way, int source, std::size_t offset, void* data,
                 std::size_t bytes, bool alone);

  // Copies: transfers.cpp; what stands in their way: contention.cpp; sleepers: waiting.cpp.
  [[nodiscard]] bool step_by_itself() const noexcept;
  Transfer& open(CoreState& core, bool reading, int target, std::size_t offset, std::byte* own,
                 std::size_t bytes, Copy how, const Passage& way);
  void find_way(const CoreState& core, Transfer& transfer, const Passage& passage);
  void carry(Transfer& transfer);
  bool step(CoreState& core, Transfer& transfer);
  void step_block(CoreState& core, Transfer& transfer);
  Picoseconds beside_others(CoreState& core, Transfer& transfer, const Work& work, std::uint32_t lines,
                            Picoseconds time);
  void close(Transfer& transfer);
  Work next_lines(const CoreState& core, Transfer& transfer, std::uint32_t lines) const noexcept;
  [[nodiscard]] std::uint32_t segment_lines(const Transfer& transfer) const noexcept;
  [[nodiscard]] Picoseconds worst_line(const CoreState& core, Copy how) const noexcept;
  void move_at_once(Transfer& transfer, std::size_t offset, std::size_t n);
  void move_bytes(Transfer& transfer, std::size_t to) noexcept;
  /// Moves the bytes of copies under way, as far as they have come, before somebody reads these of an MPB, or
  /// writes them.
  void settle(int target, std::size_t offset, std::size_t bytes, bool writing, Picoseconds at) noexcept {
    if (!movers_[static_cast<std::size_t>(target)].empty()) settle_movers(target, offset, bytes, writing, at);
  }
  /// The same for the side of a copy that is most often private memory.
  void settle(const void* own, std::size_t bytes, bool writing, Picoseconds at) noexcept;
  void settle_movers(int target, std::size_t offset, std::size_t bytes, bool writing,
                     Picoseconds at) noexcept;
  void settle_all(Picoseconds at) noexcept;

  Way& way_to_controller(const CoreState& core);
  template <class Tell>
  static Picoseconds waits(const Way& way, Picoseconds start, std::uint32_t packets, Tell&& tell);
  template <class Tell>
  Picoseconds controller_waits(const CoreState& core, const Work& work, Picoseconds start, Tell&& tell);
  // tell(resource, arrival, queued, service, packets) hears of each resource on the way.
  template <class Tell>
  Picoseconds mesh_waits(const CoreState& core, const Passage& way, Picoseconds at, bool reading,
                         Tell&& tell);
  Picoseconds mesh_waits(const CoreState& core, const Passage& way, Picoseconds at, bool reading);
  Picoseconds mesh_waits_told(const CoreState& core, const Passage& way, Picoseconds at, bool reading);
  Picoseconds copy_waits(const CoreState& core, Transfer& transfer, const Work& work, Picoseconds issue,
                         std::uint32_t lines);
  Picoseconds copy_waits_told(const CoreState& core, Transfer& transfer, const Work& work, Picoseconds issue,
                              std::uint32_t lines);
  Picoseconds controller_waits(const CoreState& core, const Work& work, Picoseconds start);
  [[nodiscard]] Picoseconds together(const CoreState& core, Transfer& transfer);
  static void withdraw(Way& way) noexcept;
  static void count(const Way& way, std::uint64_t lines) noexcept;
  void spend(const CoreState& core, const Passage& way, Picoseconds time, const Work& work, bool reading,
             Picoseconds ahead);

  void post_store(int target, std::size_t offset, const void* data, std::size_t bytes, Picoseconds visible);
  std::uint32_t pending_slot();
  void deliver(Picoseconds at, std::uint32_t token);
  void written(int target, std::size_t offset, std::size_t bytes, const Cause& cause);
  bool met(const Watch& watch, Picoseconds at) noexcept;
  bool met(int target, std::size_t offset, const Condition& condition, Picoseconds at) noexcept;
  void wake_watcher(int core, const Cause& cause);
  bool recheck_watchers(Picoseconds at);
  void sleep_on(const Watch& watch);

  Kernel kernel_;
  Intervention* intervention_ = nullptr;
  const Observers* observers_ = nullptr;
  Told told_ = nothing_told; ///< what they want to hear of
  bool acts_matter_ = false; ///< to the intervention or to an observer
  Network network_;
  Energy energy_;
  bool blocks_, by_line_; ///< granularity: of long copies, of all
  int data_flits_;        ///< of a packet that carries a line: a header and the data
  Picoseconds controller_line_;
  std::vector<int> dividers_;           ///< of each tile's clock
  std::vector<Picoseconds> tile_cycle_; ///< its period
  std::vector<Resource> ports_;         ///< one per tile
  std::vector<Resource> controllers_;
  std::vector<Way> to_controller_;         ///< by core, empty before its first copy
  std::vector<Transfer> transfers_;        ///< the last one of each core
  std::vector<std::vector<int>> movers_;   ///< by core whose MPB it is: cores whose transfer is under way
  int in_blocks_ = 0;                      ///< transfers under way that are
  std::vector<Watch> watches_;             ///< what each core has waited for last
  std::vector<Cause> causes_;              ///< what has woken it from that
  std::vector<std::vector<int>> watchers_; ///< by core whose MPB or register is watched
  std::vector<std::uint8_t> locks_;        ///< 1: taken
  std::vector<std::uint32_t> counters_;
  struct CounterWatch {
    int core;
    int counter;
    std::uint32_t value;
    int met_by = -1; ///< core whose access gave the counter that value
  };
  std::vector<CounterWatch> counter_watches_;
  std::vector<Pending> pending_;
  std::vector<std::uint32_t> free_pending_;
  std::uint64_t accesses_ = 0;
};

} // namespace mesh
