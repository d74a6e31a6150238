// SPDX-License-Identifier: Apache-2.0
#include "run/own_signals.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include "process/process.hpp"
#include "run/faults.hpp"
#include "run/host_timer.hpp"
#include "ue/job_state.hpp"

rcce::process::Signals::Signals() noexcept {
  sigemptyset(&blocked);
  sigemptyset(&pending);
  sigemptyset(&handled_outside);
}

namespace rcce::run {
namespace {

using process::Signals;

constexpr std::size_t kernel_set_bytes = 8;

bool is_in(const sigset_t& set, int signal) noexcept {
  return sigismember(&set, signal) == 1;
}

const Signals* signals_if_any(const Ue& ue) noexcept {
  return ue.process ? ue.process->c.signals.get() : nullptr;
}

/// Of UEs that take turns on one thread: whoever handles the signal decides, else anybody who blocks it.
bool thread_blocks(Job& job, int signal) noexcept {
  bool anybody = false;
  for (int rank = 0; rank < job.size(); ++rank) {
    const Signals* one = signals_if_any(job.ue(rank));
    if (one == nullptr) continue;
    if (is_in(one->handled_outside, signal)) return is_in(one->blocked, signal);
    anybody = anybody || is_in(one->blocked, signal);
  }
  return anybody;
}

/// Leads the thread's mask after the UE's, as far as signals from outside go.
void follow_mask(Ue& ue) noexcept {
  sigset_t block, unblock;
  sigemptyset(&block);
  sigemptyset(&unblock);
  for (int signal = 1; signal <= Signals::highest; ++signal) {
    if (!comes_from_outside(signal)) continue;
    const bool blocked = ue.engine->concurrent() ? blocks(ue, signal) : thread_blocks(*ue.job, signal);
    sigaddset(blocked ? &block : &unblock, signal);
  }
  // By number: the function is the runtime's, and acts on the UE.
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &block, nullptr, kernel_set_bytes);
  syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &unblock, nullptr, kernel_set_bytes);
}

bool ignored_by_default(int signal) noexcept {
  switch (signal) {
  case SIGCHLD:
  case SIGCONT:
  case SIGURG:
  case SIGWINCH:
  case SIGSTOP: // nobody could let a stopped UE go on
  case SIGTSTP:
  case SIGTTIN:
  case SIGTTOU:
    return true;
  default:
    return false;
  }
}

/// Those that have waited and need not any more, the lowest first, as the kernel has it.
void deliver_pending(Ue& ue) {
  Signals& own = *ue.process->c.signals;
  for (int signal = 1; signal <= Signals::highest; ++signal) {
    if (!is_in(own.pending, signal) || is_in(own.blocked, signal)) continue;
    sigdelset(&own.pending, signal);
    const siginfo_t details = own.details[static_cast<std::size_t>(signal)];
    raise_in_ue(ue, signal, &details);
  }
}

/// The mask while a handler runs; what it was comes back also where the handler throws.
class HandlerMask {
 public:
  HandlerMask(Ue& ue, int signal, const struct sigaction& action) : ue_(ue), before_(signals_of(ue).blocked) {
    sigset_t inside;
    sigorset(&inside, &before_, &action.sa_mask);
    if ((action.sa_flags & SA_NODEFER) == 0) sigaddset(&inside, signal);
    restore_blocked(ue, inside);
  }
  ~HandlerMask() { restore_blocked(ue_, before_); }
  HandlerMask(const HandlerMask&) = delete;
  HandlerMask& operator=(const HandlerMask&) = delete;

 private:
  Ue& ue_;
  sigset_t before_;
};

} // namespace

bool comes_from_outside(int signal) noexcept {
  switch (signal) {
  case SIGVTALRM:
  case SIGPROF:
  case SIGIO:
  case SIGCHLD:
    return true;
  default:
    return signal >= SIGRTMIN && signal <= SIGRTMAX && signal != tick_signal();
  }
}

Signals& signals_of(Ue& ue) {
  std::unique_ptr<Signals>& own = ue.process->c.signals;
  if (!own) own = std::make_unique<Signals>();
  return *own;
}

bool blocks(const Ue& ue, int signal) noexcept {
  const Signals* own = signals_if_any(ue);
  return own != nullptr && is_in(own->blocked, signal);
}

void restore_blocked(Ue& ue, const sigset_t& blocked) noexcept {
  Signals& own = signals_of(ue);
  bool outside = false;
  for (int signal = 1; signal <= Signals::highest; ++signal)
    outside = outside || (comes_from_outside(signal) && is_in(own.blocked, signal) != is_in(blocked, signal));
  own.blocked = blocked;
  sigdelset(&own.blocked, SIGKILL);
  sigdelset(&own.blocked, SIGSTOP);
  if (outside) follow_mask(ue);
}

void set_blocked(Ue& ue, const sigset_t& blocked) {
  restore_blocked(ue, blocked);
  deliver_pending(ue);
}

void unblock(Ue& ue, int signal) {
  if (!blocks(ue, signal)) return;
  sigset_t left = ue.process->c.signals->blocked;
  sigdelset(&left, signal);
  set_blocked(ue, left);
}

bool has_handler(const Ue& ue, int signal) noexcept {
  const Signals* own = signals_if_any(ue);
  if (own == nullptr) return false;
  const struct sigaction& action = own->actions[static_cast<std::size_t>(signal)];
  return (action.sa_flags & SA_SIGINFO) != 0 ||
      (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

void run_handler(Ue& ue, int signal, siginfo_t* details, void* context) {
  Signals& own = *ue.process->c.signals;
  struct sigaction& entry = own.actions[static_cast<std::size_t>(signal)];
  const struct sigaction action = entry;
  if ((action.sa_flags & SA_RESETHAND) != 0) entry = {};
  own.handlers_run = own.handlers_run + 1;
  {
    const HandlerMask mask(ue, signal, action);
    if ((action.sa_flags & SA_SIGINFO) != 0)
      action.sa_sigaction(signal, details, context);
    else
      action.sa_handler(signal);
  }
  deliver_pending(ue);
}

bool raise_in_ue(Ue& ue, int signal, const siginfo_t* details) {
  siginfo_t told{};
  told.si_signo = signal;
  told.si_code = SI_TKILL;
  if (details != nullptr) told = *details;
  const Signals* own = signals_if_any(ue);
  if (blocks(ue, signal)) {
    Signals& keeps = signals_of(ue);
    if (!is_in(keeps.pending, signal)) keeps.details[static_cast<std::size_t>(signal)] = told;
    sigaddset(&keeps.pending, signal);
    return false;
  }
  if (has_handler(ue, signal)) {
    run_handler(ue, signal, &told, nullptr);
    return true;
  }
  const bool ignored = own != nullptr && own->actions[static_cast<std::size_t>(signal)].sa_handler == SIG_IGN;
  if (!ignored && !ignored_by_default(signal)) crash_ue(ue, signal);
  return false;
}

bool handles_outside(Job& job) noexcept {
  for (int rank = 0; rank < job.size(); ++rank) {
    const Signals* own = signals_if_any(job.ue(rank));
    if (own != nullptr && sigisemptyset(&own->handled_outside) == 0) return true;
  }
  return false;
}

void forget_signals(Ue& ue) noexcept {
  if (signals_if_any(ue) == nullptr) return;
  sigset_t none;
  sigemptyset(&none);
  sigemptyset(&ue.process->c.signals->handled_outside);
  restore_blocked(ue, none);
}

} // namespace rcce::run
