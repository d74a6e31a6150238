// SPDX-License-Identifier: Apache-2.0
// Functions of the C library whose results are made of many blocks, or grow as they are used: in the calling
// UE's heap, where those that free them find their way back.
#include <cstdlib>
#include <dirent.h>
#include <glob.h>
#include <regex.h>
#include <search.h>
#include <unistd.h>
#include <wordexp.h>

#include "process/libc/exports.hpp"
#include "process/libc/state/malloc.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

template <host::Symbol name, class Result, class... Arguments>
Result for_ue(Arguments... arguments) {
  auto* const function = library_function<name, Result(Arguments...)>();
  const AllocatesForUe own;
  return function(arguments...);
}

using Filter = int (*)(const dirent*);
using DirectoryOrder = int (*)(const dirent**, const dirent**);
using Tell = int (*)(const char*, int);

} // namespace

extern "C" {

int regcomp(regex_t* expression, const char* pattern, int flags) {
  return for_ue<"regcomp", int>(expression, pattern, flags);
}
int regexec(const regex_t* expression, const char* text, size_t count, regmatch_t* matches, int flags) {
  return for_ue<"regexec", int>(expression, text, count, matches, flags);
}
int glob(const char* pattern, int flags, Tell tell, glob_t* found) {
  return for_ue<"glob", int>(pattern, flags, tell, found);
}
int glob64(const char* pattern, int flags, Tell tell, glob64_t* found) {
  return for_ue<"glob64", int>(pattern, flags, tell, found);
}
int wordexp(const char* words, wordexp_t* found, int flags) {
  return for_ue<"wordexp", int>(words, found, flags);
}
void* tsearch(const void* key, void** root, __compar_fn_t compare) {
  return for_ue<"tsearch", void*>(key, root, compare);
}
int scandir(const char* path, dirent*** entries, Filter filter, DirectoryOrder order) {
  return for_ue<"scandir", int>(path, entries, filter, order);
}
DIR* opendir(const char* path) {
  return for_ue<"opendir", DIR*>(path);
}
DIR* fdopendir(int descriptor) {
  return for_ue<"fdopendir", DIR*>(descriptor);
}
char* realpath(const char* path, char* resolved) noexcept {
  return for_ue<"realpath", char*>(path, resolved);
}
char* getcwd(char* buffer, size_t bytes) noexcept {
  return for_ue<"getcwd", char*>(buffer, bytes);
}
char* get_current_dir_name() noexcept {
  return for_ue<"get_current_dir_name", char*>();
}

} // extern "C"
