// SPDX-License-Identifier: Apache-2.0
// Whose process it is and what the system lets it do: users and groups, name spaces, filters of system calls.
// All UEs share one process, so none of them can change that for itself. Changing is refused with an error
// number and a line that says why; setting what is set already is no change.
#include <cerrno>
#include <cstdarg>
#include <grp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process/libc/exports.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

constexpr const char* one_user =
    "because a UE lives in a process of the runtime's, whose user and groups these are";
constexpr const char* one_view =
    "because a UE lives in a process of the runtime's, whose name spaces these are";
constexpr const char* one_filter =
    "because a UE lives in a process of the runtime's, which the filter would end";

/// -1 stands for no change.
bool is_user(uid_t user) {
  return user == static_cast<uid_t>(-1) || (getuid() == user && geteuid() == user);
}
bool is_group(gid_t group) {
  return group == static_cast<gid_t>(-1) || (getgid() == group && getegid() == group);
}

/// The C library's own outside of UEs; for a UE refused unless nothing changes.
template <class Function, class... Arguments>
int change(const char* name, const char* why, bool same, Arguments... arguments) {
  Ue* const ue = calling_ue();
  if (ue == nullptr) return real_function<Function>(name)(arguments...);
  if (same) return 0;
  return refuse(*ue, name, why);
}

} // namespace

extern "C" {

int setuid(uid_t user) noexcept {
  return change<int(uid_t)>("setuid", one_user, is_user(user), user);
}
int seteuid(uid_t user) noexcept {
  return change<int(uid_t)>("seteuid", one_user, is_user(user), user);
}
int setreuid(uid_t real, uid_t effective) noexcept {
  return change<int(uid_t, uid_t)>("setreuid", one_user, is_user(real) && is_user(effective), real,
                                   effective);
}
int setresuid(uid_t real, uid_t effective, uid_t saved) noexcept {
  return change<int(uid_t, uid_t, uid_t)>(
      "setresuid", one_user, is_user(real) && is_user(effective) && is_user(saved), real, effective, saved);
}
int setgid(gid_t group) noexcept {
  return change<int(gid_t)>("setgid", one_user, is_group(group), group);
}
int setegid(gid_t group) noexcept {
  return change<int(gid_t)>("setegid", one_user, is_group(group), group);
}
int setregid(gid_t real, gid_t effective) noexcept {
  return change<int(gid_t, gid_t)>("setregid", one_user, is_group(real) && is_group(effective), real,
                                   effective);
}
int setresgid(gid_t real, gid_t effective, gid_t saved) noexcept {
  return change<int(gid_t, gid_t, gid_t)>("setresgid", one_user,
                                          is_group(real) && is_group(effective) && is_group(saved), real,
                                          effective, saved);
}
int setgroups(size_t count, const gid_t* groups) noexcept {
  return change<int(size_t, const gid_t*)>("setgroups", one_user, false, count, groups);
}

int unshare(int flags) noexcept {
  return change<int(int)>("unshare", one_view, flags == 0, flags);
}
int setns(int descriptor, int kind) noexcept {
  return change<int(int, int)>("setns", one_view, false, descriptor, kind);
}

int prctl(int option, ...) noexcept {
  va_list rest;
  va_start(rest, option);
  unsigned long values[4];
  for (unsigned long& value : values) value = va_arg(rest, unsigned long);
  va_end(rest);
  Ue* const ue = option == PR_SET_SECCOMP ? calling_ue() : nullptr;
  if (ue == nullptr)
    return static_cast<int>(syscall(SYS_prctl, option, values[0], values[1], values[2], values[3]));
  return refuse(*ue, "prctl", one_filter);
}

} // extern "C"
