// SPDX-License-Identifier: Apache-2.0
#include "process/libc/state/host_values.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <string_view>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process/libc/exports.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

/// The runtime's own calls, which end here too, are none of the program's.
template <class Value>
Value asked(const char* name, const void* caller, Value value) {
  if (Ue* const ue = calling_ue(); ue != nullptr && process::image_of(*ue, caller) != nullptr)
    note_asked(*ue, name);
  return value;
}

/// The same for a call by which the program can meet other UEs.
void meets(const void* caller, const char* how) {
  if (Ue* const ue = calling_ue(); ue != nullptr && process::image_of(*ue, caller) != nullptr) note_met(how);
}

} // namespace

void rcce::libc::note_asked(Ue& ue, const char* name) {
  const auto same = [name](const char* other) { return std::strcmp(name, other) == 0; };
  if (std::ranges::none_of(ue.host_values, same)) ue.host_values.push_back(name);
}

void rcce::libc::note_opened(const char* path, bool writes) {
  Ue* const ue = path == nullptr ? nullptr : calling_ue();
  if (ue == nullptr) return;
  for (const char* name : {"/dev/urandom", "/dev/random"})
    if (std::strcmp(path, name) == 0) note_asked(*ue, name);
  for (const char* folder : {"/proc/", "/sys/"}) // the system's own words of itself
    if (std::string_view(path).starts_with(folder)) note_asked(*ue, folder);
  if (std::string_view(path) != "/dev/null") ue->opened[path] |= writes;
}

void rcce::libc::note_met(const char* how) {
  if (Ue* const ue = calling_ue()) ue->met.insert(how);
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
std::uint32_t arc4random() noexcept {
  static auto* const real = real_function<std::uint32_t()>("arc4random");
  return asked("arc4random()", CALLER, real());
}
std::uint32_t arc4random_uniform(std::uint32_t bound) noexcept {
  static auto* const real = real_function<std::uint32_t(std::uint32_t)>("arc4random_uniform");
  return asked("arc4random_uniform()", CALLER, real(bound));
}
void arc4random_buf(void* bytes, size_t count) noexcept {
  library_function<"arc4random_buf", decltype(arc4random_buf)>()(bytes, count);
  (void)asked("arc4random_buf()", CALLER, 0);
}
/// std::random_device::_M_getval()
__attribute__((visibility("default"))) unsigned _ZNSt13random_device9_M_getvalEv(void* device) {
  static auto* const real = real_function<unsigned(void*)>("_ZNSt13random_device9_M_getvalEv");
  return asked("std::random_device", CALLER, real(device));
}
// Memory that other UEs may have too.
void* mmap(void* at, size_t bytes, int protection, int flags, int fd, off_t offset) noexcept {
  const bool shares = (flags & MAP_SHARED) != 0 && (flags & MAP_ANONYMOUS) == 0;
  Ue* const ue = shares ? calling_ue() : nullptr;
  if (ue != nullptr && process::image_of(*ue, CALLER) != nullptr) ue->opened["mmap(MAP_SHARED)"] = true;
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, bytes, protection, flags, fd, offset));
}
void* mmap64(void* at, size_t bytes, int protection, int flags, int fd, off64_t offset) noexcept
    __attribute__((alias("mmap")));
void* shmat(int memory, const void* at, int flags) noexcept {
  if (Ue* const ue = calling_ue()) ue->opened["shmat()"] = true;
  return reinterpret_cast<void*>(syscall(SYS_shmat, memory, at, flags));
}
// Semaphores and queues by which UEs can meet.
sem_t* sem_open(const char* name, int flags, ...) {
  static auto* const real = real_function<sem_t*(const char*, int, ...)>("sem_open");
  va_list rest;
  va_start(rest, flags);
  const bool creates = (flags & O_CREAT) != 0;
  const mode_t mode = creates ? va_arg(rest, mode_t) : 0;
  const unsigned value = creates ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  meets(CALLER, "sem_open()");
  return real(name, flags, mode, value);
}
mqd_t mq_open(const char* name, int flags, ...) {
  static auto* const real = real_function<mqd_t(const char*, int, ...)>("mq_open");
  va_list rest;
  va_start(rest, flags);
  const bool creates = (flags & O_CREAT) != 0;
  const mode_t mode = creates ? va_arg(rest, mode_t) : 0;
  mq_attr* const attributes = creates ? va_arg(rest, mq_attr*) : nullptr;
  va_end(rest);
  meets(CALLER, "mq_open()");
  return real(name, flags, mode, attributes);
}
int msgsnd(int queue, const void* message, size_t bytes, int flags) {
  meets(CALLER, "msgsnd(), msgrcv()");
  return library_function<"msgsnd", decltype(msgsnd)>()(queue, message, bytes, flags);
}
ssize_t msgrcv(int queue, void* message, size_t bytes, long type, int flags) {
  meets(CALLER, "msgsnd(), msgrcv()");
  return library_function<"msgrcv", decltype(msgrcv)>()(queue, message, bytes, type, flags);
}
int semop(int semaphores, struct sembuf* operations, size_t count) noexcept {
  meets(CALLER, "semop()");
  return library_function<"semop", decltype(semop)>()(semaphores, operations, count);
}
int bind(int fd, const struct sockaddr* address, socklen_t length) noexcept {
  meets(CALLER, "sockets");
  return library_function<"bind", decltype(bind)>()(fd, address, length);
}
unsigned long getauxval(unsigned long type) noexcept {
  const unsigned long value = library_function<"getauxval", decltype(getauxval)>()(type);
  return type == AT_RANDOM ? asked("getauxval(AT_RANDOM)", CALLER, value) : value;
}
int getentropy(void* bytes, size_t count) {
  static auto* const real = real_function<int(void*, size_t)>("getentropy");
  return asked("getentropy()", CALLER, real(bytes, count));
}

} // extern "C"
