// SPDX-License-Identifier: Apache-2.0
// Handlers and masks of signals by the names of older standards (BSD, System V), in terms of the present
// ones.
#include <cerrno>
#include <csignal>

#include "process/libc/exports.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

sigset_t set_of(int mask) noexcept {
  sigset_t set;
  sigemptyset(&set);
  set.__val[0] = static_cast<unsigned>(mask);
  return set;
}

int change_one(int how, int signal) noexcept {
  sigset_t one;
  sigemptyset(&one);
  return sigaddset(&one, signal) == 0 ? sigprocmask(how, &one, nullptr) : -1;
}

int change_by(int how, int mask) noexcept {
  const sigset_t change = set_of(mask);
  sigset_t before;
  return sigprocmask(how, &change, &before) == 0 ? static_cast<int>(before.__val[0]) : -1;
}

int suspend_without(int signal) {
  sigset_t mask;
  sigprocmask(SIG_BLOCK, nullptr, &mask);
  if (sigdelset(&mask, signal) != 0) return -1;
  return sigsuspend(&mask);
}

} // namespace

extern "C" {

sighandler_t bsd_signal(int number, sighandler_t handler) noexcept {
  return signal(number, handler);
}
sighandler_t ssignal(int number, sighandler_t handler) noexcept {
  return signal(number, handler);
}
int gsignal(int number) noexcept {
  return raise(number);
}

sighandler_t sysv_signal(int number, sighandler_t handler) noexcept {
  struct sigaction action {
  }, before{};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}
sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  return sysv_signal(number, handler);
}

int sighold(int signal) noexcept {
  return change_one(SIG_BLOCK, signal);
}
int sigrelse(int signal) noexcept {
  return change_one(SIG_UNBLOCK, signal);
}
int sigignore(int number) noexcept {
  return signal(number, SIG_IGN) == SIG_ERR ? -1 : 0;
}
sighandler_t sigset(int number, sighandler_t handler) noexcept {
  sigset_t mask;
  sigprocmask(SIG_BLOCK, nullptr, &mask);
  const bool blocked = sigismember(&mask, number) == 1;
  if (handler == SIG_HOLD) {
    struct sigaction now {};
    if (sigaction(number, nullptr, &now) != 0 || change_one(SIG_BLOCK, number) != 0) return SIG_ERR;
    return blocked ? SIG_HOLD : now.sa_handler;
  }
  const sighandler_t before = signal(number, handler);
  if (before == SIG_ERR || change_one(SIG_UNBLOCK, number) != 0) return SIG_ERR;
  return blocked ? SIG_HOLD : before;
}

int sigblock(int mask) noexcept {
  return change_by(SIG_BLOCK, mask);
}
int sigsetmask(int mask) noexcept {
  return change_by(SIG_SETMASK, mask);
}
int siggetmask() noexcept {
  return change_by(SIG_BLOCK, 0);
}

int __xpg_sigpause(int signal) {
  return suspend_without(signal);
}
int __sigpause(int signal_or_mask, int is_signal) {
  if (is_signal != 0) return suspend_without(signal_or_mask);
  const sigset_t mask = set_of(signal_or_mask);
  return sigsuspend(&mask);
}
int rockcreek_sigpause(int mask) __asm__("sigpause");
int rockcreek_sigpause(int mask) {
  return __sigpause(mask, 0);
}

int siginterrupt(int number, int interrupts) noexcept {
  struct sigaction action {};
  if (sigaction(number, nullptr, &action) != 0) return -1;
  if (interrupts != 0)
    action.sa_flags &= ~SA_RESTART;
  else
    action.sa_flags |= SA_RESTART;
  return sigaction(number, &action, nullptr);
}

} // extern "C"
