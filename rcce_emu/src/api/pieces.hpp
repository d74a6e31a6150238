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
  for (std::size_t offset = 0; offset < size;) {
    const std::size_t left = size - offset;
    const std::size_t bytes = left >= chunk ? chunk
        : left >= mesh::line_bytes          ? left / mesh::line_bytes * mesh::line_bytes
                                            : left;
    step(offset, bytes);
    offset += bytes;
  }
}

} // namespace rcce::api
