// SPDX-License-Identifier: Apache-2.0
#include "process/run/own_signals.hpp"

#include <algorithm>
#include <climits>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "engine/ue/job_state.hpp"
#include "process/process.hpp"
#include "process/run/faults.hpp"
#include "process/run/host_timer.hpp"

rcce::process::Signals::Signals() noexcept {
  sigemptyset(&blocked);
  sigemptyset(&pending);
  stack.ss_flags = SS_DISABLE; // as the system says of none
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

/// True if the thread must block the signal, for UEs that take turns on one thread: the UE that handles the
/// signal decides, otherwise any that blocks it.
bool thread_blocks(Job& job, int signal) noexcept {
  const Job::OutsideSignal& outside = job.outside_signal(signal);
  return outside.handler >= 0 ? blocks(job.ue(outside.handler), signal) : outside.blockers > 0;
}

/// Leads the thread's mask after the UE's, of which these signals from outside have changed.
void follow_mask(Ue& ue, const sigset_t& changed) noexcept {
  sigset_t block, unblock;
  sigemptyset(&block);
  sigemptyset(&unblock);
  for (int signal = 1; signal <= Signals::highest; ++signal) {
    if (!is_in(changed, signal)) continue;
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

/// The timer that has sent this, or null.
process::Timer* timer_of(const Ue& ue, const siginfo_t& details) noexcept {
  const process::Timers* const timers = ue.process->c.alarm.get();
  if (timers == nullptr) return nullptr;
  std::size_t place = timers->all.size();
  if (details.si_code == SI_TIMER)
    place = process::Timers::intervals + static_cast<std::size_t>(details.si_timerid);
  else if (details.si_code == SI_KERNEL && details.si_signo == SIGALRM)
    place = ITIMER_REAL;
  else if (details.si_code == SI_KERNEL && details.si_signo == SIGVTALRM)
    place = ITIMER_VIRTUAL;
  else if (details.si_code == SI_KERNEL && details.si_signo == SIGPROF)
    place = ITIMER_PROF;
  return place < timers->all.size() ? timers->all[place].get() : nullptr;
}

/// The signal reaches the UE: a timer that has sent it says for how many it stands, and goes on.
void tell_timer(Ue& ue, siginfo_t& details) noexcept {
  process::Timer* const timer = timer_of(ue, details);
  if (timer == nullptr || !timer->waits) return;
  timer->waits = false;
  if (!ue.engine->wall_clock()) {
    const Picoseconds missed = timer->period == 0 ? 0 : (ue.core->now() - timer->at) / timer->period;
    timer->overruns = static_cast<int>(std::min<Picoseconds>(missed, INT_MAX));
    timer->at = timer->period == 0 ? INT64_MAX : timer->at + (missed + 1) * timer->period;
    ue.engine->wake_progress_at(timer->at);
  }
  if (details.si_code == SI_TIMER) details.si_overrun = timer->overruns;
}

/// Keeps a signal that the mask holds back. As the kernel has it, those of lower numbers wait once only, but
/// for those of timers. Returns false where it is dropped.
bool keep(Signals& own, const siginfo_t& details) noexcept {
  const int signal = details.si_signo;
  const bool once = signal < SIGRTMIN && details.si_code != SI_TIMER && is_in(own.pending, signal);
  if (once || own.waiting_count == own.waiting.size()) return false;
  own.waiting[own.waiting_count] = details;
  own.waiting_count = own.waiting_count + 1;
  sigaddset(&own.pending, signal);
  return true;
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
  sigset_t changed;
  sigemptyset(&changed);
  bool any = false; // glibc's sigisemptyset() sees no real-time signal
  for (int signal = 1; signal <= Signals::highest; ++signal) {
    const bool now = is_in(blocked, signal);
    if (is_in(own.blocked, signal) == now || !comes_from_outside(signal)) continue;
    any = sigaddset(&changed, signal) == 0;
    if (!ue.engine->concurrent()) ue.job->outside_signal(signal).blockers += now ? 1 : -1;
  }
  own.blocked = blocked;
  sigdelset(&own.blocked, SIGKILL);
  sigdelset(&own.blocked, SIGSTOP);
  if (any) follow_mask(ue, changed);
}

void set_blocked(Ue& ue, const sigset_t& blocked) {
  restore_blocked(ue, blocked);
  deliver_pending(ue);
}

/// The lowest first, as the kernel has it.
bool deliver_pending(Ue& ue) {
  if (signals_if_any(ue) == nullptr) return false;
  Signals& own = *ue.process->c.signals;
  bool any = false;
  for (int signal = 1; signal <= Signals::highest; ++signal)
    while (is_in(own.pending, signal) && !is_in(own.blocked, signal)) {
      any = true;
      const siginfo_t details = take_waiting(ue, signal);
      raise_in_ue(ue, signal, &details);
    }
  return any;
}

bool has_pending(const Ue& ue) noexcept {
  const Signals* const own = signals_if_any(ue);
  for (int signal = 1; own != nullptr && own->waiting_count > 0 && signal <= Signals::highest; ++signal)
    if (is_in(own->pending, signal) && !is_in(own->blocked, signal)) return true;
  return false;
}

void keep_pending(Ue& ue, const siginfo_t& details) noexcept {
  siginfo_t told = details;
  if (!keep(signals_of(ue), told)) tell_timer(ue, told);
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
  told.si_code = SI_TKILL;
  if (details != nullptr) told = *details;
  told.si_signo = signal;
  if (blocks(ue, signal)) {
    if (!keep(signals_of(ue), told)) tell_timer(ue, told);
    return false;
  }
  tell_timer(ue, told);
  if (has_handler(ue, signal)) {
    run_handler(ue, signal, &told, nullptr);
    return true;
  }
  if (!ignores(ue, signal)) crash_ue(ue, signal);
  return false;
}

bool expects_handler(const Ue& ue) noexcept {
  const process::Timers* const timers = ue.process->c.alarm.get();
  return timers != nullptr && std::any_of(timers->all.begin(), timers->all.end(), [&ue](const auto& one) {
           return one != nullptr && one->signal != 0 && one->at != INT64_MAX &&
               has_handler(ue, one->signal) && !blocks(ue, one->signal);
         });
}

bool ignores(const Ue& ue, int signal) noexcept {
  const Signals* own = signals_if_any(ue);
  return ignored_by_default(signal) ||
      (own != nullptr && own->actions[static_cast<std::size_t>(signal)].sa_handler == SIG_IGN);
}

siginfo_t take_waiting(Ue& ue, int signal) noexcept {
  Signals& own = *ue.process->c.signals;
  const auto end = own.waiting.begin() + static_cast<std::ptrdiff_t>(own.waiting_count);
  const auto is_one = [signal](const siginfo_t& one) { return one.si_signo == signal; };
  const auto found = std::find_if(own.waiting.begin(), end, is_one);
  siginfo_t details = *found;
  std::copy(found + 1, end, found);
  own.waiting_count = own.waiting_count - 1;
  if (std::none_of(found, end - 1, is_one)) sigdelset(&own.pending, signal);
  tell_timer(ue, details);
  return details;
}

bool handles_outside(Job& job) noexcept {
  for (int signal = 1; signal <= Signals::highest; ++signal)
    if (job.outside_signal(signal).handler >= 0) return true;
  return false;
}

void forget_signals(Ue& ue) noexcept {
  if (process::Timers* const timers = ue.process ? ue.process->c.alarm.get() : nullptr)
    for (const std::unique_ptr<process::Timer>& timer : timers->all) {
      if (timer == nullptr) continue;
      timer->at = INT64_MAX;
      if (timer->host) stop_timer(*timer->host);
    }
  if (signals_if_any(ue) == nullptr) return;
  sigset_t none;
  sigemptyset(&none);
  for (int signal = 1; signal <= Signals::highest; ++signal) {
    int own = ue.rank;
    ue.job->outside_signal(signal).handler.compare_exchange_strong(own, -1);
  }
  restore_blocked(ue, none);
}

} // namespace rcce::run
