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
#include <string>
#include <vector>

#include "mesh_sim/access.hpp"
#include "mesh_sim/address_space.hpp"
#include "mesh_sim/cache.hpp"
#include "mesh_sim/energy.hpp"
#include "mesh_sim/kernel.hpp"
#include "mesh_sim/machine_config.hpp"
#include "mesh_sim/network.hpp"
#include "mesh_sim/reservation.hpp"

namespace mesh {

class SccMachine {
 public:
  SccMachine(const MachineConfig& config, std::size_t stack_bytes, std::size_t shared_bytes);
  ~SccMachine();

  [[nodiscard]] Kernel& kernel() noexcept { return kernel_; }
  [[nodiscard]] const Topology& topology() const noexcept { return topology_; }
  [[nodiscard]] const MachineConfig& config() const noexcept { return config_; }
  [[nodiscard]] std::byte* mpb(int core) noexcept {
    return mpbs_.data() + static_cast<std::size_t>(core) * mpb_bytes_;
  }
  [[nodiscard]] std::size_t mpb_bytes() const noexcept { return mpb_bytes_; }
  [[nodiscard]] std::byte* shared_memory() noexcept { return shared_.data(); }
  [[nodiscard]] std::size_t shared_memory_bytes() const noexcept { return shared_.size(); }

  // All of the following act for the core whose context is running.

  void compute(Cycles cycles) noexcept { kernel_.advance(cycles * me().cycle); }
  /// Charges `rounds` uncached reads and looks whether plain stores have met what sleeping cores wait for.
  void spin(unsigned rounds);

  void put(int target, std::size_t offset, const void* source, std::size_t bytes, Copy how);
  void get(void* target, int source, std::size_t offset, std::size_t bytes, Copy how);
  void store(int target, std::size_t offset, const void* data, std::size_t bytes);
  void update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value);
  void load(int source, std::size_t offset, void* data, std::size_t bytes);
  void wait(int source, std::size_t offset, Condition condition, Cycles overhead);

  bool lock_try(int core);
  void lock_acquire(int core);
  void lock_release(int core);
  std::uint32_t counter_access(int counter, bool write, std::uint32_t value, bool increment);

  void map_private(int core, const void* base, std::size_t bytes);
  void touch(const void* base, std::size_t bytes, bool write);

  [[nodiscard]] int tile_divider(int tile) const noexcept { return energy_.divider(tile); }
  void set_tile_divider(int tile, int divider);
  void set_voltage(int domain, double volt);

  /// What a blocked core waits for.
  struct Watch {
    int target = -1;
    std::size_t offset = 0;
    Condition condition;
    bool on_lock = false;
    Picoseconds start = 0;  ///< issue of the first poll of the loop that the core sleeps through
    Picoseconds period = 0; ///< from one issue to the next
    Picoseconds sample = 0; ///< from issue until the request looks at the memory
    Picoseconds finish = 0; ///< from issue until the core goes on after the poll that sees its wish
  };
  [[nodiscard]] const Watch& watch(int core) const noexcept {
    return cores_[static_cast<std::size_t>(core)].watch;
  }

  [[nodiscard]] std::uint64_t digest() const noexcept { return digest_; }
  [[nodiscard]] std::uint64_t accesses() const noexcept { return accesses_; }
  [[nodiscard]] std::string statistics() const;
  [[nodiscard]] std::string energy() const;

 private:
  struct CoreState {
    CoreState(const MachineConfig& config, int core, const Topology& topology, Cache::Tag* tags);
    TileId tile;
    int controller;
    Picoseconds cycle = 0;     ///< period of the tile clock
    Picoseconds dram_line = 0; ///< read of a line, or of an uncached word
    Cache l1, l2;
    AddressSpace memory;
    Watch watch;
    bool active = false; ///< has used its caches
    std::uint64_t lines_put = 0, lines_got = 0, l2_hits = 0, dram_lines = 0, write_backs = 0;
  };
  struct Pending { ///< a store on its way
    enum class Kind : std::uint8_t { bytes, bits, lock };
    Kind kind;
    std::uint8_t mask; ///< for bits
    std::uint32_t bytes;
    int target;
    std::size_t offset;
    std::byte data[line_bytes];
  };
  enum class Place : std::uint8_t { priv, mpb, shared };
  struct Passage { ///< how lines get to and from an MPB
    TileId tile;
    Picoseconds one_way; ///< request or store, without waiting
    Picoseconds read;    ///< whole read of a line, without waiting
  };
  struct Work { ///< private side of a segment
    Picoseconds time = 0;
    std::uint32_t dram = 0; ///< lines that pass the memory controller
  };

