// SPDX-License-Identifier: Apache-2.0
// Flags that take a whole line: first the value, an int, then up to 28 bytes that travel with it ("tag"). The
// functions are those of the tagged flags of iRCCE 2.0; flags are the program's RCCE_FLAG objects.
#pragma once

#include <cstddef>

#include "state.hpp"

namespace rcce::ircce {

/// The error for a tag that no line has room for, or for a null tag with a length; 0 if the tag is right. The
/// original cut the length, and took one below 0 for the longest.
[[nodiscard]] int refusal_of_tag(State& state, const void* tag, int bytes);

inline constexpr std::size_t tag_bytes = mesh::line_bytes - sizeof(int);

int line_alloc(State& state, void* flag);
/// A negative or too large number of bytes means all.
int line_write(State& state, const void* flag, int value, int id, const void* tag, int bytes);
/// The tag is copied only where the value is asked for and not 0.
int line_read(State& state, const void* flag, int* value, int id, void* tag, int bytes);
int line_wait(State& state, const void* flag, int value, void* tag, int bytes);
int line_test(State& state, const void* flag, int value, int* result, void* tag, int bytes);

/// The value of a flag in the own MPB whose line has just been read, at no further cost.
[[nodiscard]] int line_value(State& state, const void* flag);

/// One look at an ordinary flag of RCCE.
/// The tag in a line that a look has just brought.
void line_tag(State& state, const void* flag, void* tag, int bytes);

int test_flag(State& state, const void* flag, int value, int* result);

} // namespace rcce::ircce
