// SPDX-License-Identifier: Apache-2.0
// join/tree, join/tree_padded
//
// Idea: a binomial tree gathers the arrivals: in step h every thread whose number is a multiple of 2h waits
// for the one h further on.
//
// n = 5:
//
//     h = 1   1->0  3->2
//     h = 2   2->0
//     h = 4   4->0
//
// Cost: n - 1 stores and as many reads, ceil(log2 n) of each one after another on the longest path.
//
// Restrictions: a region between two joins (fork.hpp).
//
// Flags: n, near the master, bytes beside each other or each on a line of its own. Whoever waits for a flag
// sets it back, or flags alternate (reset.hpp).
//
// Source: Berger, Stamatakis: Assessment of Barrier Implementations for Fine-Grain Parallel Regions on
// Current Multi-core Architectures.
#pragma once

#include "algorithms/in_memory/join/reset.hpp"
#include "algorithms/memory/concept.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class Tree {
 public:
  using Thread = typename M::Thread;

  Tree(M& memory, Padding padding, Reset reset = Reset::alternating)
      : flags_(memory.words(static_cast<std::size_t>(memory.threads()), stride(padding), 0)),
        full_(static_cast<std::size_t>(memory.threads()), reset) {}

  void arrive(Thread& thread) {
    report(thread, gather(thread, [](int) {}));
  }
  void join(Thread& master) {
    (void)gather(master, [](int) {});
  }

  // --- a join in two steps, for those who take something along (reduce/join_tree.hpp)
  /// Waits for the threads below; calls picked_up(thread) when one has arrived. Returns what report() takes.
  template <class PickedUp>
  std::uint64_t gather(Thread& thread, PickedUp picked_up) {
    const int self = thread.thread();
    const std::uint64_t full = full_.next(static_cast<std::size_t>(self));
    for (int h = 1; self % (2 * h) == 0 && self + h < thread.threads(); h *= 2) {
      const auto& flag = flags_[static_cast<std::size_t>(self + h)];
      thread.wait(
          flag, [full](std::uint64_t value) { return value == full; }, std::memory_order_acquire);
      if (full_.by_master()) thread.store(flag, 0, std::memory_order_relaxed);
      picked_up(self + h);
    }
    return full;
  }
  /// By a worker: it and those below it have arrived.
  void report(Thread& thread, std::uint64_t full) {
    thread.store(flags_[static_cast<std::size_t>(thread.thread())], full, std::memory_order_release);
  }

 private:
  std::vector<typename M::Word> flags_; ///< by thread; the master's is not used
  FullValues full_;
};

} // namespace algorithms::in_memory