  [[nodiscard]] CoreState& me() noexcept { return cores_[static_cast<std::size_t>(kernel_.current())]; }
  [[nodiscard]] CoreState& active() noexcept;
  [[nodiscard]] Picoseconds mesh_cycles(Cycles n) const noexcept { return n * mesh_cycle_; }
  [[nodiscard]] Passage passage(const CoreState& core, int target) const noexcept;
  [[nodiscard]] Place place_of(const void* address) const noexcept;
  void set_clock(int tile, int divider) noexcept;
  void check(int target, std::size_t offset, std::size_t bytes) const;

  [[nodiscard]] std::uint32_t segment_lines(std::size_t bytes_left, Picoseconds worst_line) const noexcept;
  [[nodiscard]] Picoseconds worst_line(const CoreState& core, Copy how) const noexcept;
  Work read_private(CoreState& core, const void* address, std::size_t bytes, bool store);
  template <class Visit>
  void for_each_run(CoreState& core, const void* address, std::size_t bytes, Visit&& visit);
  Work write_private(CoreState& core, const void* address, std::size_t bytes, Copy how);
  Work other_side(CoreState& core, const void* address, std::size_t bytes, bool write, Copy how);
  Picoseconds mesh_waits(const CoreState& core, const Passage& way, Stream lines, bool reading);
  Picoseconds controller_waits(const CoreState& core, Stream lines, std::uint32_t dram);
  void spend(const CoreState& core, const Passage& way, std::uint32_t lines, Picoseconds time,
             const Work& work, bool reading, Picoseconds ahead);

  void post_store(int target, std::size_t offset, const void* data, std::size_t bytes, Picoseconds visible);
  std::uint32_t pending_slot();
  void deliver(Picoseconds at, std::uint32_t token);
  void written(int target, std::size_t offset, std::size_t bytes, Picoseconds at);
  bool met(const Watch& watch) const noexcept;
  [[nodiscard]] static Picoseconds poll_at(const Watch& watch, Picoseconds at) noexcept;
  bool recheck_watchers(Picoseconds at);
  void sleep_on(const Watch& watch);
  /// Time on the way to a register `hops` away and cycles spent, for an access of the test-and-set register
  /// of `core`.
  [[nodiscard]] Picoseconds register_cycles(const CoreState& core, TileId tile, Cycles cycles) const noexcept;
  void note(int kind, int target, std::size_t offset, std::size_t bytes) noexcept;

  MachineConfig config_;
  Topology topology_;
  Kernel kernel_;
  Network network_;
  Energy energy_;
  std::size_t mpb_bytes_;
  Reservation mpbs_, shared_, tags_;
  int data_flits_; ///< of a packet that carries a line: a header and the data
  Picoseconds mesh_cycle_, ram_cycle_, controller_line_;
  std::vector<Picoseconds> tile_cycle_; ///< period of each tile's clock
  std::vector<CoreState> cores_;
  std::vector<Resource> ports_; ///< one per tile
  std::vector<Resource> controllers_;
  std::vector<std::vector<int>> watchers_; ///< by core whose MPB or register is watched
  std::vector<std::uint8_t> locks_;        ///< 1: taken
  std::vector<std::uint32_t> counters_;
  std::vector<Pending> pending_;
  std::vector<std::uint32_t> free_pending_;
  std::uint64_t digest_ = 0xcbf29ce484222325u, accesses_ = 0;
};

} // namespace mesh
