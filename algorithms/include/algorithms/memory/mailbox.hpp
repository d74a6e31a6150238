// SPDX-License-Identifier: Apache-2.0
// A value that one thread leaves for another in plain memory, where a word tells that it is there.
//
// It lies on a line of its own, or on that of a word. Here, for the host, it is a variable; on simulated
// machines (simulated.hpp) it costs what a store and a load of its line cost; the explorer
// (memory/explored.hpp) makes a step of each access, and finds those that no word keeps apart.
#pragma once

#include "algorithms/memory/concept.hpp"

namespace algorithms::memory {

template <Memory M, class T>
class Mailbox {
 public:
  using Thread = typename M::Thread;

  Mailbox(M&, int /*near*/) {}
  Mailbox(M&, const typename M::Word& /*on its line*/) {}
  /// Does not write a value that is there already, so that others keep their copies of the line.
  void put(Thread&, const T& value) {
    if (!(own_.value == value)) own_.value = value;
  }
  [[nodiscard]] T get(Thread&) const { return own_.value; }

 private:
  PerThread<T> own_;
};

/// One for each thread, near it.
template <Memory M, class T>
[[nodiscard]] std::vector<Mailbox<M, T>> mailboxes(M& memory) {
  std::vector<Mailbox<M, T>> all;
  for (int thread = 0; thread < memory.threads(); ++thread) all.emplace_back(memory, thread);
  return all;
}

} // namespace algorithms::memory
