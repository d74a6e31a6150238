// Functions of the C library whose results are made of many blocks, or grow as they are used: in the calling
// UE's heap, where those that free them find their way back.
#include <cstdlib>
#include <dirent.h>
#include <glob.h>
#include <regex.h>
#include <search.h>
#include <unistd.h>
#include <wordexp.h>

#include "libc/exports.hpp"
#include "libc/malloc.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

template <class Result, class... Arguments>
Result for_ue(const char* name, Arguments... arguments) {
  auto* const real = real_function<Result(Arguments...)>(name);
  const AllocatesForUe own;
  return real(arguments...);
}

using Filter = int (*)(const dirent*);
using DirectoryOrder = int (*)(const dirent**, const dirent**);
using Tell = int (*)(const char*, int);

} // namespace

extern "C" {

int regcomp(regex_t* expression, const char* pattern, int flags) {
  return for_ue<int>("regcomp", expression, pattern, flags);
}
int regexec(const regex_t* expression, const char* text, size_t count, regmatch_t* matches, int flags) {
  return for_ue<int>("regexec", expression, text, count, matches, flags);
}
int glob(const char* pattern, int flags, Tell tell, glob_t* found) {
  return for_ue<int>("glob", pattern, flags, tell, found);
}
int glob64(const char* pattern, int flags, Tell tell, glob64_t* found) {
  return for_ue<int>("glob64", pattern, flags, tell, found);
}
int wordexp(const char* words, wordexp_t* found, int flags) {
  return for_ue<int>("wordexp", words, found, flags);
}
void* tsearch(const void* key, void** root, __compar_fn_t compare) {
  return for_ue<void*>("tsearch", key, root, compare);
}
int scandir(const char* path, dirent*** entries, Filter filter, DirectoryOrder order) {
  return for_ue<int>("scandir", path, entries, filter, order);
}
DIR* opendir(const char* path) {
  return for_ue<DIR*>("opendir", path);
}
DIR* fdopendir(int descriptor) {
  return for_ue<DIR*>("fdopendir", descriptor);
}
char* realpath(const char* path, char* resolved) noexcept {
  return for_ue<char*>("realpath", path, resolved);
}
char* getcwd(char* buffer, size_t bytes) noexcept {
  return for_ue<char*>("getcwd", buffer, bytes);
}
char* get_current_dir_name() noexcept {
  return for_ue<char*>("get_current_dir_name");
}

} // extern "C"
