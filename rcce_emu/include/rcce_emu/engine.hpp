// SPDX-License-Identifier: Apache-2.0
// The engine: what the RCCE protocol needs of a machine, and nothing more. The protocol exists once; an
// engine decides *when* things happen. `sim` (sim_engine.cpp) gives simulated time on fibers; `threads`
// (thread_engine.cpp) runs every core on an operating-system thread; one over MPI windows fits behind the
// same calls.
//
// Addresses inside message-passing buffers (MPBs) are (core, byte offset 0 ... mpb_bytes()-1). Cores are
// physical core numbers, never ranks. All calls of a Core come from that core's own context (fiber or
// thread).
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mesh_sim/machines/capabilities.hpp"
#include "mesh_sim/parts/access.hpp"
#include "mesh_sim/units.hpp"
#include "rcce_emu/engine_options.hpp"
#include "rcce_emu/job_memory.hpp"

namespace mesh {
class Topology;
enum class PollEnd : std::uint8_t;
struct PolledWord;
enum class CallTraits : std::uint8_t;
enum class EventMask : unsigned;
struct AccessStream; // mesh_sim/parts/own_accesses.hpp
class KnownLines;    // likewise
struct ResourceId;
} // namespace mesh

namespace rcce {

using mesh::Cycles;
using mesh::Picoseconds;

using mesh::Backoff;
using mesh::Condition;
using mesh::Copy;
using mesh::PollTarget;

class Core;
class WallCore;

/// Tells code that is compiled for a class of cores which class a core has.
class CoreVisitor {
 public:
  virtual void visit(Core& core) = 0;
  virtual void visit(WallCore& core) = 0; ///< a core of the threads engine in the host's time

 protected:
  ~CoreVisitor() = default;
};

class Core {
 public:
  /// `buffers` lives as long as the core and acts for it where its context runs.
  explicit Core(mesh::MessageBuffers& buffers) noexcept : buffers_(buffers) {}
  virtual ~Core() = default;

  [[nodiscard]] virtual int id() const noexcept = 0;
  virtual void accept(CoreVisitor& visitor) { visitor.visit(*this); }

  // --- time -----------------------------------------------------------------------------------------------
  /// The core's own clock, in picoseconds since the start of the run.
  [[nodiscard]] virtual Picoseconds now() const noexcept = 0;
  /// The same for reports: may lag behind now() where asking for the time takes long.
  [[nodiscard]] virtual Picoseconds recent() const noexcept { return now(); }
  /// Spends core cycles at the tile's current clock. Never switches to another core.
  virtual void compute(Cycles cycles) = 0;
  /// Does nothing until its clock shows `instant`; nothing at all when that has passed.
  virtual void sleep_until(Picoseconds instant) = 0;
  /// Lets every core whose clock is earlier act first. Each library call that looks at shared state does so
  /// itself; call this for those that do not (time queries, output).
  virtual void schedule() = 0;
  /// The program's own waiting loop has gone round `rounds` times since the last call: charges each round as
  /// one uncached read and lets the others run.
  virtual void spin(unsigned rounds) = 0;

  /// Its program's own loop does nothing but look at these words, at `first` and every `round` from there:
  /// sleeps through the looks that see no change, as Kernel::poll() has it. Only where runs repeat.
  virtual mesh::PollEnd poll(std::span<const mesh::PolledWord> words, Picoseconds first, Picoseconds round);

