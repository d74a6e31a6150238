// SPDX-License-Identifier: Apache-2.0
// barrier/central_sense
//
// Idea: everybody counts itself in; the last one resets the counter and turns the sense, for which all others
// wait. The sense of an episode is the opposite of the last one's, so nothing has to be reset before the
// next.
//
// n = 5:
//
//     count   0 -> 1 -> 2 -> 3 -> 4 -> 0         whoever comes, one after another
//     sense   s ..................... !s         the last; the four others see it, one after another
//
// Cost: n atomic additions of one word and n - 1 reads of another, each of which its line serves one at a
// time.
//
// Restrictions: none.
//
// Words: two, on lines of their own, near thread 0.
//
// Source: Mellor-Crummey, Scott: Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors
// (1991), algorithm 7.
#pragma once

#include "algorithms/memory/concept.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class CentralSense {
 public:
  using Thread = typename M::Thread;

  explicit CentralSense(M& memory)
      : words_(memory.words(2, memory::line, 0)), sense_(static_cast<std::size_t>(memory.threads())) {}

  /// Returns when all threads of the memory have called as often as the caller.
  void operator()(Thread& thread) {
    std::uint64_t& sense = sense_[static_cast<std::size_t>(thread.thread())].value;
    sense = 1 - sense;
    const auto all = static_cast<std::uint64_t>(thread.threads());
    if (thread.fetch_add(words_[0], 1, std::memory_order_acq_rel) + 1 == all) {
      thread.store(words_[0], 0, std::memory_order_relaxed);
      thread.store(words_[1], sense, std::memory_order_release);
    } else {
      thread.wait(
          words_[1], [sense](std::uint64_t value) { return value == sense; }, std::memory_order_acquire);
    }
  }

 private:
  std::vector<typename M::Word> words_; ///< count, sense
  std::vector<memory::PerThread<std::uint64_t>> sense_;
};

} // namespace algorithms::in_memory
