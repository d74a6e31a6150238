// SPDX-License-Identifier: Apache-2.0
// What belongs to the process that all UEs of a job share and cannot be given to one of them: limits of
// resources, priority, root directory. Asking is answered, changing refused with an error number and a line
// that says why; setting what is set already is no change.
#include <cerrno>
#include <sys/resource.h>
#include <unistd.h>

#include "process/libc/exports.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

constexpr const char* one_limit = "because a UE lives in a process of the runtime's, whose limits these are; "
                                  "set them before rccerun is started (ulimit)";
constexpr const char* one_priority =
    "because a UE lives in a process of the runtime's, whose priority this is; "
    "start rccerun by nice";
constexpr const char* one_root =
    "because a UE lives in a process of the runtime's, whose root directory this is";

} // namespace

extern "C" {

int setrlimit(__rlimit_resource_t resource, const struct rlimit* limit) noexcept {
  if (Ue* ue = calling_ue()) {
    struct rlimit now {};
    if (getrlimit(resource, &now) != 0) return -1;
    if (now.rlim_cur == limit->rlim_cur && now.rlim_max == limit->rlim_max) return 0;
    return refuse(*ue, "setrlimit", one_limit);
  }
  return library_function<"setrlimit", decltype(setrlimit)>()(resource, limit);
}

int setrlimit64(__rlimit_resource_t resource, const struct rlimit64* limit) noexcept {
  const struct rlimit same { limit->rlim_cur, limit->rlim_max };
  return setrlimit(resource, &same);
}

int prlimit(pid_t process, __rlimit_resource resource, const struct rlimit* limit,
            struct rlimit* before) noexcept {
  Ue* ue = limit == nullptr || (process != 0 && process != getpid()) ? nullptr : calling_ue();
  if (ue != nullptr) return refuse(*ue, "prlimit", one_limit);
  return library_function<"prlimit", decltype(prlimit)>()(process, resource, limit, before);
}

int prlimit64(pid_t process, __rlimit_resource resource, const struct rlimit64* limit,
              struct rlimit64* before) noexcept {
  return prlimit(process, resource, reinterpret_cast<const struct rlimit*>(limit),
                 reinterpret_cast<struct rlimit*>(before));
}

int setpriority(__priority_which_t which, id_t who, int priority) noexcept {
  if (Ue* ue = calling_ue()) return refuse(*ue, "setpriority", one_priority);
  return library_function<"setpriority", decltype(setpriority)>()(which, who, priority);
}

int nice(int increment) noexcept {
  if (Ue* ue = increment == 0 ? nullptr : calling_ue()) return refuse(*ue, "nice", one_priority);
  return library_function<"nice", decltype(nice)>()(increment);
}

int chroot(const char* path) noexcept {
  if (Ue* ue = calling_ue()) return refuse(*ue, "chroot", one_root);
  return library_function<"chroot", decltype(chroot)>()(path);
}

} // extern "C"
