// SPDX-License-Identifier: Apache-2.0
// How threads find partners by order of arrival: what reduce/dynamic_pair and reduce/dynamic_group have in
// common.
//
// A word says who waits for a partner and how many operands it carries (algorithms/shapes/dynamic_pair.hpp),
// or that nobody does. A thread that comes tries to register itself in the empty word; else it takes who is
// there. The later arrival of a pair is its leader. No step can be undone by a thread that has been taken,
// and a thread registers once an operation at most, so within an operation no word occurs twice.
#pragma once

#include "algorithms/in_memory/reduce/reduction.hpp"
#include "algorithms/shapes/dynamic_pair.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class Neighbours {
 public:
  using Thread = typename M::Thread;

  /// `words` are used in turn by the operations.
  Neighbours(M& memory, int words, NeighbourLog* log)
      : words_(memory.words(static_cast<std::size_t>(words), memory::line, 0)), log_(log) {}

  /// Returns whose word has been taken, and its operands; `dynamic_pair::empty` where the caller is
  /// registered now and will be taken. Operations are counted from 1.
  [[nodiscard]] dynamic_pair::Word find(Thread& thread, int operands, std::uint64_t episode) {
    const typename M::Word word = words_[episode % words_.size()];
    const std::uint64_t self = dynamic_pair::word_of(thread.thread(), operands);
    const std::int64_t begin = log_ != nullptr ? thread.now() : 0;
    std::uint64_t tries = 0, found;
    for (;; ++tries) {
      std::uint64_t expected = dynamic_pair::empty;
      found = dynamic_pair::empty;
      if (thread.compare_exchange(word, expected, self, std::memory_order_acq_rel)) break;
      found = thread.load(word, std::memory_order_relaxed);
      if (found == dynamic_pair::empty) continue;
      expected = found;
      if (thread.compare_exchange(word, expected, dynamic_pair::empty, std::memory_order_acq_rel)) break;
    }
    if (log_ != nullptr) note(thread, tries, begin);
    return static_cast<dynamic_pair::Word>(found);
  }

 private:
  void note(Thread& thread, std::uint64_t retries, std::int64_t begin) {
    auto& entry = log_->of[static_cast<std::size_t>(thread.thread())].value;
    ++entry.visits;
    entry.retries += retries;
    entry.picoseconds.push_back(thread.now() - begin);
  }

  std::vector<typename M::Word> words_;
  NeighbourLog* log_;
};

} // namespace algorithms::in_memory