  // --- message-passing buffers ----------------------------------------------------------------------------
  [[nodiscard]] mesh::MessageBuffers& buffers() const noexcept { return buffers_; }
  /// Copies `bytes` from private memory, shared memory or an MPB to the MPB of `target_core`; complete on
  /// return.
  void put(int target_core, std::size_t offset, const void* source, std::size_t bytes, Copy how) {
    buffers_.put(target_core, offset, source, bytes, how);
  }
  /// Copies `bytes` from the MPB of `source_core` to private memory, shared memory or an MPB. Drops cached
  /// MPB lines first.
  void get(void* target, int source_core, std::size_t offset, std::size_t bytes, Copy how) {
    buffers_.get(target, source_core, offset, bytes, how);
  }
  /// Stores at most one line without crossing a line border; leaves through the write-combine buffer and
  /// becomes visible one mesh traversal after return. Stores of one core to one MPB become visible in order.
  void store(int target_core, std::size_t offset, const void* data, std::size_t bytes) {
    buffers_.store(target_core, offset, data, bytes);
  }
  /// Reads a byte, replaces the bits of `mask` by those of `value`, stores it: atomic, charged as a read and
  /// a store.
  void update(int target_core, std::size_t offset, std::uint8_t mask, std::uint8_t value) {
    buffers_.update(target_core, offset, mask, value);
  }
  /// Drops cached MPB lines, then reads at most one line without crossing a line border.
  void load(int source_core, std::size_t offset, void* data, std::size_t bytes) {
    buffers_.load(source_core, offset, data, bytes);
  }
  /// Reads the word again and again until the condition holds; `overhead` core cycles go into each round
  /// beside the read. Returns at the instant the reading loop would have seen it. Sleeps meanwhile: the host
  /// is not polled.
  void wait(int source_core, std::size_t offset, Condition condition, Cycles overhead) {
    buffers_.wait(source_core, offset, condition, overhead);
  }
  /// The same for a loop that looks at several words of one MPB in turn, until one of its conditions holds:
  /// returns the index of that look. `overhead` core cycles go into each round beside the looks and their own
  /// overheads.
  std::size_t wait_any(int source_core, std::span<const PollTarget> looks, Cycles overhead) {
    return buffers_.wait_any(source_core, looks, overhead);
  }
  /// Reads again, at no cost, what lies in one line of its own MPB that its last look has brought into its
  /// cache.
  virtual void load_cached(std::size_t offset, void* data, std::size_t bytes) = 0;

  // --- test-and-set registers, atomic counters ------------------------------------------------------------
  /// One read of the test-and-set register of `core`: true if it was free and is now taken.
  virtual bool lock_try(int core) = 0;
  /// Reads the register until it was free; sleeps meanwhile.
  virtual void lock_acquire(int core) = 0;
  virtual void lock_release(int core) = 0;
  /// Atomic-increment register of the system FPGA: returns the value before the increment.
  virtual std::uint32_t counter_increment(int counter) = 0;
  virtual std::uint32_t counter_read(int counter) = 0;
  virtual void counter_write(int counter, std::uint32_t value) = 0;
  /// Reads the register, with pauses between, until it has the value; sleeps meanwhile.
  virtual void counter_wait(int counter, std::uint32_t value, Backoff pauses) = 0;

  // --- private memory -------------------------------------------------------------------------------------
  /// Declares [base, base + bytes) as private memory of this core. Regions declared in the same order on
  /// every core get the same core-relative addresses, whatever their host addresses.
  virtual void map_private(const void* base, std::size_t bytes) = 0;
  /// The program reads (write = false) or writes private memory by itself: moves the lines through the caches
  /// without charging time. Benchmarks use it to say what a core has touched.
  virtual void touch(const void* base, std::size_t bytes, bool write) = 0;

  /// The program loads or stores private memory by itself, in so many rounds of a loop, or once each, one
  /// after the other, with 0 rounds: moves the lines through the caches. Returns what that takes beyond hits
  /// in the first-level cache.
  virtual Picoseconds access(std::uint64_t rounds, std::span<const mesh::AccessStream> streams,
                             mesh::KnownLines& known) = 0;
  /// Spends that time on what access() has told since the last call, after `computing` on the cycles between.
  /// Engines whose cores can meet add what its lines from memory wait for those of others meanwhile.
  virtual void spend_on_memory(Picoseconds, Picoseconds memory) { sleep_until(now() + memory); }

  // --- what no machine has --------------------------------------------------------------------------------
  /// Waits until so many cores have come to this meeting; all go on with the clock of the last one. Costs
  /// nothing. Only where runs repeat.
  virtual void meet(std::uint64_t meeting, int members);

  // --- end ------------------------------------------------------------------------------------------------
  /// Ends this core's context now, without unwinding it. Other cores go on.
  [[noreturn]] virtual void exit() = 0;

