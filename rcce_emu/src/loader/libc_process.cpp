// What a UE cannot do because all UEs of a job live in one process: start threads, become two processes,
// become another program. Refused with an error number and a line that says why. system() and posix_spawn()
// start a process of its own and work; what that writes goes past the order of lines.
#include <cerrno>
#include <cstdarg>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include "loader/libc.hpp"
#include "loader/output.hpp"

namespace rcce::loader {

void refuse(Ue& ue, const char* function, const char* reason) {
  CLibrary& c = ue.process->c;
  for (const char* told : c.refused)
    if (told == function) return;
  c.refused.push_back(function);
  c.output->write(ue, 2,
                  fmt::format("rccerun: rank {} (core {:02d}) called {}(): refused, {}\n", ue.rank,
                              ue.core->id(), function, reason));
}

} // namespace rcce::loader

using namespace rcce;
using namespace rcce::loader;

namespace {

constexpr const char* one_process =
    "because all UEs share one process, of which the child would be a second copy; "
    "start other programs by system() or posix_spawn()";
constexpr const char* not_another = "because all UEs share one process and would end with it; "
                                    "start other programs by system() or posix_spawn()";

int refuse_exec(Ue& ue, const char* function) {
  refuse(ue, function, not_another);
  errno = ENOSYS;
  return -1;
}

pid_t refuse_fork(Ue& ue, const char* function) {
  refuse(ue, function, one_process);
  errno = ENOSYS;
  return -1;
}

} // namespace

extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  if (Ue* ue = calling_ue()) {
    refuse(*ue, "pthread_create", "because simulated time knows one thread of execution per core");
    return EAGAIN;
  }
  static auto* const real =
      real_function<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  return real(thread, attributes, start, argument);
}

pid_t fork() noexcept {
  if (Ue* ue = calling_ue()) return refuse_fork(*ue, "fork");
  static auto* const real = real_function<pid_t()>("fork");
  return real();
}

pid_t vfork() noexcept {
  // Outside a UE too a child that shares this frame could not be given: a plain fork has the same meaning.
  if (Ue* ue = calling_ue()) return refuse_fork(*ue, "vfork");
  return fork();
}

int execve(const char* path, char* const arguments[], char* const environment[]) noexcept {
  if (Ue* ue = calling_ue()) return refuse_exec(*ue, "execve");
  static auto* const real = real_function<int(const char*, char* const*, char* const*)>("execve");
  return real(path, arguments, environment);
}

int execv(const char* path, char* const arguments[]) noexcept {
  if (Ue* ue = calling_ue()) return refuse_exec(*ue, "execv");
  static auto* const real = real_function<int(const char*, char* const*)>("execv");
  return real(path, arguments);
}

int execvp(const char* file, char* const arguments[]) noexcept {
  if (Ue* ue = calling_ue()) return refuse_exec(*ue, "execvp");
  static auto* const real = real_function<int(const char*, char* const*)>("execvp");
  return real(file, arguments);
}

} // extern "C"
