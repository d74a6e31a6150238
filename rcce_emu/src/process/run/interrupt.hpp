// SPDX-License-Identifier: Apache-2.0
// Signals that end a run, while jobs run: the first is noted and told to the thread of each run by a tick, a
// second one ends the process.
#pragma once

#include <array>
#include <csignal>
#include <sys/types.h>

namespace rcce::run {

/// By which people, their terminals and their batch systems end a run.
inline constexpr std::array ending_signals{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU};

/// A run begins on this thread: its ticks are handled by `tick`, which is the same for all runs. Returns its
/// place, -1 where there is none left.
[[nodiscard]] int enter_interrupts(pid_t thread, void (*tick)(int, siginfo_t*, void*));
/// The run with that place has ended.
void leave_interrupts(int place);

/// The signal that is to end the runs; 0: none has come since the first of those that run began.
[[nodiscard]] int interrupt_signal() noexcept;
/// The UE that has received it; -1: it came from outside.
[[nodiscard]] int interrupted_rank() noexcept;
/// The process that has sent it from outside; 0: none is known.
[[nodiscard]] pid_t interrupt_sender() noexcept;

/// A signal that a UE has received ends its run, as one from outside would. From a signal handler too.
void end_runs_by(int signal, int rank) noexcept;

} // namespace rcce::run
