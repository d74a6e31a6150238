// SPDX-License-Identifier: Apache-2.0
// What a UE cannot do because all UEs of a job live in one process: start threads, become two processes,
// become another program. Refused with an error number and a line that says why. system() and posix_spawn()
// start a process of its own and work; what that writes goes past the order of lines.
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <pthread.h>
#include <pty.h>
#include <spawn.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>
#include <vector>

#include "libc/descriptors.hpp"
#include "libc/exports.hpp"
#include "libc/lent_environment.hpp"
#include "run/output.hpp"

namespace rcce::libc {

namespace {

void refuse_once(Ue& ue, const char* name, const std::string& call, const char* reason) {
  CLibrary& c = ue.process->c;
  for (const char* told : c.refused)
    if (told == name) return;
  c.refused.push_back(name);
  c.output->tell(ue, fmt::format(" called {}: refused, {}", call, reason));
}

} // namespace

void refuse(Ue& ue, const char* function, const char* reason) {
  refuse_once(ue, function, std::string(function) + "()", reason);
}
void refuse_named(Ue& ue, const char* call, const char* reason) {
  refuse_once(ue, call, call, reason);
}

} // namespace rcce::libc

using namespace rcce;
using namespace rcce::libc;

namespace {

constexpr const char* one_thread = "because a UE is one thread of execution, as its core was";

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

/// The argument list of execl() and its kind, up to and with its null pointer.
std::vector<char*> argument_list(const char* first, va_list& more) {
  std::vector<char*> words{const_cast<char*>(first)};
  while (words.back() != nullptr) words.push_back(va_arg(more, char*));
  return words;
}

/// Before a UE starts a process that may write to the same places.
void show_lines_first() {
  if (Ue* ue = calling_ue()) ue->process->c.output->flush(*ue);
}

/// Whether processes that the C library starts would find another environment than the UE's.
bool has_own_environment(const CLibrary& c) noexcept {
  return c.variables.environment != environ;
}

/// What system() does, with the environment and the first three descriptors of the UE; others run while it waits.
int run_shell(Ue& ue, const char* command) {
  std::array words{const_cast<char*>("sh"), const_cast<char*>("-c"), const_cast<char*>("--"),
                   const_cast<char*>(command), static_cast<char*>(nullptr)};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int fd : {0, 1, 2}) {
    bool empty = false;
    const int actual = actual_descriptor(ue, fd, empty);
    if (actual > 2) posix_spawn_file_actions_adddup2(&actions, actual, fd);
    if (actual == 3 - fd) posix_spawn_file_actions_adddup2(&actions, actual, fd); // one of the other's
    if (actual < 0 && !empty) posix_spawn_file_actions_addclose(&actions, fd);
  }
  pid_t child = -1;
  const int error = posix_spawn(&child, "/bin/sh", &actions, nullptr, words.data(),
                                ue.process->c.variables.environment);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    errno = error;
    return -1;
  }
  int status = -1;
  return TEMP_FAILURE_RETRY(waitpid(child, &status, 0)) < 0 ? -1 : status;
}

} // namespace

extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  if (Ue* ue = calling_ue()) {
    refuse(*ue, "pthread_create", one_thread);
    return EAGAIN;
  }
  static auto* const real =
      real_function<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  return real(thread, attributes, start, argument);
}

int thrd_create(thrd_t* thread, thrd_start_t start, void* argument) {
  if (Ue* ue = calling_ue()) {
    refuse(*ue, "thrd_create", one_thread);
    return thrd_error;
  }
  static auto* const real = real_function<int(thrd_t*, thrd_start_t, void*)>("thrd_create");
  return real(thread, start, argument);
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

int execvpe(const char* file, char* const arguments[], char* const environment[]) noexcept {
  if (Ue* ue = calling_ue()) return refuse_exec(*ue, "execvpe");
  static auto* const real = real_function<int(const char*, char* const*, char* const*)>("execvpe");
  return real(file, arguments, environment);
}

int fexecve(int file, char* const arguments[], char* const environment[]) noexcept {
  if (Ue* ue = calling_ue()) return refuse_exec(*ue, "fexecve");
  static auto* const real = real_function<int(int, char* const*, char* const*)>("fexecve");
  return real(file, arguments, environment);
}

int execl(const char* path, const char* argument, ...) noexcept {
  if (Ue* ue = calling_ue()) return refuse_exec(*ue, "execl");
  va_list more;
  va_start(more, argument);
  const auto words = argument_list(argument, more);
  va_end(more);
  return execv(path, words.data());
}

int execlp(const char* file, const char* argument, ...) noexcept {
  if (Ue* ue = calling_ue()) return refuse_exec(*ue, "execlp");
  va_list more;
  va_start(more, argument);
  const auto words = argument_list(argument, more);
  va_end(more);
  return execvp(file, words.data());
}

int execle(const char* path, const char* argument, ...) noexcept {
  if (Ue* ue = calling_ue()) return refuse_exec(*ue, "execle");
  va_list more;
  va_start(more, argument);
  const auto words = argument_list(argument, more);
  char* const* environment = va_arg(more, char* const*);
  va_end(more);
  return execve(path, words.data(), environment);
}

int daemon(int same_folder, int same_streams) noexcept {
  if (Ue* ue = calling_ue()) return refuse_fork(*ue, "daemon");
  static auto* const real = real_function<int(int, int)>("daemon");
  return real(same_folder, same_streams);
}

int forkpty(int* master, char* name, const struct termios* settings, const struct winsize* size) noexcept {
  if (Ue* ue = calling_ue()) return refuse_fork(*ue, "forkpty");
  static auto* const real =
      real_function<int(int*, char*, const struct termios*, const struct winsize*)>("forkpty");
  return real(master, name, settings, size);
}

int system(const char* command) {
  show_lines_first();
  Ue* ue = command == nullptr ? nullptr : calling_ue();
  if (ue != nullptr) return run_shell(*ue, command);
  static auto* const real = real_function<int(const char*)>("system");
  return real(command);
}

FILE* popen(const char* command, const char* mode) {
  show_lines_first();
  std::optional<LentEnvironment> lent;
  if (CLibrary* c = calling_library(); c != nullptr && has_own_environment(*c))
    lent.emplace(c->variables.environment);
  static auto* const real = real_function<FILE*(const char*, const char*)>("popen");
  return real(command, mode);
}

} // extern "C"
