// SPDX-License-Identifier: Apache-2.0
// Copying and combining blocks: streams of lines, several misses in flight. The first miss costs its latency,
// each further line the largest of what a miss in flight, the links, the memory and the computation take.
// Once its loads are there, its store to the target costs a hit.
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

  /// Moves bytes `from` to `to` of the target in pass `pass`.
  using Segment = std::function<void(std::size_t pass, std::size_t from, std::size_t to)>;
  /// The running thread reads the sources, one after another, and writes the target, which is as long as
  /// each. The first pass over the target reads the first two sources (or the only one), each further pass
  /// the target and one more source. Misses stay in flight from one pass to the next.
  void stream(int thread, Block target, std::span<const Block> sources, Picoseconds compute_per_line,
              const Segment& segment);

 private:
  /// Tells if the first load and the first store of a stream are still to come.
  struct Beginning {
    bool load = true, store = true;
  };
  /// One segment of one pass: bytes `from` to `to` of all blocks. Advances the clock.
  void move(int core, Block target, std::span<const Block> sources, std::size_t from, std::size_t to,
            Picoseconds compute_per_line, Beginning& first);
  [[nodiscard]] Picoseconds fetch(Line& line, int core, Operation operation, Picoseconds at,
                                  Picoseconds since, bool first);

  Caches& caches_;
  LineQueues& queues_;
};

} // namespace mesh::coherent
