// SPDX-License-Identifier: Apache-2.0
// What a UE cannot do because all UEs of a job live in one process: start threads, become two processes,
// become another program. Refused with an error number and a line that says why. system(), popen() and
// posix_spawn() start a process of its own and work, with what the UE's first three descriptors lead to; what
// that writes goes past the order of lines.
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <pthread.h>
#include <pty.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>
#include <vector>

#include "process/libc/exports.hpp"
#include "process/libc/state/host_values.hpp"
#include "process/libc/state/scoped_environment.hpp"
#include "process/libc/streams/descriptors.hpp"
#include "process/libc/streams/files.hpp"
#include "process/run/output.hpp"

namespace rcce::libc {

namespace {

int refuse_once(Ue& ue, const char* name, const std::string& call, const char* reason) {
  CLibrary& c = ue.process->c;
  for (const char* told : c.refused)
    if (told == name) return failed(ENOSYS);
  c.refused.push_back(name);
  c.output->tell(ue, fmt::format(" called {}: refused, {}", call, reason));
  return failed(ENOSYS);
}

} // namespace

int refuse(Ue& ue, const char* function, const char* reason) {
  return refuse_once(ue, function, std::string(function) + "()", reason);
}
int refuse_named(Ue& ue, const char* call, const char* reason) {
  return refuse_once(ue, call, call, reason);
}

} // namespace rcce::libc

using namespace rcce;
using namespace rcce::libc;

