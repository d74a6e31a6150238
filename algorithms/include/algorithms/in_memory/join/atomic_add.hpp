// SPDX-License-Identifier: Apache-2.0
// join/atomic_add
//
// Idea: workers count themselves in; the master waits until the counter says that all have come.
//
// n = 5:
//
//     count   0 -> 1 -> 2 -> 3 -> 4      the workers, one after another; the master polls
//
// Cost: n - 1 atomic additions of one word, which its line serves one at a time, and the master's reading it
// after each.
//
// Restrictions: a region between two joins (fork.hpp).
//
// Words: one, on a line of its own, near the master. It counts on through all regions (`alternating`), or the
// master sets it back after its wait, before the next start.
//
// Source: Berger, Stamatakis: Assessment of Barrier Implementations for Fine-Grain Parallel Regions on
// Current Multi-core Architectures.
#pragma once

#include "algorithms/in_memory/join/reset.hpp"
#include "algorithms/memory/concept.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class AtomicAdd {
 public:
  using Thread = typename M::Thread;

  explicit AtomicAdd(M& memory, Reset reset = Reset::alternating)
      : counter_(memory.words(1, memory::line, 0)[0]), reset_(reset) {}

  void arrive(Thread& thread) { thread.fetch_add(counter_, 1, std::memory_order_acq_rel); }
  void join(Thread& master) {
    awaited_ += static_cast<std::uint64_t>(master.threads()) - 1;
    master.wait(
        counter_, [this](std::uint64_t value) { return value == awaited_; }, std::memory_order_acquire);
    if (reset_ == Reset::alternating) return;
    awaited_ = 0;
    master.store(counter_, 0, std::memory_order_relaxed);
  }
  [[nodiscard]] typename M::Word word() const { return counter_; }

 private:
  typename M::Word counter_;
  Reset reset_;
  std::uint64_t awaited_ = 0; ///< the master's
};

} // namespace algorithms::in_memory
