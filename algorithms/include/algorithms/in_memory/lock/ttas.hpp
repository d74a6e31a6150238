// SPDX-License-Identifier: Apache-2.0
// lock/ttas
//
// Idea: everybody reads the word until it is 0, and only then tries to exchange 1 into it.
//
// Cost: nothing while the lock is held; each release makes all who wait read the line, and most of them try.
//
// Restrictions: not fair.
//
// Words: one, near the thread that is named.
//
// Source: Rudolph, Segall: Dynamic Decentralized Cache Schemes for MIMD Parallel Processors (1984).
#pragma once

#include "algorithms/memory/concept.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class TtasLock {
 public:
  using Thread = typename M::Thread;

  explicit TtasLock(M& memory, int near = 0) : word_(memory.words(1, memory::line, near)[0]) {}

  void acquire(Thread& thread) { (void)thread.wait_exchange(word_, 1); }
  void release(Thread& thread) { thread.store(word_, 0, std::memory_order_release); }

 private:
  typename M::Word word_;
};

} // namespace algorithms::in_memory
