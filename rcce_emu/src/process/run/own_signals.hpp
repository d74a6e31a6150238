// SPDX-License-Identifier: Apache-2.0
// Signals as a UE has them: those that it sends itself or that its timers bring, its mask, and those that
// wait for the mask to let them through. Signals from outside (descriptors, children, timers of the host)
// reach the thread; of these alone the thread's own mask follows the UEs'.
#pragma once

#include <csignal>

#include "engine/ue/ue.hpp"

namespace rcce::process {
struct Signals;
}

namespace rcce::run {

/// The UE's, made at its first use.
[[nodiscard]] process::Signals& signals_of(Ue& ue);

/// Comes at any moment and from anybody: its handler is the process's, and runs on whichever UE is at work.
[[nodiscard]] bool comes_from_outside(int signal) noexcept;

[[nodiscard]] bool blocks(const Ue& ue, int signal) noexcept;
/// The UE's mask from now on; delivers what has waited for that, and may not return.
void set_blocked(Ue& ue, const sigset_t& blocked);
void unblock(Ue& ue, int signal);
/// Delivers what waits and need not any more; returns whether there was any.
bool deliver_pending(Ue& ue);
/// True if there is any.
[[nodiscard]] bool has_pending(const Ue& ue) noexcept;
/// Keeps a signal until deliver_pending(). From a signal handler too, where nothing of the UE's is half done.
void keep_pending(Ue& ue, const siginfo_t& details) noexcept;
/// set_blocked() without delivering: where a handler is left by a jump.
void restore_blocked(Ue& ue, const sigset_t& blocked) noexcept;

/// The UE gets a signal: keeps it where the mask wants that, runs the handler that the UE has set, ignores
/// it, or does not return. `details`: null where raise() would give none. Returns whether a handler has run.
bool raise_in_ue(Ue& ue, int signal, const siginfo_t* details = nullptr);
/// The first of those that wait for the mask under this number, which does not wait any more. There is one.
siginfo_t take_waiting(Ue& ue, int signal) noexcept;
/// Calls the UE's handler, under the mask that it has asked for. There is one.
void run_handler(Ue& ue, int signal, siginfo_t* details, void* context);
/// True if the UE has a handler of its own for it.
[[nodiscard]] bool has_handler(const Ue& ue, int signal) noexcept;
/// True if one of its timers is on whose signal its handler would get.
[[nodiscard]] bool expects_handler(const Ue& ue) noexcept;
/// True if the signal does nothing to the UE, by the UE's wish or by default.
[[nodiscard]] bool ignores(const Ue& ue, int signal) noexcept;

/// True if a UE has a handler for a signal from outside.
[[nodiscard]] bool handles_outside(Job& job) noexcept;

/// The UE ends: it blocks nothing any more, and its timers stop.
void forget_signals(Ue& ue) noexcept;

} // namespace rcce::run
