// SPDX-License-Identifier: Apache-2.0
// A UE that is asleep in a system call of the host: an empty pipe, a semaphore, a lock of a file. Nothing in
// simulated time ends that, so where a run has to end the UE is taken out of the call.
#pragma once

#include <string>
#include <ucontext.h>

#include "process/process.hpp"

namespace rcce::run {

/// The call in which the calling signal handler has found the UE asleep, or none: `caller` is null then. None
/// also where it is the runtime that waits, for a lock of its own or for whoever reads the output.
[[nodiscard]] process::HostCall interrupted_call(const Ue& ue, const ucontext_t& context) noexcept;

/// Notes that the UE is taken out of the call, for reports. Locks that the C library holds meanwhile stay
/// taken.
void note_left_call(Ue& ue, const process::HostCall& call) noexcept;
/// True if a UE has been taken out of a call. The process should then end without the C library's exit().
[[nodiscard]] bool was_call_left() noexcept;

/// Has the UE make a call once more that the signal has broken off, where the program's own signals have
/// nothing to do with it: what the kernel does itself for most calls.
void make_again(ucontext_t& context) noexcept;

/// Ends the programs that a process has started and not waited for, and theirs.
void end_children(const std::string& process = "self");

/// "read() called by getchar(), main at prog.c:12 (prog+0x11a2)". Not from a signal handler.
[[nodiscard]] std::string call_text(const Ue& ue, const process::HostCall& call);
/// The same of one that the runtime waits in for the UE, with the descriptor.
[[nodiscard]] std::string call_text(const Ue& ue, const process::AwaitedCall& call);

} // namespace rcce::run