namespace {

constexpr const char* one_thread =
    "because a UE is one thread of execution, as its core was; call the function "
    "itself, or divide its work among more UEs (rccerun -nue)";
constexpr const char* no_thread =
    "because a UE is one thread of execution and has no other to wait for; look at "
    "what pthread_create() or thrd_create() has returned";

/// The C library's own outside of UEs; for a UE refused, with that result.
template <host::Symbol name, class Result, class... Arguments>
Result for_no_ue(const char* reason, Result refused, Arguments... arguments) {
  Ue* const ue = calling_ue();
  if (ue == nullptr) return library_function<name, Result(Arguments...)>()(arguments...);
  refuse(*ue, name.name, reason);
  return refused;
}

/// The argument list of execl() and its kind, up to and with its null pointer.
std::vector<char*> argument_list(const char* first, va_list& more) {
  std::vector<char*> words{const_cast<char*>(first)};
  while (words.back() != nullptr) words.push_back(va_arg(more, char*));
  return words;
}

/// A process that a UE starts: it finds the UE's first three descriptors, changed by what comes on top.
class Child {
 public:
  explicit Child(Ue& ue);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void lead(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  /// Actions of the program's own, which have to live until the start.
  void add(const posix_spawn_file_actions_t& more);

  /// posix_spawn(), or posix_spawnp() with the UE's own path; returns an error number.
  int start(pid_t& child, const char* file, bool by_path, const posix_spawnattr_t* attributes,
            char* const arguments[], char* const environment[]);
  /// With the shell and the environment of the UE; -1 with errno set where it does not start.
  pid_t start_shell(const char* command);

 private:
  Ue& ue_;
  posix_spawn_file_actions_t actions_{};
  std::vector<std::byte> all_; ///< these and the program's
  std::size_t added_ = 0;
  int exchanged_ = -1; ///< a duplicate of the process's descriptor 1, which the UE's 2 leads to
};

Child::Child(Ue& ue) : ue_(ue) {
  ue.process->c.output->flush(ue); // the child may write to the same places
  posix_spawn_file_actions_init(&actions_);
  for (const int fd : {0, 1, 2}) {
    bool empty = false;
    int actual = actual_descriptor(ue, fd, empty);
    if (fd == 2 && actual == 1) // by then the child's 1 may lead elsewhere
      actual = exchanged_ = static_cast<int>(syscall(SYS_fcntl, 1, F_DUPFD_CLOEXEC, 3));
    if (empty)
      posix_spawn_file_actions_addopen(&actions_, fd, "/dev/null", O_RDONLY, 0);
    else if (actual < 0)
      posix_spawn_file_actions_addclose(&actions_, fd);
    else if (actual != fd)
      lead(actual, fd);
  }
}

Child::~Child() {
  posix_spawn_file_actions_destroy(&actions_);
  if (exchanged_ >= 0) syscall(SYS_close, exchanged_);
}

void Child::add(const posix_spawn_file_actions_t& more) {
  constexpr std::size_t action_bytes = 32; // in the GNU C library for x86-64, which has no call for this
  const auto* const own = reinterpret_cast<const std::byte*>(actions_.__actions);
  const auto* const others = reinterpret_cast<const std::byte*>(more.__actions);
  all_.assign(own, own + static_cast<std::size_t>(actions_.__used) * action_bytes);
  all_.insert(all_.end(), others, others + static_cast<std::size_t>(more.__used) * action_bytes);
  added_ = static_cast<std::size_t>(more.__used);
}

int Child::start(pid_t& child, const char* file, bool by_path, const posix_spawnattr_t* attributes,
                 char* const arguments[], char* const environment[]) {
  using Spawn = int(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                    char* const*, char* const*);
  posix_spawn_file_actions_t actions = actions_;
  if (added_ > 0) {
    actions.__actions = reinterpret_cast<struct __spawn_action*>(all_.data());
    actions.__used = actions.__allocated = actions_.__used + static_cast<int>(added_);
  }
  std::optional<ScopedEnvironment> lent;
  char** const own = ue_.process->c.variables.environment;
  if (by_path && own != environ) lent.emplace(own);
  auto* const real =
      by_path ? library_function<"posix_spawnp", Spawn>() : library_function<"posix_spawn", Spawn>();
  return real(&child, file, &actions, attributes, arguments, environment);
}

pid_t Child::start_shell(const char* command) {
  std::array words{const_cast<char*>("sh"), const_cast<char*>("-c"), const_cast<char*>("--"),
                   const_cast<char*>(command), static_cast<char*>(nullptr)};
  pid_t child = -1;
  const int error =
      start(child, "/bin/sh", false, nullptr, words.data(), ue_.process->c.variables.environment);
  if (error == 0) return child;
  return failed(error);
}

int spawn(Ue& ue, pid_t* result, const char* file, bool by_path, const posix_spawn_file_actions_t* actions,
          const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]) {
  Child child(ue);
  if (actions != nullptr) child.add(*actions);
  pid_t id = -1;
  const int error = child.start(id, file, by_path, attributes, arguments, environment);
  if (error == 0 && result != nullptr) *result = id;
  return error;
}

int run_shell(Ue& ue, const char* command) {
  const pid_t child = Child(ue).start_shell(command);
  int status = -1;
  return child < 0 || TEMP_FAILURE_RETRY(waitpid(child, &status, 0)) < 0 ? -1 : status;
}

/// popen(): a stream that is the UE's own, so that others run while it waits.
FILE* open_shell(Ue& ue, const char* command, const char* mode) {
  const bool reads = std::strchr(mode, 'r') != nullptr;
  if (std::strspn(mode, "rwe") != std::strlen(mode) || reads == (std::strchr(mode, 'w') != nullptr)) {
    errno = EINVAL;
    return nullptr;
  }
  // Closed in whatever else is started, by this UE and by others: the end of the text is seen.
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return nullptr;
  const int here = ends[reads ? 0 : 1], there = ends[reads ? 1 : 0];
  Child child(ue);
  child.lead(there, reads ? 1 : 0);
  const pid_t id = child.start_shell(command);
  syscall(SYS_close, there);
  FILE* const stream = id < 0 ? nullptr : open_child_stream(here, reads ? "r" : "w", id);
  if (stream == nullptr) syscall(SYS_close, here);
  return stream;
}

} // namespace

extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  return for_no_ue<"pthread_create", int>(one_thread, EAGAIN, thread, attributes, start, argument);
}

int thrd_create(thrd_t* thread, thrd_start_t start, void* argument) {
  return for_no_ue<"thrd_create", int>(one_thread, thrd_error, thread, start, argument);
}

