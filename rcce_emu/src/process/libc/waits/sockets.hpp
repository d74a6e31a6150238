// SPDX-License-Identifier: Apache-2.0
// Calls of sockets that wait for the other side: they leave the thread to the other UEs meanwhile
// (host_wait.hpp).
#pragma once

#include <cstddef>
#include <sys/types.h>

namespace rcce::libc {

/// send() of a UE without flags, under the name by which it has called. Returns what that returns.
ssize_t send_in_turn(const char* call, int fd, const void* text, std::size_t bytes);

} // namespace rcce::libc
