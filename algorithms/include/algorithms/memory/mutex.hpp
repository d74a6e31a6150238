// SPDX-License-Identifier: Apache-2.0
// A lock that sleeps in the operating system: one compare-and-swap and one exchange where nobody else wants
// it.
//
// Idea: the word says free (0), taken (1), or taken and perhaps waited for (2). Who finds it taken writes 2
// and sleeps; who frees it calls the operating system only where it was 2. The thread that has just freed the
// lock may take it again before a sleeper runs: it is not fair.
//
// Source: U. Drepper, "Futexes Are Tricky", 2004, mutex 2.
#pragma once

#include "algorithms/memory/concept.hpp"

namespace algorithms::memory {

template <Memory M>
class Mutex {
 public:
  using Thread = typename M::Thread;

  /// On a line of its own.
  Mutex(M& memory, int near) : word_(memory.words(1, line, near)[0]) {}

  void lock(Thread& thread) {
    std::uint64_t seen = 0;
    if (thread.compare_exchange(word_, seen, 1, std::memory_order_acquire)) return;
    if (seen != 2) seen = thread.exchange(word_, 2, std::memory_order_acquire);
    while (seen != 0) {
      thread.futex_wait(word_, 2);
      seen = thread.exchange(word_, 2, std::memory_order_acquire);
    }
  }
  void unlock(Thread& thread) {
    if (thread.exchange(word_, 0, std::memory_order_release) == 2) thread.futex_wake(word_, 1);
  }

 private:
  typename M::Word word_;
};

} // namespace algorithms::memory