 private:
  mesh::MessageBuffers& buffers_;
};

struct BlockedCore {
  int core = -1;
  Picoseconds since = 0;  ///< its clock when it began to wait
  int waits_on_core = -1; ///< whose MPB or register it watches; -1 for a counter
  std::size_t offset = 0; ///< watched offset in that MPB; meaningless for a register or a counter
  bool on_lock = false;
  int counter = -1;                ///< atomic counter that it waits for, -1: none
  std::uint32_t counter_value = 0; ///< the counter's present value; it is to become condition.value
  Condition condition{};           ///< has no bytes for an atomic counter or an event of the engine's own
};

/// The activity of a core's UE, for the reports of other processes. Texts are the runtime's own.
struct Account {
  static constexpr std::size_t told_ranks = 2048; ///< larger jobs tell no groups
  const char* call = nullptr;
  int peer = -1;
  std::size_t bytes = 0;
  const char* flag = nullptr;
  int flag_rank = -1;
  Picoseconds since = 0;
  mesh::CallTraits traits{};
  bool ended = false;
  int status = 0;      ///< exit status, once ended
  Picoseconds end = 0; ///< likewise
  // What the run's closing line adds up:
  bool asked_time = false;
  Picoseconds own_time = 0, memory = 0; ///< time of its own code, and of that code's loads and stores
  std::uint64_t own_cycles = 0;
  unsigned host_orders = 0; ///< Job::host_orders()
  /// Ranks of the group whose barrier it is in; none: it is in no barrier.
  std::bitset<told_ranks> group{};
};

/// The guarantees of an engine.
struct Capabilities {
  bool repeatable = false;        ///< all accesses have one order, the same in every run
  bool contended = false;         ///< links, buffers and controllers are waited for, and counted
  bool one_address_space = false; ///< cores can reach each other's buffers and memory by host addresses
  bool concurrent = false;        ///< cores run at the same time, each on a thread of its own
  bool wall_clock = false;        ///< the cores' clocks are the host's
};

/// Owns the machine of one run. Several engines may live and run in one process, each used by one thread at a
/// time.
class Engine {
 public:
  explicit Engine(const Capabilities& can) : can_(can) {}
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  [[nodiscard]] const Capabilities& can() const noexcept { return can_; }
  [[nodiscard]] bool concurrent() const noexcept { return can_.concurrent; }
  [[nodiscard]] bool wall_clock() const noexcept { return can_.wall_clock; }

  [[nodiscard]] virtual int cores() const noexcept = 0; ///< cores of the machine, used or not
  /// True if the core's UE runs in this process. False only where each UE has a process of its own.
  [[nodiscard]] virtual bool is_here(int) const noexcept { return true; }
  /// True if all UEs have one shared memory; UEs on several hosts have not.
  [[nodiscard]] virtual bool shares_memory() const noexcept { return true; }
  /// Ends the runs of the other processes with this status, if UEs live in several processes.
  virtual void end_elsewhere(int) {}
  /// The exit status of the lowest rank that has failed, once all UEs have ended in their processes.
  [[nodiscard]] virtual int status_of_all() const noexcept { return 0; }
  /// Status with which another process has ended the run; -1: none has.
  [[nodiscard]] virtual int ended_by() const noexcept { return -1; }
  /// For UEs in several processes: `give` describes the UE of this process; `take` receives the accounts of
  /// the others when a report is written.
  virtual void on_account(Account (*)(void* context, int core),
                          void (*)(void* context, int core, const Account&), void*) {}
  /// The first rank whose process, on this host, is no more and has not said why: -1 where there is none.
  [[nodiscard]] virtual int gone_rank() noexcept { return -1; }
  /// After run(), by all processes alike: what each gives, by rank, at rank 0 and nothing elsewhere. Only
  /// what this process gives where not all have come to the run's end.
  [[nodiscard]] virtual std::vector<std::string> gather(std::string own) { return {std::move(own)}; }
  [[nodiscard]] virtual Core& core(int id) = 0;

  /// Gives the core a body to run on a stack of its own. Before run() only.
  virtual void start(int core, std::function<void()> body) = 0;
  /// Runs until finished, deadlocked or stopped.
  virtual Outcome run() = 0;
  /// Ends the run at once: run() returns `stopped`. From a core's context (then it does not return) or from
  /// outside.
  virtual void stop() = 0;
  /// Sends a signal to every thread on which a core still runs, where these are not the caller's.
  virtual void interrupt(int) noexcept {}

