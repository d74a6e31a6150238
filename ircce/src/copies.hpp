// SPDX-License-Identifier: Apache-2.0
// iRCCE's own copies between private memory and message-passing buffers: they prefetch the lines that they
// write.
#pragma once

#include <cstddef>

#include "library/protocol/mpb.hpp"
#include "state.hpp"

namespace rcce::ircce {

void copy_to_mpb(State& state, int core, std::size_t offset, const void* source, std::size_t bytes);
void copy_from_mpb(State& state, void* target, int core, std::size_t offset, std::size_t bytes);

/// A line of the library's own: see protocol::line_to_mpb.
void line_to_mpb(State& state, int core, std::size_t offset, const protocol::Line& line);
void line_from_mpb(State& state, protocol::Line& line, int core, std::size_t offset);

/// A segment of a message between its buffer and the payload area at `place` in the MPB of `core`; one that
/// is no whole number of lines goes through a padded line.
void put_segment(State& state, int core, std::size_t place, const char* source, std::size_t bytes);
void get_segment(State& state, char* target, int core, std::size_t place, std::size_t bytes);

/// iRCCE_put and iRCCE_get: any length and alignment, unchecked.
void put(State& state, protocol::MpbPointer target, protocol::MpbPointer source, int bytes, int id);
void get(State& state, protocol::MpbPointer target, protocol::MpbPointer source, int bytes, int id);
/// iRCCE_memcpy_put and iRCCE_memcpy_get: either address may be in any UE's MPB.
void copy(State& state, void* target, const void* source, std::size_t bytes);

} // namespace rcce::ircce
