// SPDX-License-Identifier: Apache-2.0
// The very end of a UE, however it has come about.
#pragma once

#include "engine/ue/ue.hpp"

namespace rcce::run {

/// Hands over what the UE has written, records its clock and leaves its context for good, with the status
/// that process->status tells and without exit functions (libc::end_ue() runs them). On its own context.
[[noreturn]] void leave_ue(Ue& ue);

} // namespace rcce::run
