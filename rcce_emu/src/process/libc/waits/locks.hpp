// SPDX-License-Identifier: Apache-2.0
// Locks and semaphores that UEs may have in common: of files, and in memory that they share. In simulated
// time whoever waits for one leaves the thread to the others, who may let it go (host_wait.hpp).
#pragma once

#include <fcntl.h>
#include <span>

#include "process/libc/state/own_heap.h"

namespace rcce::libc {

/// fcntl() of a UE for a record lock.
int lock_record(int fd, int command, struct flock* lock);

/// Functions in whose place the program and its libraries get the runtime's. The runtime's own locks are
/// taken by the C library.
[[nodiscard]] std::span<const rockcreek_own_function> lock_functions() noexcept;

} // namespace rcce::libc
