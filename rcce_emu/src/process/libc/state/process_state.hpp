// SPDX-License-Identifier: Apache-2.0
// The working directory, the rights that new files lack and the locale that a UE has changed for itself. On
// the threads engine every UE has a thread, whose they are; otherwise they are exchanged at switches, at no
// cost while no UE has changed any.
#pragma once

#include "process/process_state.hpp"

namespace rcce {
struct Ue;
}

namespace rcce::libc {

/// The UE's, made at its first use.
[[nodiscard]] process::ProcessState& process_state_of(Ue& ue);

/// Lets the calling UE have a directory and a mask apart from everybody's; `function` is what it called.
/// False where the host does not allow it: then the UE has been told and errno is set.
[[nodiscard]] bool set_apart(Ue& ue, const char* function);

/// Puts into force what `to` has in place of what `from` has; null for neither's. Not both null.
void exchange(const process::ProcessState* from, const process::ProcessState* to) noexcept;

} // namespace rcce::libc
