// SPDX-License-Identifier: Apache-2.0
#include "process/libc/signals/outside_signals.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/ue/job_state.hpp"
#include "process/libc/exports.hpp"
#include "process/run/interrupt.hpp"
#include "process/run/last_words.hpp"
#include "process/run/own_signals.hpp"

namespace rcce::libc {
namespace {

std::array<struct sigaction, process::Signals::highest + 1> outside_actions{}; // of UEs
std::array<std::atomic<pid_t>, process::Signals::highest + 1> threads{};       // of those UEs
std::array<std::atomic<bool>, process::Signals::highest + 1> set_by_ue{};
std::atomic<unsigned> outside_calls{0};

int sigaction_of_process(int signal, const struct sigaction* action, struct sigaction* before) noexcept {
  return library_function<"sigaction", int(int, const struct sigaction*, struct sigaction*)>()(signal, action,
                                                                                               before);
}

/// True if another thread was meant. If UEs are threads, the kernel chooses any of them; the one whose
/// handler it is has the mask for it.
bool was_for_other(int signal, const siginfo_t& details) noexcept {
  const pid_t thread = threads[static_cast<std::size_t>(signal)];
  if (thread == gettid()) return false;
  siginfo_t copy = details;
  copy.si_code = SI_QUEUE; // as it is the kernel takes it from a process's first thread only
  if (syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, signal, &details) != 0)
    syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, signal, &copy);
  return true;
}

/// Programs that the runtime starts for its reports end too.
bool is_over(const Ue* ue) noexcept {
  return ue == nullptr || ue->job->stop_status() != 0 || run::is_crash_told();
}

void handle_outside(int signal, siginfo_t* details, void* context) {
  if (was_for_other(signal, *details) || is_over(current_ue())) return;
  const struct sigaction action = outside_actions[static_cast<std::size_t>(signal)];
  if ((action.sa_flags & SA_RESETHAND) != 0) set_by_ue[static_cast<std::size_t>(signal)] = false;
  outside_calls.fetch_add(1, std::memory_order_relaxed);
  if ((action.sa_flags & SA_SIGINFO) != 0)
    action.sa_sigaction(signal, details, context);
  else
    action.sa_handler(signal);
}

std::array<std::atomic<Ue*>, process::Signals::highest + 1>
    setters{}; // of signals that UEs have for themselves

bool acts_on(const Ue& ue, int signal) noexcept {
  return run::has_handler(ue, signal) || run::blocks(ue, signal) || run::ignores(ue, signal);
}

void handle_sent(int signal, siginfo_t* details, void* context) {
  const int error = errno;
  Ue* ue = current_ue();
  if (was_for_other(signal, *details) || is_over(ue)) return;
  Ue* const setter = setters[static_cast<std::size_t>(signal)];
  if (ue != setter && !acts_on(*ue, signal) && acts_on(*setter, signal)) {
    run::keep_pending(*setter, *details);
    setter->job->note_alarm();
    setter->engine->wake_progress_at(0); // which takes it out of its wait
  } else if (run::blocks(*ue, signal) ||
             (run::has_handler(*ue, signal) && ue->engine->concurrent() &&
              ue->engine->interrupt_wait(ue->core->id(), 0)))
    run::keep_pending(*ue, *details);
  else if (run::has_handler(*ue, signal))
    run::run_handler(*ue, signal, details, context);
  else if (!run::ignores(*ue, signal))
    run::end_runs_by(signal, ue->rank);
  errno = error;
}

/// Nobody else's: the runtime has its own handlers for faults, for what ends a run, and for timers.
bool reaches_by_process(const Ue& ue, int signal) noexcept {
  constexpr std::array others{SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE, SIGILL,
                              SIGABRT, SIGINT,  SIGTERM, SIGHUP, SIGPIPE};
  return signal < SIGRTMIN && std::ranges::find(others, signal) == others.end() &&
      !(signal == SIGALRM && ue.engine->wall_clock());
}

bool is_function(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 ||
      (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

/// While it runs the thread blocks only what the runtime can do without.
sigset_t harmless(const sigset_t& mask) noexcept {
  sigset_t left;
  sigemptyset(&left);
  for (int signal = 1; signal <= process::Signals::highest; ++signal)
    if (run::comes_from_outside(signal) && sigismember(&mask, signal) == 1) sigaddset(&left, signal);
  return left;
}

} // namespace

int set_outside_handler(Ue& ue, int signal, const struct sigaction* action,
                        struct sigaction* before) noexcept {
  const auto index = static_cast<std::size_t>(signal);
  struct sigaction& own = run::signals_of(ue).actions[index]; // what the UE's own timers call
  const struct sigaction old = own;
  if (action != nullptr) {
    struct sigaction installed = *action;
    if (is_function(*action)) {
      outside_actions[index] = *action;
      threads[index] = gettid();
      installed.sa_sigaction = handle_outside;
      installed.sa_flags |= SA_SIGINFO;
      installed.sa_mask = harmless(action->sa_mask);
    }
    if (sigaction_of_process(signal, &installed, nullptr) != 0) return -1;
    set_by_ue[index] = is_function(*action) || action->sa_handler == SIG_IGN;
    own = *action;
    ue.job->outside_signal(signal).handler = is_function(*action) ? ue.rank : -1;
  }
  if (before != nullptr) *before = old;
  return 0;
}

void follow_sent(Ue& ue, int signal) noexcept {
  if (!reaches_by_process(ue, signal)) return;
  const auto index = static_cast<std::size_t>(signal);
  const struct sigaction& own = run::signals_of(ue).actions[index];
  if (!is_function(own) && own.sa_handler != SIG_IGN && !set_by_ue[index]) return;
  threads[index] = gettid();
  setters[index] = &ue;
  set_by_ue[index] = true;
  struct sigaction installed {};
  installed.sa_sigaction = handle_sent;
  installed.sa_flags = SA_SIGINFO | SA_NODEFER | (own.sa_flags & SA_RESTART); // a handler may leave by a jump
  sigaction_of_process(signal, &installed, nullptr);
}

bool has_outside_handler(int signal) noexcept {
  return set_by_ue[static_cast<std::size_t>(signal)];
}

unsigned outside_handlers_run() noexcept {
  return outside_calls.load(std::memory_order_relaxed);
}

OutsideSignals::OutsideSignals() noexcept {
  pthread_sigmask(SIG_SETMASK, nullptr, &mask_);
}

OutsideSignals::~OutsideSignals() {
  for (std::size_t signal = 1; signal < set_by_ue.size(); ++signal) {
    if (!set_by_ue[signal].exchange(false)) continue;
    struct sigaction now {};
    sigaction_of_process(static_cast<int>(signal), nullptr, &now);
    const bool own = now.sa_sigaction == handle_outside || now.sa_sigaction == handle_sent;
    if (is_function(now) && !own) continue; // of the process that runs the job, which has it back
    struct sigaction none {};
    none.sa_handler = SIG_IGN; // one that is still on its way finds nobody
    sigaction_of_process(static_cast<int>(signal), &none, nullptr);
    if (signal == SIGCHLD) none.sa_handler = SIG_DFL, sigaction_of_process(SIGCHLD, &none, nullptr);
  }
  pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
}

} // namespace rcce::libc
