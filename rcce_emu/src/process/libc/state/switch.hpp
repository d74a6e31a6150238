// SPDX-License-Identifier: Apache-2.0
// What is exchanged at a switch from one UE to another.
#pragma once

#include "process/process.hpp"

namespace rcce::libc {

/// Exchanges the C library's variables at a switch from one UE to another; either may be null (the
/// scheduler).
void switch_process(process::Process* from, process::Process* to) noexcept;

} // namespace rcce::libc
