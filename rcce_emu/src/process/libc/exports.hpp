// SPDX-License-Identifier: Apache-2.0
// What the functions that the runtime exports under the C library's names have in common: in a UE's context
// they act on that UE, anywhere else they call the C library.
#pragma once

#include <cerrno>

#include "engine/host/real.hpp"
#include "process/process.hpp"

namespace rcce::libc {

using host::library_function;
using host::real_function;
using process::calling_library;
using process::calling_ue;
using process::CLibrary;
using process::Process;

/// The result of a call that sets `errno`.
inline int failed(int error) noexcept {
  errno = error;
  return -1;
}

/// Tells the user once per process and cause, on the UE's standard error, what a function refuses to do.
/// Returns -1, with ENOSYS in `errno`.
int refuse(Ue& ue, const char* function, const char* reason);
// Reasons of several functions.
inline constexpr const char* one_process = "because a UE lives in a process of the runtime's, and the child "
                                           "would be a copy of all that is in it; start other "
                                           "programs by system() or posix_spawn()";
inline constexpr const char* not_another =
    "because a UE lives in a process of the runtime's and would end with it; "
    "start other programs by system() or posix_spawn()";
/// The same of a call that is written otherwise than "function()".
int refuse_named(Ue& ue, const char* call, const char* reason);

} // namespace rcce::libc
