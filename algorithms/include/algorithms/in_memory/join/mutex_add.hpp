// SPDX-License-Identifier: Apache-2.0
// join/mutex_add
//
// Idea: as atomic_add, but the counter is a plain one under a lock that sleeps in the operating system.
//
// n = 5:
//
//     lock, count + 1, unlock      the workers, one after another; the master polls the count
//
// Cost: n - 1 critical sections one after another; where workers meet, a sleep and a wake-up for most of
// them.
//
// Restrictions: a region between two joins (fork.hpp).
//
// Words: the lock and the counter, on lines of their own, near the master. The counter counts on through all
// regions, or the master sets it back. The source reads it unlocked, which is a data race; here that read is
// atomic.
//
// Source: Berger, Stamatakis: Assessment of Barrier Implementations for Fine-Grain Parallel Regions on
// Current Multi-core Architectures.
#pragma once

#include "algorithms/in_memory/join/reset.hpp"
#include "algorithms/memory/mutex.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class MutexAdd {
 public:
  using Thread = typename M::Thread;

  explicit MutexAdd(M& memory, Reset reset = Reset::alternating)
      : mutex_(memory, 0), counter_(memory.words(1, memory::line, 0)[0]), reset_(reset) {}

  void arrive(Thread& thread) {
    mutex_.lock(thread);
    const std::uint64_t count = thread.load(counter_, std::memory_order_relaxed);
    thread.store(counter_, count + 1, std::memory_order_release);
    mutex_.unlock(thread);
  }
  void join(Thread& master) {
    awaited_ += static_cast<std::uint64_t>(master.threads()) - 1;
    master.wait(
        counter_, [this](std::uint64_t value) { return value == awaited_; }, std::memory_order_acquire);
    if (reset_ == Reset::alternating) return;
    awaited_ = 0;
    master.store(counter_, 0, std::memory_order_relaxed);
  }

 private:
  memory::Mutex<M> mutex_;
  typename M::Word counter_;
  Reset reset_;
  std::uint64_t awaited_ = 0; ///< the master's
};

} // namespace algorithms::in_memory
