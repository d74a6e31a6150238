// SPDX-License-Identifier: Apache-2.0
// The start of a parallel region, of which the joins beside this file are the end. Thread 0 is the master.
//
// Idea: the master writes the number of the region into a word that all workers poll; a worker that sees a
// new number works and arrives at the join. The master cannot start a region before all have joined the last,
// so nobody misses one.
//
// Cost: one store, and n - 1 reads of its line, which are served one at a time: this staggers the arrivals.
//
// Restrictions: between two starts there is exactly one join. A join is not a barrier: workers are held back
// by the next start only.
//
// Words: one, on a line of its own, near the master.
//
// Source: Berger, Stamatakis: Assessment of Barrier Implementations for Fine-Grain Parallel Regions on
// Current Multi-core Architectures. How workers end is ours: a number that no region has.
#pragma once

#include "algorithms/memory/concept.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class Fork {
 public:
  using Thread = typename M::Thread;
  static constexpr std::uint64_t end = UINT64_MAX;

  explicit Fork(M& memory)
      : word_(memory.words(1, memory::line, 0)[0]), own_(static_cast<std::size_t>(memory.threads())) {}

  /// By the master: the next region begins.
  void start(Thread& thread) { thread.store(word_, ++own_[0].value, std::memory_order_release); }
  /// By the master, after the last join: workers get false.
  void stop(Thread& thread) { thread.store(word_, end, std::memory_order_release); }
  /// By a worker: returns true when the next region has begun, false when there is none.
  [[nodiscard]] bool await(Thread& thread) {
    std::uint64_t& region = own_[static_cast<std::size_t>(thread.thread())].value;
    const std::uint64_t seen = thread.wait(
        word_, [region](std::uint64_t value) { return value != region; }, std::memory_order_acquire);
    region = seen;
    return seen != end;
  }

 private:
  typename M::Word word_;
  std::vector<memory::PerThread<std::uint64_t>> own_; ///< the last region that each thread has begun
};

} // namespace algorithms::in_memory
