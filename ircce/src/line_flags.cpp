// SPDX-License-Identifier: Apache-2.0
#include "line_flags.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "copies.hpp"
#include "library/protocol/call.hpp"
#include "library/protocol/diagnostics.hpp"
#include "library/protocol/flags.hpp"

namespace rcce::ircce {
namespace {

using mesh::line_bytes, protocol::FlagFact;

void tell_use(const State& state, FlagFact::Kind kind, std::size_t line, int value, int core) {
  protocol::tell_use(state.library, kind, protocol::line_flag(line), value, core);
}

std::size_t tag_length(int bytes) {
  return std::min(static_cast<std::size_t>(static_cast<unsigned>(bytes)), tag_bytes);
}

std::size_t line_of(State& state, const void* flag) {
  return protocol::word_of(state.library, flag).offset / line_bytes * line_bytes;
}

/// The line that a look has just brought into the cache.
protocol::Line cached_line(State& state, std::size_t offset) {
  protocol::Line line;
  state.library.core.load_cached(offset, line.data(), line.size());
  return line;
}

int value_of(const protocol::Line& line) {
  int value = 0;
  std::memcpy(&value, line.data(), sizeof value);
  return value;
}

void copy_tag(State& state, const protocol::Line& line, void* tag, int bytes) {
  if (tag == nullptr) return;
  state.library.charge(state.costs.tag);
  std::memcpy(tag, line.data() + sizeof(int), tag_length(bytes));
  state.library.core.touch(tag, tag_length(bytes), true);
}

} // namespace

int refusal_of_tag(State& state, const void* tag, int bytes) {
  const int print = *state.library.image.debug_synch;
  if (bytes < 0 || bytes > static_cast<int>(tag_bytes))
    return protocol::error_return(state.library, print, protocol::Error::message_length);
  if (tag == nullptr && bytes > 0)
    return protocol::error_return(state.library, print, protocol::Error::val_undefined);
  return 0;
}

int line_alloc(State& state, void* flag) {
  protocol::Library& library = state.library;
  const protocol::MpbPointer line = protocol::allocate(library, line_bytes);
  if (line == nullptr)
    return protocol::error_return(library, *library.image.debug_synch, protocol::Error::flag_undefined);
  protocol::set_flag_address(library, flag, line);
  return success;
}

int line_write(State& state, const void* flag, int value, int id, const void* tag, int bytes) {
  alignas(line_bytes) protocol::Line line{};
  std::memcpy(line.data(), &value, sizeof value);
  if (tag != nullptr) {
    state.library.charge(state.costs.tag);
    std::memcpy(line.data() + sizeof value, tag, tag_length(bytes));
    state.library.core.touch(tag, tag_length(bytes), false);
  }
  const std::size_t offset = line_of(state, flag);
  const int core = state.library.core_of(id);
  tell_use(state, FlagFact::Kind::written, offset, value, core);
  line_to_mpb(state, core, offset, line);
  return success;
}

int line_read(State& state, const void* flag, int* value, int id, void* tag, int bytes) {
  alignas(line_bytes) protocol::Line line;
  const std::size_t offset = line_of(state, flag);
  const int core = state.library.core_of(id);
  line_from_mpb(state, line, core, offset);
  tell_use(state, FlagFact::Kind::read, offset, value_of(line), core);
  if (value == nullptr) return success;
  *value = value_of(line);
  if (*value != 0) copy_tag(state, line, tag, bytes);
  return success;
}

int line_wait(State& state, const void* flag, int value, void* tag, int bytes) {
  protocol::Library& library = state.library;
  const std::size_t offset = line_of(state, flag);
  const mesh::Condition condition{0xffffffffu, static_cast<std::uint32_t>(value), sizeof value};
  tell_use(state, FlagFact::Kind::awaited, offset, value, library.core_id);
  library.core.wait(library.core_id, offset, condition, state.costs.look);
  tell_use(state, FlagFact::Kind::seen, offset, value, library.core_id);
  copy_tag(state, cached_line(state, offset), tag, bytes);
  return success;
}

int line_test(State& state, const void* flag, int value, int* result, void* tag, int bytes) {
  if (result == nullptr) protocol::misuse(state.library, "the result pointer is null");
  alignas(line_bytes) protocol::Line line;
  state.library.charge(state.costs.look);
  const std::size_t offset = line_of(state, flag);
  const int own = state.library.core_id;
  state.library.core.load(own, offset, line.data(), line_bytes);
  tell_use(state, FlagFact::Kind::read, offset, value_of(line), own);
  *result = value_of(line) == value;
  if (*result != 0) copy_tag(state, line, tag, bytes);
  return success;
}

int line_value(State& state, const void* flag) {
  return value_of(cached_line(state, line_of(state, flag)));
}

void line_tag(State& state, const void* flag, void* tag, int bytes) {
  copy_tag(state, cached_line(state, line_of(state, flag)), tag, bytes);
}

int test_flag(State& state, const void* flag, int value, int* result) {
  if (result == nullptr) protocol::misuse(state.library, "the result pointer is null");
  *result = protocol::read_flag(state.library, protocol::word_of(state.library, flag),
                                state.library.core_id) == value;
  return success;
}

} // namespace rcce::ircce
