// SPDX-License-Identifier: Apache-2.0
// syscall() and clone() for UEs: what would end, double or replace the process of all UEs acts on the UE
// alone, or is refused. The program's and its libraries' references lead here (dynamic.cpp); the runtime's
// own calls do not. System calls that a program makes by an instruction of its own pass by.
#include "process/libc/state/raw_calls.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include <fmt/format.h>

#include "process/libc/exports.hpp"
#include "process/run/output.hpp"

namespace rcce::libc {
namespace {

struct RawCall {
  long number;
  const char* name;
  const char* reason; ///< null: it ends the UE
};

constexpr const char* own_signals = "because handlers of signals are each UE's own; use sigaction()";
constexpr const char* own_timers =
    "because a UE's timers go by its own clock; use timer_create() or setitimer()";

constexpr const char *one_view =
                         "because a UE lives in a process of the runtime's, whose name spaces these are",
                     *one_filter =
                         "because a UE lives in a process of the runtime's, which the filter would end";

constexpr std::array<RawCall, 15> calls{{{SYS_exit, "syscall(SYS_exit)", nullptr},
                                         {SYS_exit_group, "syscall(SYS_exit_group)", nullptr},
                                         {SYS_fork, "syscall(SYS_fork)", one_process},
                                         {SYS_vfork, "syscall(SYS_vfork)", one_process},
                                         {SYS_clone, "syscall(SYS_clone)", one_process},
                                         {SYS_clone3, "syscall(SYS_clone3)", one_process},
                                         {SYS_execve, "syscall(SYS_execve)", not_another},
                                         {SYS_execveat, "syscall(SYS_execveat)", not_another},
                                         {SYS_unshare, "syscall(SYS_unshare)", one_view},
                                         {SYS_setns, "syscall(SYS_setns)", one_view},
                                         {SYS_seccomp, "syscall(SYS_seccomp)", one_filter},
                                         {SYS_rt_sigaction, "syscall(SYS_rt_sigaction)", own_signals},
                                         {SYS_timer_create, "syscall(SYS_timer_create)", own_timers},
                                         {SYS_timerfd_create, "syscall(SYS_timerfd_create)", own_timers},
                                         {SYS_setitimer, "syscall(SYS_setitimer)", own_timers}}};

void notify_end(Ue& ue, const char* name) {
  ue.process->c.output->tell(ue, fmt::format(" called {}: it ends this UE only, as _exit() does", name));
}

/// The kernel's sets have 8 bytes, those of the C library more.
long mask_call(int how, const void* change, void* before) {
  constexpr std::size_t kernel_bytes = 8;
  sigset_t wanted, old;
  sigemptyset(&wanted);
  if (change != nullptr) std::memcpy(&wanted, change, kernel_bytes);
  if (sigprocmask(how, change == nullptr ? nullptr : &wanted, &old) != 0) return -1;
  if (before != nullptr) std::memcpy(before, &old, kernel_bytes);
  return 0;
}

/// Clocks and sleeping, which are the UE's; nothing for another call.
std::optional<long> clock_call(long number, long a, long b, long c, long d) {
  switch (number) {
  case SYS_time:
    return time(reinterpret_cast<time_t*>(a));
  case SYS_gettimeofday:
    return gettimeofday(reinterpret_cast<timeval*>(a), reinterpret_cast<void*>(b));
  case SYS_clock_gettime:
    return clock_gettime(static_cast<clockid_t>(a), reinterpret_cast<timespec*>(b));
  case SYS_times:
    return times(reinterpret_cast<tms*>(a));
  case SYS_getrusage:
    return getrusage(static_cast<__rusage_who_t>(a), reinterpret_cast<rusage*>(b));
  case SYS_nanosleep:
    return nanosleep(reinterpret_cast<const timespec*>(a), reinterpret_cast<timespec*>(b));
  case SYS_clock_nanosleep: {
    const int error = clock_nanosleep(static_cast<clockid_t>(a), static_cast<int>(b),
                                      reinterpret_cast<const timespec*>(c), reinterpret_cast<timespec*>(d));
    if (error != 0) errno = error;
    return error == 0 ? 0 : -1;
  }
  case SYS_alarm:
    return alarm(static_cast<unsigned>(a));
  case SYS_pause:
    return pause();
  default:
    return {};
  }
}

long raw_call(long number, long a, long b, long c, long d, long e, long f) {
  Ue* const ue = calling_ue();
  if (ue != nullptr && number == SYS_rt_sigprocmask)
    return mask_call(static_cast<int>(a), reinterpret_cast<const void*>(b), reinterpret_cast<void*>(c));
  if (ue != nullptr)
    if (const std::optional<long> told = clock_call(number, a, b, c, d)) return *told;
  for (const RawCall& call : calls) {
    if (ue == nullptr || call.number != number) continue;
    if (call.reason == nullptr) {
      notify_end(*ue, call.name);
      _exit(static_cast<int>(a));
    }
    return refuse_named(*ue, call.name, call.reason);
  }
  return ::syscall(number, a, b, c, d, e, f);
}

int refuse_clone() {
  if (Ue* const ue = calling_ue()) refuse_named(*ue, "clone()", one_process);
  return failed(ENOSYS);
}

pid_t refuse_plain_fork() {
  if (Ue* const ue = calling_ue()) refuse_named(*ue, "_Fork()", one_process);
  return failed(ENOSYS);
}

} // namespace

std::span<const rockcreek_own_function> raw_functions() noexcept {
  static const std::array<rockcreek_own_function, 4> functions{
      {{"syscall", reinterpret_cast<void*>(&raw_call)},
       {"clone", reinterpret_cast<void*>(&refuse_clone)},
       {"__clone", reinterpret_cast<void*>(&refuse_clone)},
       {"_Fork", reinterpret_cast<void*>(&refuse_plain_fork)}}};
  return functions;
}

} // namespace rcce::libc
