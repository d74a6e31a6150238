// SPDX-License-Identifier: Apache-2.0
// Memory of a simulated machine with coherent caches: its cores are the threads, and time is simulated.
#pragma once

#include <functional>

#include "algorithms/memory/mailbox.hpp"
#include "mesh_sim/machines/coherent/core.hpp"

namespace algorithms::memory {

class Simulated {
 public:
  using Word = mesh::coherent::Word;
  using Block = mesh::coherent::Block;
  using Thread = mesh::coherent::Core;

  /// The machine runs once, and belongs to the caller.
  explicit Simulated(mesh::coherent::Machine& machine) : machine_(machine) {}

  [[nodiscard]] int threads() const { return machine_.threads(); }
  [[nodiscard]] std::vector<Word> words(std::size_t count, std::size_t stride, int near) {
    return machine_.words(count, stride, machine_.node_of(near));
  }
  [[nodiscard]] Block block(std::size_t bytes, int near) {
    return machine_.block(bytes, machine_.node_of(near));
  }
  /// Runs body(thread) on every thread of the machine, to its end.
  void run(const std::function<void(Thread&)>& body) {
    for (int thread = 0; thread < machine_.threads(); ++thread) machine_.start(thread, body);
    machine_.run();
  }

 private:
  mesh::coherent::Machine& machine_;
};

static_assert(Memory<Simulated>);

/// A line that its writer stores to and its readers load.
template <class T>
class Mailbox<Simulated, T> {
 public:
  using Thread = Simulated::Thread;

  Mailbox(Simulated& memory, int near) : line_(memory.words(1, line, near)[0]) {}
  Mailbox(Simulated&, const Simulated::Word& word) : line_(word) {}
  void put(Thread& thread, const T& value) {
    if (value_ == value) return (void)thread.load(line_, std::memory_order_relaxed);
    value_ = value;
    thread.store(line_, ++writes_, std::memory_order_relaxed);
  }
  [[nodiscard]] T get(Thread& thread) const {
    (void)thread.load(line_, std::memory_order_relaxed);
    return value_;
  }

 private:
  Simulated::Word line_;
  T value_{};
  std::uint64_t writes_ = 0; ///< value of the line's word
};

} // namespace algorithms::memory
