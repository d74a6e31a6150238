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

#include "algorithms/in_memory/join/atomic_add.hpp"
#include "algorithms/memory/mutex.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class MutexAdd {
 public:
  using Thread = typename M::Thread;

  explicit MutexAdd(M& memory, Reset reset = Reset::alternating) : mutex_(memory, 0), count_(memory, reset) {}

  void arrive(Thread& thread) {
    mutex_.lock(thread);
    const std::uint64_t count = thread.load(count_.word(), std::memory_order_relaxed);
    thread.store(count_.word(), count + 1, std::memory_order_release);
    mutex_.unlock(thread);
  }
  void join(Thread& master) { count_.join(master); }

 private:
  memory::Mutex<M> mutex_;
  AtomicAdd<M> count_; ///< to whose counter the workers add one under the lock
};

} // namespace algorithms::in_memory
