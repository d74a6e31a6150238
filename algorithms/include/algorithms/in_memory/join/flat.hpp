// SPDX-License-Identifier: Apache-2.0
// join/flat, join/flat_padded
//
// Idea: every worker has a flag, which the master looks at one after another. Unpadded, the flags are bytes
// beside each other; padded, each has a line of its own.
//
// n = 5:
//
//     1->f1  2->f2  3->f3  4->f4      the master reads f1 f2 f3 f4
//
// Cost: n - 1 stores and n - 1 reads by one thread, whose misses overlap; unpadded flags share their lines,
// which go from writer to writer.
//
// Restrictions: a region between two joins (fork.hpp).
//
// Flags: n, near the master. `alternating` gives them the opposite value in each region; `by_master` has the
// master set them back after its scan, before the next start.
//
// Source: Berger, Stamatakis: Assessment of Barrier Implementations for Fine-Grain Parallel Regions on
// Current Multi-core Architectures; alternating flags are our reading of what was run, see the folder's
// README.
#pragma once

#include "algorithms/in_memory/join/reset.hpp"
#include "algorithms/memory/concept.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class Flat {
 public:
  using Thread = typename M::Thread;

  Flat(M& memory, Padding padding, Reset reset = Reset::alternating)
      : flags_(memory.words(static_cast<std::size_t>(memory.threads()), stride(padding), 0)),
        full_(static_cast<std::size_t>(memory.threads()), reset) {}

  void arrive(Thread& thread) {
    const auto self = static_cast<std::size_t>(thread.thread());
    thread.store(flags_[self], full_.next(self), std::memory_order_release);
  }
  void join(Thread& master) {
    const std::uint64_t full = full_.next(0);
    const auto workers = std::span<const typename M::Word>(flags_).subspan(1);
    master.wait_all(
        workers, [full](std::uint64_t value) { return value == full; }, std::memory_order_acquire);
    if (full_.by_master())
      for (const auto& flag : workers) master.store(flag, 0, std::memory_order_relaxed);
  }

 private:
  std::vector<typename M::Word> flags_; ///< by thread; the master's is not used
  FullValues full_;
};

} // namespace algorithms::in_memory
