// SPDX-License-Identifier: Apache-2.0
// Handlers of signals from outside: one for all UEs, the last that any of them has set. Of signals that a UE
// has for itself, another program's too reach the UE.
#pragma once

#include <csignal>

namespace rcce {
class Job;
struct Ue;
} // namespace rcce

namespace rcce::libc {

/// Acts as sigaction() for such a signal.
int set_outside_handler(Ue& ue, int signal, const struct sigaction* action,
                        struct sigaction* before) noexcept;
/// A UE has set what such a signal, one of its own, does: what another program sends does that too, to the UE
/// at work or to the last that has a handler.
void follow_sent(Ue& ue, int signal) noexcept;
/// True if a UE has set a handler or ignores the signal.
[[nodiscard]] bool has_outside_handler(int signal) noexcept;
/// Calls of such handlers so far.
[[nodiscard]] unsigned outside_handlers_run() noexcept;

/// The thread's mask, and the process's handlers of signals from outside, as they were before a job's UEs.
class OutsideSignals {
 public:
  OutsideSignals() noexcept;
  ~OutsideSignals();
  OutsideSignals(const OutsideSignals&) = delete;
  OutsideSignals& operator=(const OutsideSignals&) = delete;

 private:
  sigset_t mask_;
};

} // namespace rcce::libc
