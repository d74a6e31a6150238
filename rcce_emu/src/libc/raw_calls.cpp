// SPDX-License-Identifier: Apache-2.0
// syscall() and clone() for UEs: what would end, double or replace the process of all UEs acts on the UE
// alone, or is refused. The program's and its libraries' references lead here (dynamic.cpp); the runtime's
// own calls do not. System calls that a program makes by an instruction of its own pass by.
#include "libc/raw_calls.hpp"

#include <array>
#include <cerrno>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>

#include "libc/exports.hpp"
#include "run/output.hpp"

namespace rcce::libc {
namespace {

struct RawCall {
  long number;
  const char* name;
  const char* reason; ///< null: it ends the UE
};

constexpr std::array<RawCall, 8> calls{{{SYS_exit, "syscall(SYS_exit)", nullptr},
                                        {SYS_exit_group, "syscall(SYS_exit_group)", nullptr},
                                        {SYS_fork, "syscall(SYS_fork)", one_process},
                                        {SYS_vfork, "syscall(SYS_vfork)", one_process},
                                        {SYS_clone, "syscall(SYS_clone)", one_process},
                                        {SYS_clone3, "syscall(SYS_clone3)", one_process},
                                        {SYS_execve, "syscall(SYS_execve)", not_another},
                                        {SYS_execveat, "syscall(SYS_execveat)", not_another}}};

void tell_end(Ue& ue, const char* name) {
  ue.process->c.output->tell(ue, fmt::format(" called {}: it ends this UE only, as _exit() does", name));
}

long raw_call(long number, long a, long b, long c, long d, long e, long f) {
  Ue* const ue = calling_ue();
  for (const RawCall& call : calls) {
    if (ue == nullptr || call.number != number) continue;
    if (call.reason == nullptr) {
      tell_end(*ue, call.name);
      _exit(static_cast<int>(a));
    }
    refuse_named(*ue, call.name, call.reason);
    errno = ENOSYS;
    return -1;
  }
  return ::syscall(number, a, b, c, d, e, f);
}

int refuse_clone() {
  if (Ue* const ue = calling_ue()) refuse_named(*ue, "clone()", one_process);
  errno = ENOSYS;
  return -1;
}

pid_t refuse_plain_fork() {
  if (Ue* const ue = calling_ue()) refuse_named(*ue, "_Fork()", one_process);
  errno = ENOSYS;
  return -1;
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
