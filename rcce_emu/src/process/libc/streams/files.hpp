// SPDX-License-Identifier: Apache-2.0
// Streams of the C library that a UE has opened.
#pragma once

#include <cstdio>
#include <sys/types.h>

namespace rcce::libc {

/// A stream of a UE over its end of a pipe to a child, both of which it then owns: closing it waits for the
/// child and returns its status, as pclose() does. Null: no memory, and nothing is owned.
[[nodiscard]] FILE* open_child_stream(int descriptor, const char* mode, pid_t child);

/// The stream has been closed: its buffer goes back to the UE's heap.
void forget_buffer(FILE* file) noexcept;

} // namespace rcce::libc
