// SPDX-License-Identifier: Apache-2.0
#include "process/run/interrupt.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/host/clock.hpp"
#include "process/run/host_timer.hpp"
#include "rcce_emu/statuses.hpp"

namespace rcce::run {
namespace {

/// Host time within which a second signal is the same wish as the first: `timeout`, shells and terminals
/// signal a process and its group.
constexpr std::int64_t same_wish = second / 2;
/// Runs in progress that an interrupt has to reach, by their thread; 0: free.
std::array<std::atomic<pid_t>, 256> running_threads{};
// The time is what decides which signal is the first: another thread may handle the next one meanwhile,
// and must never see a first one that has no time yet.
std::atomic<std::int64_t> noted_since{0}; // host time of the first one; 0: none has come
std::atomic<int> noted_signal{0};
std::atomic<int> noted_rank{-1};    // that has received it; -1: it came from outside
std::atomic<pid_t> noted_sender{0}; // of one from outside; 0: none is known

std::mutex handlers; // of the host, while at least one run is on
int runs_entered = 0;
struct sigaction previous_tick;
std::array<struct sigaction, ending_signals.size()> previous_endings;

void note_interrupt(int signal) {
  const int error = errno;
  const std::int64_t now = host::nanoseconds();
  std::int64_t first = 0;
  if (noted_since.compare_exchange_strong(first, now))
    noted_signal = signal;
  else if (now - first > same_wish)
    syscall(SYS_exit_group, status_signal + signal); // the second time: at once
  for (const auto& thread : running_threads)
    if (const pid_t id = thread; id != 0) syscall(SYS_tgkill, getpid(), id, tick_signal());
  errno = error;
}

void handle_interrupt(int signal, siginfo_t* info, void*) {
  if (noted_since == 0) noted_sender = info->si_code == SI_USER ? info->si_pid : 0;
  note_interrupt(signal);
}

void install(void (*tick)(int, siginfo_t*, void*)) {
  noted_since = 0;
  noted_signal = 0;
  noted_rank = -1;
  noted_sender = 0;
  struct sigaction action {};
  action.sa_sigaction = tick;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigaction(tick_signal(), &action, &previous_tick);
  struct sigaction interrupt {};
  interrupt.sa_sigaction = &handle_interrupt;
  interrupt.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  const auto ours = [](const struct sigaction& before) {
    return before.sa_handler == SIG_DFL || before.sa_sigaction == &handle_interrupt;
  };
  for (std::size_t i = 0; i < ending_signals.size(); ++i) {
    sigaction(ending_signals[i], nullptr, &previous_endings[i]);
    if (ours(previous_endings[i])) sigaction(ending_signals[i], &interrupt, nullptr);
  }
}

} // namespace

int enter_interrupts(pid_t thread, void (*tick)(int, siginfo_t*, void*)) {
  {
    const std::lock_guard lock(handlers);
    if (runs_entered++ == 0) install(tick);
  }
  for (std::size_t i = 0; i < running_threads.size(); ++i) {
    pid_t free = 0;
    if (running_threads[i].compare_exchange_strong(free, thread)) return static_cast<int>(i);
  }
  return -1;
}

void leave_interrupts(int place) {
  if (place >= 0) running_threads[static_cast<std::size_t>(place)] = 0;
  const std::lock_guard lock(handlers);
  if (--runs_entered > 0) return;
  // The report of a run that a signal has ended is yet to be shown: a second one must not take it away.
  if (noted_since == 0)
    for (std::size_t i = 0; i < ending_signals.size(); ++i)
      sigaction(ending_signals[i], &previous_endings[i], nullptr);
  // A tick that is still on its way finds nobody and must not end the process.
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(tick_signal(), &ignore, nullptr);
}

int interrupt_signal() noexcept {
  return noted_signal;
}
int interrupted_rank() noexcept {
  return noted_rank;
}
pid_t interrupt_sender() noexcept {
  return noted_sender;
}

void end_runs_by(int signal, int rank) noexcept {
  noted_rank = rank;
  note_interrupt(signal);
}

} // namespace rcce::run
