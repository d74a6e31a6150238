// SPDX-License-Identifier: Apache-2.0
// Handlers of signals from outside: one for all UEs, the last that any of them has set.
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
