// A value that one thread leaves for another in plain memory, where a word tells that it is there.
//
// On the host and on simulated machines it is a variable, and costs nothing; the explorer
// (explore/memory.hpp) makes a step of each access, and finds those that no word keeps apart.
#pragma once

#include "algorithms/memory/concept.hpp"

namespace algorithms::memory {

template <Memory M, class T>
class Handed {
 public:
  using Thread = typename M::Thread;

  explicit Handed(M&) {}
  void put(Thread&, const T& value) { own_.value = value; }
  [[nodiscard]] T get(Thread&) const { return own_.value; }

 private:
  Own<T> own_;
};

/// One for each thread.
template <Memory M, class T>
[[nodiscard]] std::vector<Handed<M, T>> handed(M& memory) {
  std::vector<Handed<M, T>> all;
  for (int thread = 0; thread < memory.threads(); ++thread) all.emplace_back(memory);
  return all;
}

} // namespace algorithms::memory
