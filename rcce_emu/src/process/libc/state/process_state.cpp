// SPDX-License-Identifier: Apache-2.0
#include "process/libc/state/process_state.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/ue/job_state.hpp"
#include "process/image/dlopened.hpp"
#include "process/libc/exports.hpp"

// System calls by number: the functions of these names are the runtime's, and act on the calling UE.
namespace rcce::process {

struct Origin {
  int directory = -1;
  int mask = 0;

  Origin() = default;
  ~Origin() {
    if (directory >= 0) syscall(SYS_close, directory);
  }
  Origin(const Origin&) = delete;
  Origin& operator=(const Origin&) = delete;
};

} // namespace rcce::process

namespace rcce::libc {

using process::Origin;
using process::ProcessState;

namespace {

/// Shared by the UEs of the job that the thread runs.
thread_local std::weak_ptr<const Origin> origin_of_thread;
thread_local bool thread_is_apart = false;

constexpr const char* not_apart =
    "because the host gives this thread no working directory and umask of its own (unshare); "
    "run it alone in its process and by --engine sim";

/// Null where there is no descriptor left; errno is set.
std::shared_ptr<const Origin> note_origin(const Ue& ue) {
  image::raise_descriptor_limit(2 *
                                static_cast<std::size_t>(ue.job->size())); // a directory and a copy for each
  auto origin = std::make_shared<Origin>();
  origin->directory = static_cast<int>(syscall(SYS_openat, AT_FDCWD, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (origin->directory < 0) return nullptr;
  origin->mask = static_cast<int>(syscall(SYS_umask, 0));
  syscall(SYS_umask, origin->mask);
  origin_of_thread = origin;
  return origin;
}

/// Elsewhere UEs would go on writing their files to each other's directories.
void enter(int directory) noexcept {
  if (syscall(SYS_fchdir, directory) == 0) return;
  std::fprintf(stderr, "rccerun: cannot go back to the working directory of a UE: %s\n",
               std::strerror(errno));
  std::abort();
}

} // namespace

ProcessState& process_state_of(Ue& ue) {
  std::unique_ptr<ProcessState>& own = ue.process->c.process_state;
  if (!own) own = std::make_unique<ProcessState>();
  return *own;
}

bool set_apart(Ue& ue, const char* function) {
  if (!thread_is_apart) {
    thread_is_apart = syscall(SYS_unshare, CLONE_FS) == 0; // by its name a UE is refused it
    // Where the job has the process to itself, nobody else minds: the runtime opens nothing by a relative
    // name.
    const bool alone = ue.process->c.alone;
    if (!thread_is_apart && !alone) {
      refuse(ue, function, not_apart);
      return false;
    }
  }
  ProcessState& own = process_state_of(ue);
  if (own.origin == nullptr) own.origin = origin_of_thread.lock();
  if (own.origin == nullptr) own.origin = note_origin(ue);
  return own.origin != nullptr;
}

void exchange(const ProcessState* from, const ProcessState* to) noexcept {
  static const ProcessState neither;
  const ProcessState& old = from == nullptr ? neither : *from;
  const ProcessState& next = to == nullptr ? neither : *to;
  const Origin* const origin = old.origin ? old.origin.get() : next.origin.get();
  if (old.directory != next.directory)
    enter(next.directory == ProcessState::unchanged ? origin->directory : next.directory);
  if (old.mask != next.mask)
    syscall(SYS_umask, next.mask == ProcessState::unchanged ? origin->mask : next.mask);
  static auto* const use = real_function<locale_t(locale_t)>("uselocale");
  if (old.locale != next.locale) use(next.locale);
}

} // namespace rcce::libc
