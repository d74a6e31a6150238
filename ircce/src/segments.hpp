// SPDX-License-Identifier: Apache-2.0
// How a message is cut into segments, each with a hand-shake of its own: as in RCCE; but a pipelined message
// passes every full chunk in two segments that lie beside each other in the MPB.
#pragma once

#include <cstddef>

#include "library/protocol/segments.hpp"
#include "mesh_sim/units.hpp"

namespace rcce::ircce {

struct Segment : protocol::Segment {
  std::size_t place; ///< in the MPB, from the start of the payload area

  /// Bytes of the MPB, in whole lines.
  [[nodiscard]] constexpr std::size_t room() const {
    return (bytes + mesh::line_bytes - 1) / mesh::line_bytes * mesh::line_bytes;
  }
  [[nodiscard]] constexpr bool beside(const Segment& other) const {
    return place + room() <= other.place || other.place + other.room() <= place;
  }
};

/// The first segment of a full chunk of a pipelined message; 0 where a chunk is a single line.
[[nodiscard]] constexpr std::size_t first_segment(std::size_t chunk) {
  return chunk / 2 / mesh::line_bytes * mesh::line_bytes;
}

/// The segment of a message of `size` bytes that begins at `offset` < size.
[[nodiscard]] constexpr Segment segment_at(std::size_t offset, std::size_t size, std::size_t chunk,
                                           bool pipelined) {
  const std::size_t first = first_segment(chunk);
  if (!pipelined || first == 0 || offset >= size / chunk * chunk)
    return {protocol::segment_at(offset, size, chunk), 0};
  if (offset % chunk == 0) return {{offset, first}, 0};
  return {{offset, chunk - first}, first};
}

/// True if the receiver may answer before it copies the segment, so that the sender puts the next one
/// meanwhile, beside it. Segments are copied in order, so the answer also says that the segment before has
/// been taken. The original always answered early, and the next segment could overwrite one that was still
/// being read.
[[nodiscard]] constexpr bool may_answer_early(std::size_t size, std::size_t chunk, bool pipelined,
                                              const Segment& segment) {
  return pipelined && segment.end() < size && segment.beside(segment_at(segment.end(), size, chunk, true));
}

} // namespace rcce::ircce
