// SPDX-License-Identifier: Apache-2.0
// Signals that a UE sends itself, and the handlers for them, per UE: raise(), kill() of the own process,
// abort(), faults, its alarm. Handlers of signals that come from outside at any moment
// (descriptors, children, timers of the host) are installed in the process as they are, and run on whichever
// UE is at work then.
#include <cerrno>
#include <csignal>
#include <pthread.h>
#include <sys/types.h>
#include <unistd.h>

#include "libc/exports.hpp"
#include "run/faults.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

constexpr int highest_signal = 64;

bool comes_from_outside(int signal) noexcept {
  switch (signal) {
  case SIGVTALRM:
  case SIGPROF:
  case SIGIO:
  case SIGCHLD:
    return true;
  default:
    return signal >= SIGRTMIN;
  }
}

/// The UE whose table of handlers a signal's handler is kept in, or null for the process's.
Ue* keeper(int signal) noexcept {
  Ue* ue = signal < 1 || signal > highest_signal ? nullptr : calling_ue();
  return ue == nullptr || comes_from_outside(signal) ? nullptr : ue;
}

} // namespace

extern "C" {

int sigaction(int signal, const struct sigaction* action, struct sigaction* before) noexcept {
  Ue* ue = keeper(signal);
  if (ue == nullptr) {
    static auto* const real =
        real_function<int(int, const struct sigaction*, struct sigaction*)>("sigaction");
    return real(signal, action, before);
  }
  if (action != nullptr && (signal == SIGKILL || signal == SIGSTOP)) {
    errno = EINVAL;
    return -1;
  }
  CLibrary& c = ue->process->c;
  if (!c.signal_actions) c.signal_actions = std::make_unique<process::SignalTable>();
  struct sigaction& entry = (*c.signal_actions)[static_cast<std::size_t>(signal)];
  const struct sigaction old = entry;
  if (action != nullptr) entry = *action;
  if (before != nullptr) *before = old;
  return 0;
}

sighandler_t signal(int number, sighandler_t handler) noexcept {
  Ue* ue = keeper(number);
  if (ue == nullptr) {
    static auto* const real = real_function<sighandler_t(int, sighandler_t)>("signal");
    return real(number, handler);
  }
  struct sigaction action {
  }, before{};
  action.sa_handler = handler;
  return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

int raise(int number) noexcept {
  if (Ue* ue = calling_ue(); ue != nullptr && number >= 1 && number <= highest_signal) {
    run::raise_in_ue(*ue, number);
    return 0;
  }
  static auto* const real = real_function<int(int)>("raise");
  return real(number);
}

int kill(pid_t process, int number) noexcept {
  if (process == getpid() && number != 0 && calling_ue() != nullptr) return raise(number);
  static auto* const real = real_function<int(pid_t, int)>("kill");
  return real(process, number);
}

int pthread_kill(pthread_t thread, int number) noexcept {
  if (number != 0 && calling_ue() != nullptr && pthread_equal(thread, pthread_self()) != 0)
    return raise(number);
  static auto* const real = real_function<int(pthread_t, int)>("pthread_kill");
  return real(thread, number);
}

} // extern "C"
