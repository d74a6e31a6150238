// SPDX-License-Identifier: Apache-2.0
// Copying and combining blocks: streams of lines, several misses in flight. The first miss costs its latency,
// each further line the largest of what a miss in flight, the link, the memory and the computation take.
#pragma once

#include <functional>
#include <span>

#include "mesh_sim/machines/coherent/caches.hpp"
#include "mesh_sim/machines/coherent/line_queues.hpp"

namespace mesh::coherent {

class Streams : Part {
 public:
  Streams(const Part& part, Caches& caches, LineQueues& queues)
      : Part(part), caches_(caches), queues_(queues) {}

  using Piece = std::function<void(std::size_t from, std::size_t to)>;
  /// The running thread reads the sources and writes the target, which is as long as each; piece() moves the
  /// bytes, some at a time.
  void stream(int thread, Block target, std::span<const Block> sources, Picoseconds compute_per_line,
              const Piece& piece);

 private:
  [[nodiscard]] Picoseconds fetch(Line& line, int core, Operation operation, Picoseconds at,
                                  Picoseconds since, bool first);

  Caches& caches_;
  LineQueues& queues_;
};

} // namespace mesh::coherent