int pthread_join(pthread_t thread, void** result) {
  return for_no_ue<"pthread_join", int>(no_thread, ESRCH, thread, result);
}

int pthread_detach(pthread_t thread) noexcept {
  return for_no_ue<"pthread_detach", int>(no_thread, ESRCH, thread);
}

int thrd_join(thrd_t thread, int* result) {
  return for_no_ue<"thrd_join", int>(no_thread, thrd_error, thread, result);
}

pid_t fork() noexcept {
  return for_no_ue<"fork", int>(one_process, -1);
}

pid_t vfork() noexcept {
  // Outside a UE too a child that shares this frame could not be given: a plain fork has the same meaning.
  if (Ue* ue = calling_ue()) return refuse(*ue, "vfork", one_process);
  return fork();
}

int execve(const char* path, char* const arguments[], char* const environment[]) noexcept {
  return for_no_ue<"execve", int>(not_another, -1, path, arguments, environment);
}

int execv(const char* path, char* const arguments[]) noexcept {
  return for_no_ue<"execv", int>(not_another, -1, path, arguments);
}

int execvp(const char* file, char* const arguments[]) noexcept {
  return for_no_ue<"execvp", int>(not_another, -1, file, arguments);
}

int execvpe(const char* file, char* const arguments[], char* const environment[]) noexcept {
  return for_no_ue<"execvpe", int>(not_another, -1, file, arguments, environment);
}

int fexecve(int file, char* const arguments[], char* const environment[]) noexcept {
  return for_no_ue<"fexecve", int>(not_another, -1, file, arguments, environment);
}

int execl(const char* path, const char* argument, ...) noexcept {
  if (Ue* ue = calling_ue()) return refuse(*ue, "execl", not_another);
  va_list more;
  va_start(more, argument);
  const auto words = argument_list(argument, more);
  va_end(more);
  return execv(path, words.data());
}

int execlp(const char* file, const char* argument, ...) noexcept {
  if (Ue* ue = calling_ue()) return refuse(*ue, "execlp", not_another);
  va_list more;
  va_start(more, argument);
  const auto words = argument_list(argument, more);
  va_end(more);
  return execvp(file, words.data());
}

int execle(const char* path, const char* argument, ...) noexcept {
  if (Ue* ue = calling_ue()) return refuse(*ue, "execle", not_another);
  va_list more;
  va_start(more, argument);
  const auto words = argument_list(argument, more);
  char* const* environment = va_arg(more, char* const*);
  va_end(more);
  return execve(path, words.data(), environment);
}

int daemon(int same_folder, int same_streams) noexcept {
  return for_no_ue<"daemon", int>(one_process, -1, same_folder, same_streams);
}

int forkpty(int* master, char* name, const struct termios* settings, const struct winsize* size) noexcept {
  return for_no_ue<"forkpty", int>(one_process, -1, master, name, settings, size);
}

int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]) {
  if (Ue* ue = calling_ue())
    return spawn(*ue, child, path, false, actions, attributes, arguments, environment);
  return library_function<"posix_spawn", decltype(posix_spawn)>()(child, path, actions, attributes, arguments,
                                                                  environment);
}

int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]) {
  if (Ue* ue = calling_ue())
    return spawn(*ue, child, file, true, actions, attributes, arguments, environment);
  return library_function<"posix_spawnp", decltype(posix_spawnp)>()(child, file, actions, attributes,
                                                                    arguments, environment);
}

int system(const char* command) {
  Ue* ue = command == nullptr ? nullptr : calling_ue();
  if (ue != nullptr) return run_shell(*ue, command);
  return library_function<"system", decltype(system)>()(command);
}

FILE* popen(const char* command, const char* mode) {
  if (Ue* ue = calling_ue()) {
    note_asked(*ue, "popen()"); // what another program prints
    return open_shell(*ue, command, mode);
  }
  return library_function<"popen", decltype(popen)>()(command, mode);
}

} // extern "C"
