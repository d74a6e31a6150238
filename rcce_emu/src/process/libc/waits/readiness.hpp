// SPDX-License-Identifier: Apache-2.0
// Calls that wait for descriptors and children: they leave the thread to the other UEs meanwhile
// (host_wait.hpp).
#pragma once

#include <cstddef>
#include <sys/types.h>

namespace rcce::libc {

/// write() of a UE to a descriptor of the process: what may have to wait for a reader, in pieces.
ssize_t write_in_turn(int fd, const void* text, std::size_t bytes);

[[nodiscard]] bool is_pipe(const char* path) noexcept;
/// True if an open() of a UE would wait until somebody opens the other end of a named pipe.
[[nodiscard]] bool waits_for_other_end(const char* path, int flags) noexcept;
/// Opens it, and lets the others run meanwhile.
int open_pipe(int folder, const char* path, int flags);

} // namespace rcce::libc
