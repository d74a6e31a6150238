// SPDX-License-Identifier: Apache-2.0
// The simulated SCC's sleepers: who waits for what, who wakes them and why.
//
// Invariant: a core that is blocked here has a watch that says what for, and is woken by the first change
// that can meet its condition, with the cause left behind. Knows the kernel, the costs, the probes, the
// copies (whose bytes count as there) and the words of the registers; not what changes them.
#pragma once

#include <span>
#include <vector>

#include "mesh_sim/machines/capabilities.hpp"
#include "mesh_sim/machines/scc/copies.hpp"

namespace mesh::scc {

/// The contents of test-and-set registers and atomic counters.
struct RegisterWords {
  explicit RegisterWords(const SccCosts& costs)
      : taken(static_cast<std::size_t>(costs.topology().cores())),
        counters(static_cast<std::size_t>(costs.counters())) {}
  std::vector<std::uint8_t> taken; ///< by core; 1: taken
  std::vector<std::uint32_t> counters;
};

/// The condition of a blocked core, and the polling loop that it sleeps through.
struct Watch : SccCosts::PollingLoop {
  int target = -1;
  std::size_t offset = 0;
  Condition condition;
  bool on_lock = false;
  int counter = -1; ///< atomic counter that is to become condition.value; then no buffer is watched
  std::span<const PollTarget> looks; ///< words of a loop that polls several; its times are not used then
};

class Waiters {
 public:
  Waiters(Kernel& kernel, SccCosts& costs, ProbeSet& probes, Copies& copies, const RegisterWords& words);
  Waiters(const Waiters&) = delete;
  Waiters& operator=(const Waiters&) = delete;

  /// The last watch of the core.
  [[nodiscard]] const Watch& watch(int core) const noexcept {
    return watches_[static_cast<std::size_t>(core)];
  }

  // Of the running core.
  [[nodiscard]] bool met(const Watch& watch) noexcept;
  [[nodiscard]] bool met(int target, std::size_t offset, const Condition& condition) noexcept;
  /// Sleeps until somebody wakes it. True if the look that it then goes on after has seen its one word as
  /// wished: the look is earlier, and the word may be another one by now.
  bool sleep_on(const Watch& watch);
  /// Sleeps until a counter has the value. Returns whose access gave it that; -1: nobody's.
  int sleep_on_counter(int counter, std::uint32_t value);

  // Of what changes.
  /// Bytes of an MPB have become visible: wakes those whose condition they meet.
  void written(int target, std::size_t offset, std::size_t bytes, const Cause& cause);
  /// A register has become free. Of all who poll it, the one whose next look comes first finds it so.
  void released(int core_of_lock, const Cause& cause);
  /// The running core has changed a counter.
  void counted(int counter);
  /// Wakes sleepers whose condition a plain store has met, which went past the machine. Where nobody acts any
  /// more each one is counted.
  bool recheck(Picoseconds at, bool nobody_acts = false);
  [[nodiscard]] const Rescues& rescues() const noexcept { return rescues_; }
  /// As Machine::interrupt().
  bool interrupt(int core, Picoseconds at);

 private:
  struct CounterWatch {
    int core;
    int counter;
    std::uint32_t value;
    int met_by = -1; ///< core whose access gave the counter that value
  };
  /// Sleeps until somebody wakes the running core, who leaves the cause. make() gives the wait.
  template <class Make>
  void block_on(const Make& make) {
    const Picoseconds begin = kernel_.now();
    if (probes_.want(EventMask::waits)) [[unlikely]]
      block_and_tell(make());
    else
      kernel_.block();
    probes_.waited(make().on, begin);
  }
  void block_and_tell(Wait wait);
  void wake(int core, const Cause& cause);

  Kernel& kernel_;
  SccCosts& costs_;
  ProbeSet& probes_;
  Copies& copies_;
  const RegisterWords& words_;
  std::vector<Watch> watches_; ///< last watch of each core
  /// The look after which a core goes on that has been woken, and what it sees.
  struct Look {
    std::uint64_t sleep = 0; ///< number of the sleep: a signal's handler may sleep in the midst of another
    Picoseconds at = -1;
    bool met = false;
  };
  std::vector<Look> looks_; ///< by core: of its last sleep
  std::uint64_t sleeps_ = 0;
  std::vector<Cause> causes_;              ///< cause that ended it
  std::vector<std::vector<int>> watchers_; ///< by core whose MPB or register is watched
  std::vector<CounterWatch> counter_watches_;
  Rescues rescues_;
};

} // namespace mesh::scc
