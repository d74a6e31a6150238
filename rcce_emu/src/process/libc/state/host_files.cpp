// SPDX-License-Identifier: Apache-2.0
// Files and folders that a program makes, removes, renames or asks for by their names: UEs can meet there
// without opening any. Temporary names differ from run to run.
#include <cstdio>
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

#include "process/libc/exports.hpp"
#include "process/libc/state/host_values.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

template <host::Symbol name, class Result, class... Arguments>
Result real(Arguments... arguments) {
  return library_function<name, Result(Arguments...)>()(arguments...);
}

/// The call that makes a name, by the program itself.
void note_named(const char* call, const void* caller) {
  if (Ue* const ue = calling_ue(); ue != nullptr && process::image_of(*ue, caller) != nullptr)
    note_asked(*ue, call);
}

} // namespace

extern "C" {

// A function of one name that changes what stands there (`writes`), or looks.
#define ON_PATH(name, writes, parameters, ...) \
  int name parameters noexcept {               \
    note_opened(path, writes);                 \
    return real<#name, int>(__VA_ARGS__);      \
  }
ON_PATH(mkdir, true, (const char* path, mode_t mode), path, mode)
ON_PATH(mkfifo, true, (const char* path, mode_t mode), path, mode)
ON_PATH(mknod, true, (const char* path, mode_t mode, dev_t device), path, mode, device)
ON_PATH(rmdir, true, (const char* path), path)
ON_PATH(unlink, true, (const char* path), path)
ON_PATH(remove, true, (const char* path), path)
ON_PATH(chmod, true, (const char* path, mode_t mode), path, mode)
ON_PATH(truncate, true, (const char* path, off_t bytes), path, bytes)
ON_PATH(truncate64, true, (const char* path, off64_t bytes), path, bytes)
ON_PATH(stat, false, (const char* path, struct stat* found), path, found)
ON_PATH(lstat, false, (const char* path, struct stat* found), path, found)
ON_PATH(stat64, false, (const char* path, struct stat64* found), path, found)
ON_PATH(lstat64, false, (const char* path, struct stat64* found), path, found)
ON_PATH(access, false, (const char* path, int how), path, how)
#undef ON_PATH

// A function of two names.
#define ON_PATHS(name, writes_first)                             \
  int name(const char* from, const char* to) noexcept {          \
    if (writes_first >= 0) note_opened(from, writes_first != 0); \
    note_opened(to, true);                                       \
    return real<#name, int>(from, to);                           \
  }
ON_PATHS(rename, 1)
ON_PATHS(link, 0)
ON_PATHS(symlink, -1) // its first name is only a text
#undef ON_PATHS

// A function that makes up a name.
#define NAMES(name, result, parameters, ...)             \
  result name parameters {                               \
    note_named(#name "()", __builtin_return_address(0)); \
    return real<#name, result>(__VA_ARGS__);             \
  }
NAMES(mkstemp, int, (char* pattern), pattern)
NAMES(mkstemp64, int, (char* pattern), pattern)
NAMES(mkostemp, int, (char* pattern, int flags), pattern, flags)
NAMES(mkostemp64, int, (char* pattern, int flags), pattern, flags)
NAMES(mkstemps, int, (char* pattern, int behind), pattern, behind)
NAMES(mkstemps64, int, (char* pattern, int behind), pattern, behind)
NAMES(mkostemps, int, (char* pattern, int behind, int flags), pattern, behind, flags)
NAMES(mkostemps64, int, (char* pattern, int behind, int flags), pattern, behind, flags)
NAMES(mkdtemp, char*, (char* pattern) noexcept, pattern)
NAMES(mktemp, char*, (char* pattern) noexcept, pattern)
NAMES(tmpnam, char*, (char* name) noexcept, name)
NAMES(tmpnam_r, char*, (char* name) noexcept, name)
NAMES(tempnam, char*, (const char* folder, const char* prefix) noexcept, folder, prefix)
#undef NAMES

} // extern "C"
