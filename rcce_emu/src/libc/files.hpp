// SPDX-License-Identifier: Apache-2.0
// Streams of the C library that a UE has opened.
#pragma once

#include <cstdio>

namespace rcce::libc {

/// The stream has been closed: its buffer goes back to the UE's heap.
void forget_buffer(FILE* file) noexcept;

} // namespace rcce::libc
