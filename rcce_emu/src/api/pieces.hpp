// How a message is cut into pieces, each of which passes through the sender's MPB by a hand-shake of its own:
// full chunks, then the whole lines of the rest, then its last 1 to 31 bytes in a padded line. Observable:
// the number of pieces decides what happens when sender and receiver disagree about the size.
#pragma once

#include <cstddef>

#include "mesh_sim/units.hpp"

namespace rcce::api {

/// Calls step(offset, bytes) for each piece of `size` bytes in order; `chunk` is a positive multiple of a
/// line.
template <class Step>
void for_each_piece(std::size_t size, std::size_t chunk, Step&& step) {
  std::size_t offset = 0;
  for (; size - offset >= chunk; offset += chunk) step(offset, chunk);
  const std::size_t lines = (size - offset) / mesh::line_bytes * mesh::line_bytes;
  if (lines > 0) step(offset, lines);
  offset += lines;
  if (offset < size) step(offset, size - offset);
}

} // namespace rcce::api
