// SPDX-License-Identifier: Apache-2.0
// barrier/counting: the algorithm of the test that follows CONTRIBUTING.md.
//
// Idea: everybody adds one to a word that nobody resets, and waits until it is the threads' number times the
// episode's.
//
// Cost: n atomic additions and n reads of one word, served one at a time. Words: one, near thread 0.
#pragma once

#include "algorithms/memory/concept.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class Counting {
 public:
  using Thread = typename M::Thread;

  explicit Counting(M& memory)
      : words_(memory.words(1, memory::line, 0)), wanted_(static_cast<std::size_t>(memory.threads())) {}

  void operator()(Thread& thread) {
    std::uint64_t& wanted = wanted_[static_cast<std::size_t>(thread.thread())].value;
    wanted += static_cast<std::uint64_t>(thread.threads());
    thread.fetch_add(words_[0], 1, std::memory_order_acq_rel);
    thread.wait(
        words_[0], [wanted](std::uint64_t value) { return memory::reached(value, wanted); },
        std::memory_order_acquire);
  }

 private:
  std::vector<typename M::Word> words_;
  std::vector<memory::PerThread<std::uint64_t>> wanted_;
};

} // namespace algorithms::in_memory
