// SPDX-License-Identifier: Apache-2.0
// The working directory and the umask per UE. Only what changes them is here, and what does so within the C
// library: the host itself resolves relative names in the directory that is in force, also for processes that
// the UE starts.
#include <cerrno>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process/libc/exports.hpp"
#include "process/libc/state/process_state.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

/// Goes to a directory that has been opened by its name alone; takes the descriptor over.
int go_to(Ue& ue, int directory) {
  if (directory < 0) return -1;
  if (syscall(SYS_fchdir, directory) != 0) {
    const int error = errno;
    syscall(SYS_close, directory);
    return failed(error);
  }
  process::ProcessState& own = process_state_of(ue);
  if (own.directory >= 0) syscall(SYS_close, own.directory);
  own.directory = directory;
  return 0;
}

/// Whose directory the thread's is while the UE runs.
bool has_thread(const Ue& ue) noexcept {
  return ue.engine->concurrent();
}

constexpr const char* past_the_runtime =
    "because with FTW_CHDIR it enters directories past the runtime, which the other UEs would be in; "
    "call it without";

/// nftw() by either name.
template <class Visit>
int walk(const char* name, const char* path, Visit visit, int descriptors, int flags) {
  if (Ue* ue = (flags & FTW_CHDIR) != 0 ? calling_ue() : nullptr)
    return refuse(*ue, "nftw", past_the_runtime);
  return real_function<int(const char*, Visit, int, int)>(name)(path, visit, descriptors, flags);
}

} // namespace

extern "C" {

int chdir(const char* path) noexcept {
  Ue* ue = calling_ue();
  if (ue != nullptr && !set_apart(*ue, "chdir")) return -1;
  if (ue == nullptr || has_thread(*ue)) return library_function<"chdir", decltype(chdir)>()(path);
  return go_to(*ue,
               static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_PATH | O_DIRECTORY | O_CLOEXEC, 0)));
}

int fchdir(int directory) noexcept {
  Ue* ue = calling_ue();
  if (ue != nullptr && !set_apart(*ue, "fchdir")) return -1;
  if (ue == nullptr || has_thread(*ue)) return library_function<"fchdir", decltype(fchdir)>()(directory);
  return go_to(*ue, static_cast<int>(syscall(SYS_fcntl, directory, F_DUPFD_CLOEXEC, 3)));
}

mode_t umask(mode_t mask) noexcept {
  static auto* const real = real_function<mode_t(mode_t)>("umask");
  Ue* ue = calling_ue();
  if (ue == nullptr) return real(mask);
  if (!set_apart(*ue, "umask")) {
    const mode_t current = real(0);
    return real(current);
  }
  if (!has_thread(*ue)) process_state_of(*ue).mask = static_cast<int>(mask & 0777);
  return real(mask);
}

/// It enters the directories that it lists, in the C library, unless it is told not to; its entries can be
/// opened either way.
FTS* fts_open(char* const* paths, int options, int (*compare)(const FTSENT**, const FTSENT**)) {
  return library_function<"fts_open", decltype(fts_open)>()(
      paths, calling_ue() == nullptr ? options : options | FTS_NOCHDIR, compare);
}

FTS64* fts64_open(char* const* paths, int options, int (*compare)(const FTSENT64**, const FTSENT64**)) {
  return library_function<"fts64_open", decltype(fts64_open)>()(
      paths, calling_ue() == nullptr ? options : options | FTS_NOCHDIR, compare);
}

int nftw(const char* path, __nftw_func_t visit, int descriptors, int flags) {
  return walk("nftw", path, visit, descriptors, flags);
}
int nftw64(const char* path, __nftw64_func_t visit, int descriptors, int flags) {
  return walk("nftw64", path, visit, descriptors, flags);
}

} // extern "C"