  /// Cores that wait for good after a deadlock, or at present when called from a core's context. May lock and
  /// allocate.
  [[nodiscard]] virtual std::vector<BlockedCore> blocked() const = 0;
  /// By core: whether it cannot act by itself, since it waits or has ended or was never started. At present,
  /// as far as the calling core can know.
  [[nodiscard]] virtual std::vector<bool> at_rest() = 0;
  /// True if something is on its way that may wake a core without another's doing. Wakes cores whose
  /// condition was met past the engine. Called from a core's context.
  [[nodiscard]] virtual bool under_way() = 0;
  /// After run(): waits that were found when nobody acted any more; 0 where nobody counts them.
  [[nodiscard]] virtual mesh::Rescues rescues() const noexcept { return {}; }
  /// The core whose context is executing on this thread, or null outside any core's context.
  [[nodiscard]] virtual Core* current() noexcept = 0;
  /// Stack of a core, lowest and one-past-highest address; null before its start.
  [[nodiscard]] virtual std::pair<const std::byte*, const std::byte*> stack(int core) const noexcept = 0;
  /// Bytes below each stack that belong to no other, and fault where the host allows.
  [[nodiscard]] virtual std::size_t guard_bytes() const noexcept = 0;
  /// Called at every change from one core's context to another's (either may be -1: the scheduler, or where
  /// cores are threads the thread before and after the core's life, on its own stack).
  virtual void on_switch(void (*hook)(void* context, int from, int to), void* context) = 0;
  /// Called with the earliest clock of any core that can still act, each time that clock has passed the value
  /// which the previous call returned; returns the next value of interest. Orders output by simulated time.
  virtual void on_progress(Picoseconds (*hook)(void* context, Picoseconds earliest), void* context) = 0;
  virtual void wake_progress_at(Picoseconds at) = 0; ///< lowers the value of interest
  /// Has all cores that sleep in poll() look again by themselves.
  virtual void rouse() {}
  /// From there: takes a core out of a wait at `at`, to call the interrupt function in its context and then
  /// to look again for what it waits for. False where it does not wait, or the engine cannot. Cores that are
  /// threads: from a signal handler on the core's own, or at a standstill.
  virtual bool interrupt_wait(int, Picoseconds) { return false; }
  virtual void on_interrupt(void (*)(void* context, int core), void*) {}
  /// Cores that are threads: called while all of them sleep, before that is a deadlock. True where one has
  /// been taken out of its wait, or may be later.
  virtual void on_standstill(bool (*)(void* context), void*) {}

  [[nodiscard]] virtual std::byte*
  mpb(int core) noexcept = 0; ///< host address of its first byte; below 2 GiB
  [[nodiscard]] virtual std::size_t mpb_bytes() const noexcept = 0;
  [[nodiscard]] virtual std::byte*
  shared_memory() noexcept = 0; ///< off-chip shared memory, zero at start; below 4 GiB
  [[nodiscard]] virtual std::size_t shared_memory_bytes() const noexcept = 0;
  /// The host addresses that all MPBs and shared memory lie between: the first, and how many bytes. Ends
  /// below 4 GiB.
  [[nodiscard]] std::pair<std::uintptr_t, std::size_t> visible_memory() noexcept;

  /// The places of cores, tiles and voltage domains.
  [[nodiscard]] virtual const mesh::Topology& topology() const noexcept = 0;
  [[nodiscard]] int tiles() const noexcept;
  [[nodiscard]] int tile_of(int core) const noexcept;
  /// The clock that tiles divide.
  [[nodiscard]] virtual double global_clock_mhz() const noexcept = 0;
  /// Picoseconds of a cycle of this core at present.
  [[nodiscard]] double cycle_of(int core) const noexcept {
    return 1e6 * tile_divider(tile_of(core)) / global_clock_mhz();
  }
  /// Tile clock divider (2 ... 16); acts on the cores of that tile from `now` on. On a machine whose clocks
  /// stay it is 1 and setting it does nothing; nor does setting a voltage.
  [[nodiscard]] virtual int tile_divider(int tile) const noexcept = 0;
  virtual void set_tile_divider(int tile, int divider) = 0;
  /// Volts of a voltage domain (2x2 tiles); the caller accounts for the time that the change takes.
  virtual void set_voltage(int domain, double volt) = 0;

  /// Memory by which UEs tell one another of things outside of the machine.
  [[nodiscard]] virtual JobMemory& memory() noexcept = 0;

  /// The events that observers of this run want. The library notifies of calls and messages.
  [[nodiscard]] virtual mesh::EventMask event_kinds() const noexcept = 0;
  /// Accesses to shared state so far; 0 where nobody counts them.
  [[nodiscard]] virtual std::uint64_t events() const noexcept = 0;
  /// The name of a link, an MPB port or a controller, such as "link(3,1)->east".
  [[nodiscard]] virtual std::string name_of(mesh::ResourceId resource) const = 0;
  /// Adds those that the machine keeps: of the run, of caches.
  virtual void statistics(mesh::Statistics& to) const = 0;
  /// Adds an estimate of the energy spent per voltage domain.
  virtual void energy(mesh::Statistics& to) const = 0;

 private:
  const Capabilities can_;
};

} // namespace rcce
