// SPDX-License-Identifier: Apache-2.0
// Signals that a UE sends itself, and the handlers for them, per UE: raise(), kill() of the own process,
// abort(), faults, its timers; other programs may send them too. Handlers of signals that come from outside
// at any moment (descriptors, children, other programs) are installed in the process, and run on whichever UE
// is at work then. Masks: signal_mask.cpp; the names of older standards: signal_old.cpp.
#include <cerrno>
#include <csignal>
#include <pthread.h>
#include <sys/types.h>
#include <unistd.h>

#include "process/libc/exports.hpp"
#include "process/libc/signals/outside_signals.hpp"
#include "process/run/own_signals.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

constexpr int highest_signal = process::Signals::highest;

/// The UE that sends itself this signal, or null where the C library's own function is wanted.
Ue* receiver(int signal) noexcept {
  if (signal < 1 || signal > highest_signal) return nullptr;
  if (run::comes_from_outside(signal) && has_outside_handler(signal)) return nullptr;
  return calling_ue();
}

} // namespace

extern "C" {

int sigaction(int signal, const struct sigaction* action, struct sigaction* before) noexcept {
  Ue* ue = signal < 1 || signal > highest_signal ? nullptr : calling_ue();
  if (ue == nullptr) return library_function<"sigaction", decltype(sigaction)>()(signal, action, before);
  if (run::comes_from_outside(signal)) return set_outside_handler(*ue, signal, action, before);
  if (action != nullptr && (signal == SIGKILL || signal == SIGSTOP)) return failed(EINVAL);
  struct sigaction& entry = run::signals_of(*ue).actions[static_cast<std::size_t>(signal)];
  const struct sigaction old = entry;
  if (action != nullptr) {
    entry = *action;
    follow_sent(*ue, signal);
  }
  if (before != nullptr) *before = old;
  return 0;
}

sighandler_t signal(int number, sighandler_t handler) noexcept {
  if (calling_ue() == nullptr) return library_function<"signal", decltype(signal)>()(number, handler);
  struct sigaction action {
  }, before{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

// A handler may throw, and its exception passes these: the C library's have no `noexcept` behind their names.
int rockcreek_raise(int number) __asm__("raise");
int rockcreek_kill(pid_t process, int number) __asm__("kill");
int rockcreek_tgkill(pid_t process, pid_t thread, int number) __asm__("tgkill");
int rockcreek_pthread_kill(pthread_t thread, int number) __asm__("pthread_kill");
int rockcreek_sigqueue(pid_t process, int number, union sigval value) __asm__("sigqueue");

int rockcreek_raise(int number) {
  if (Ue* ue = receiver(number)) {
    run::raise_in_ue(*ue, number);
    return 0;
  }
  return library_function<"raise", decltype(raise)>()(number);
}

int rockcreek_kill(pid_t process, int number) {
  if (process == getpid() && receiver(number) != nullptr) return rockcreek_raise(number);
  return library_function<"kill", decltype(kill)>()(process, number);
}

int rockcreek_tgkill(pid_t process, pid_t thread, int number) {
  if (process == getpid() && thread == gettid() && receiver(number) != nullptr)
    return rockcreek_raise(number);
  return library_function<"tgkill", int(pid_t, pid_t, int)>()(process, thread, number);
}

int rockcreek_pthread_kill(pthread_t thread, int number) {
  if (pthread_equal(thread, pthread_self()) != 0 && receiver(number) != nullptr)
    return rockcreek_raise(number);
  return library_function<"pthread_kill", int(pthread_t, int)>()(thread, number);
}

int rockcreek_sigqueue(pid_t process, int number, const union sigval value) {
  Ue* ue = process == getpid() ? receiver(number) : nullptr;
  if (ue == nullptr)
    return library_function<"sigqueue", int(pid_t, int, const union sigval)>()(process, number, value);
  siginfo_t details{};
  details.si_signo = number;
  details.si_code = SI_QUEUE;
  details.si_pid = process;
  details.si_value = value;
  run::raise_in_ue(*ue, number, &details);
  return 0;
}

/// Handlers run on the stack that the runtime has for them.
int sigaltstack(const stack_t* stack, stack_t* before) noexcept {
  Ue* ue = calling_ue();
  if (ue == nullptr) return library_function<"sigaltstack", decltype(sigaltstack)>()(stack, before);
  stack_t& own = run::signals_of(*ue).stack;
  const stack_t old = own;
  if (stack != nullptr) {
    if ((stack->ss_flags & SS_DISABLE) == 0 && stack->ss_size < 2048) { // MINSIGSTKSZ of the interface
      return failed(ENOMEM);
    }
    own = *stack;
  }
  if (before != nullptr) *before = old;
  return 0;
}

} // extern "C"
