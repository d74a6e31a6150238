// SPDX-License-Identifier: Apache-2.0
#include "libc/host_values.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libc/exports.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

/// `name` lives as long as the UE.
void note_asked(Ue& ue, const char* name) {
  const auto same = [name](const char* other) { return std::strcmp(name, other) == 0; };
  if (std::ranges::none_of(ue.host_values, same)) ue.host_values.push_back(name);
}

/// The runtime's own calls, which end here too, are none of the program's.
template <class Value>
Value asked(const char* name, const void* caller, Value value) {
  if (Ue* const ue = calling_ue(); ue != nullptr && process::image_of(*ue, caller) != nullptr)
    note_asked(*ue, name);
  return value;
}

} // namespace

void rcce::libc::note_opened(const char* path) {
  Ue* const ue = path == nullptr ? nullptr : calling_ue();
  if (ue == nullptr) return;
  for (const char* name : {"/dev/urandom", "/dev/random"})
    if (std::strcmp(path, name) == 0) note_asked(*ue, name);
}

#define CALLER __builtin_return_address(0)

extern "C" {

pid_t getpid() noexcept {
  return asked("getpid()", CALLER, static_cast<pid_t>(syscall(SYS_getpid)));
}
pid_t getppid() noexcept {
  return asked("getppid()", CALLER, static_cast<pid_t>(syscall(SYS_getppid)));
}
pid_t gettid() noexcept {
  return asked("gettid()", CALLER, static_cast<pid_t>(syscall(SYS_gettid)));
}
ssize_t getrandom(void* bytes, size_t count, unsigned flags) {
  static auto* const real = real_function<ssize_t(void*, size_t, unsigned)>("getrandom");
  return asked("getrandom()", CALLER, real(bytes, count, flags));
}
int getentropy(void* bytes, size_t count) {
  static auto* const real = real_function<int(void*, size_t)>("getentropy");
  return asked("getentropy()", CALLER, real(bytes, count));
}

} // extern "C"
