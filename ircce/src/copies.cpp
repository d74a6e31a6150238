// SPDX-License-Identifier: Apache-2.0
#include "copies.hpp"

#include <cstdint>
#include <cstring>
#include <string>

#include "library/protocol/call.hpp"

namespace rcce::ircce {
namespace {

using mesh::line_bytes;

std::size_t wild_length(State& state, int bytes) {
  if (bytes < 0) protocol::misuse(state.library, "negative length " + std::to_string(bytes));
  return static_cast<std::size_t>(bytes);
}

} // namespace

void copy_to_mpb(State& state, int core, std::size_t offset, const void* source, std::size_t bytes) {
  state.library.charge(state.costs.put);
  if (bytes > 0) state.library.core.put(core, offset, source, bytes, state.copy);
}

void copy_from_mpb(State& state, void* target, int core, std::size_t offset, std::size_t bytes) {
  state.library.charge(state.costs.get);
  if (bytes > 0) state.library.core.get(target, core, offset, bytes, state.copy);
}

void line_to_mpb(State& state, int core, std::size_t offset, const protocol::Line& line) {
  state.library.charge(state.costs.put);
  state.library.core.store(core, offset, line.data(), line_bytes);
}

void line_from_mpb(State& state, protocol::Line& line, int core, std::size_t offset) {
  state.library.charge(state.costs.get);
  state.library.core.load(core, offset, line.data(), line_bytes);
}

void put_segment(State& state, int core, std::size_t place, const char* source, std::size_t bytes) {
  state.library.charge(state.costs.segment);
  if (bytes % line_bytes == 0) {
    copy_to_mpb(state, core, place, source, bytes);
    return;
  }
  alignas(line_bytes) protocol::Line padded{};
  std::memcpy(padded.data(), source, bytes);
  state.library.core.touch(source, bytes, false);
  state.library.charge(state.costs.padding);
  line_to_mpb(state, core, place, padded);
}

void get_segment(State& state, char* target, int core, std::size_t place, std::size_t bytes) {
  if (bytes % line_bytes == 0) {
    copy_from_mpb(state, target, core, place, bytes);
    return;
  }
  alignas(line_bytes) protocol::Line padded;
  state.library.charge(state.costs.padding);
  line_from_mpb(state, padded, core, place);
  std::memcpy(target, padded.data(), bytes);
  state.library.core.touch(target, bytes, true);
}

void put(State& state, protocol::MpbPointer target, protocol::MpbPointer source, int bytes, int id) {
  const std::size_t length = wild_length(state, bytes);
  copy_to_mpb(state, state.library.core_of(id), protocol::own_offset(state.library, target, length),
              const_cast<unsigned char*>(source), length);
}

void get(State& state, protocol::MpbPointer target, protocol::MpbPointer source, int bytes, int id) {
  const std::size_t length = wild_length(state, bytes);
  copy_from_mpb(state, const_cast<unsigned char*>(target), state.library.core_of(id),
                protocol::own_offset(state.library, source, length), length);
}

void copy(State& state, void* target, const void* source, std::size_t bytes) {
  // No private memory is that large: a negative number has become a length.
  if (bytes > SIZE_MAX / 2)
    protocol::misuse(state.library, "negative length " + std::to_string(static_cast<std::ptrdiff_t>(bytes)));
  if (const auto place = protocol::mpb_place(state.library, target)) {
    copy_to_mpb(state, place->core, place->offset, source, bytes);
  } else if (const auto from = protocol::mpb_place(state.library, source)) {
    copy_from_mpb(state, target, from->core, from->offset, bytes);
  } else {
    if (state.library.core.buffers().moves(bytes)) std::memmove(target, source, bytes);
    state.library.core.touch(source, bytes, false);
    state.library.core.touch(target, bytes, true);
  }
}

} // namespace rcce::ircce
