// Memory of a simulated machine with coherent caches: its cores are the threads, and time is simulated.
#pragma once

#include <functional>

#include "algorithms/memory/concept.hpp"
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

} // namespace algorithms::memory
