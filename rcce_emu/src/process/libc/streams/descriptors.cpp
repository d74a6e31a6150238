// SPDX-License-Identifier: Apache-2.0
#include "process/libc/streams/descriptors.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

#include "process/libc/exports.hpp"
#include "process/libc/state/host_values.hpp"
#include "process/libc/state/standard_streams.hpp"
#include "process/libc/waits/locks.hpp"
#include "process/libc/waits/readiness.hpp"
#include "process/run/output.hpp"

// Descriptors by system calls where the process's are meant: the functions of these names act on the calling
// UE's.
namespace rcce::libc {
namespace {

process::OutputStream& stream_of(Ue& ue, int fd) {
  return ue.process->c.stream[static_cast<std::size_t>(fd - 1)];
}

[[nodiscard]] bool same_file(int a, int b) noexcept {
  struct stat x {
  }, y{};
  static auto* const real = real_function<int(int, struct stat*)>("fstat");
  return real(a, &x) == 0 && real(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/// The runtime's own: programs that a UE starts do not find it.
int duplicate(int fd) noexcept {
  return static_cast<int>(syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 3));
}

void forget_kept(Ue& ue, int fd) {
  std::erase_if(ue.process->c.kept_streams, [fd](const auto& kept) { return kept.first == fd; });
}

/// A new descriptor for what `fd` of the UE leads to; notes where that is the job's output.
template <class Make>
int duplicate_by(Ue& ue, int fd, Make make) {
  bool empty = false;
  const int actual = actual_descriptor(ue, fd, empty);
  if (empty) return static_cast<int>(syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDONLY));
  if (actual < 0) return failed(EBADF);
  const int made = make(actual);
  const int target = is_output(fd) ? stream_of(ue, fd).target : kept_stream(ue, fd);
  if (made > 2) forget_kept(ue, made);
  if (made > 2 && target != 0) ue.process->c.kept_streams.emplace_back(made, target);
  return made;
}

/// Which UE has chosen a number from 3 on, by dup2(). The process has one set of these for all UEs, so
/// another UE's file would take the place of the first one's.
class ChosenNumbers {
 public:
  /// Lets `make` open the number before another UE can ask for it, and returns its result. -1, and told: the
  /// number is another UE's.
  template <class Make>
  int choose(Ue& ue, const char* call, int fd, Make make) {
    const std::lock_guard hold(lock_);
    if (by_ == nullptr) by_ = new std::map<int, const Ue*>; // to the very end of the process
    const auto found = by_->find(fd);
    if (found != by_->end() && found->second != &ue && syscall(SYS_fcntl, fd, F_GETFD) != -1) {
      refuse(ue, call,
             "because another UE has chosen the same number, and descriptors from 3 on are one set "
             "for all UEs; use dup() or fcntl(F_DUPFD)");
      return failed(EBUSY);
    }
    (*by_)[fd] = &ue;
    return make();
  }
  void forget(int fd) {
    const std::lock_guard hold(lock_);
    if (by_ != nullptr) by_->erase(fd);
  }

 private:
  std::mutex lock_;
  std::map<int, const Ue*>* by_ = nullptr;
};

// There from the start: UEs on threads close descriptors at the same time.
constinit ChosenNumbers chosen_numbers;

/// The first closed one of the UE's first three descriptors; -1: all are open.
int first_closed(Ue& ue) {
  const process::InputStream& input = ue.process->c.input;
  if (!input.given && input.file < 0) return 0;
  for (const int fd : {1, 2})
    if (stream_of(ue, fd).target == 0 && stream_of(ue, fd).file < 0) return fd;
  return -1;
}

/// dup2() onto one of the UE's first three.
int duplicate_onto(Ue& ue, int from, int to) {
  bool empty = false;
  const int actual = actual_descriptor(ue, from, empty);
  if (actual < 0 && !empty) return failed(EBADF);
  if (from == to) return to;
  if (!is_output(to)) {
    const bool given_again = !empty && from > 2 && reads_standard_input(&ue) && same_file(from, 0);
    const int copy =
        empty ? static_cast<int>(syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDONLY)) : duplicate(actual);
    if (copy < 0) return -1;
    redirect_input(ue, copy);
    if (!given_again) return to;
    syscall(SYS_close, std::exchange(ue.process->c.input.file, -1));
    ue.process->c.input.given = true;
    ue.process->c.variables.input = process_stream(0);
    return to;
  }
  const int kept = kept_stream(ue, from);
  if (kept != 0) { // a duplicate that was kept to undo a redirection
    redirect(ue, to, kept, -1);
  } else if (is_output(from) && stream_of(ue, from).target != 0) {
    redirect(ue, to, stream_of(ue, from).target, -1);
  } else {
    const int copy = duplicate(actual);
    if (copy < 0) return -1;
    redirect(ue, to, 0, copy);
  }
  return to;
}

/// A duplicate in the lowest number that is free from `least` on.
template <class Make>
int duplicate_from(Ue& ue, int fd, int least, Make make) {
  const int made = duplicate_by(ue, fd, make);
  const int lowest = first_closed(ue);
  if (made < 0 || lowest < least) return made;
  duplicate_onto(ue, made, lowest);
  forget_kept(ue, made);
  syscall(SYS_close, made);
  return lowest;
}

/// dup2() and dup3(): in a number that the caller chooses, which `make(actual, to)` opens.
template <class Make>
int duplicate_as(const char* call, int from, int to, Make make) {
  Ue* ue = calling_ue();
  if (ue == nullptr) return make(from, to);
  if (to >= 0 && to <= 2) return duplicate_onto(*ue, from, to);
  const auto open_number = [&] {
    return duplicate_by(*ue, from, [&](int actual) { return make(actual, to); });
  };
  return to > 2 && from != to ? chosen_numbers.choose(*ue, call, to, open_number) : open_number();
}

/// fcntl() of a UE, whose argument is a number or an address.
int control(Ue& ue, int fd, int command, long argument) {
  switch (command) {
  case F_DUPFD:
  case F_DUPFD_CLOEXEC: {
    const int least = static_cast<int>(argument);
    return duplicate_from(ue, fd, least, [&](int actual) {
      return static_cast<int>(syscall(SYS_fcntl, actual, command, least >= 0 && least < 3 ? 3 : least));
    });
  }
  case F_GETLK:
  case F_SETLK:
  case F_SETLKW:
    return lock_record(fd, command, reinterpret_cast<struct flock*>(argument));
  default: {
    bool empty = false;
    const int actual = actual_descriptor(ue, fd, empty);
    return library_function<"fcntl", decltype(fcntl)>()(empty ? fd : actual, command, argument);
  }
  }
}

/// open() by one of its names.
template <host::Symbol name>
int open_lowest(int folder, const char* path, int flags, mode_t mode) {
  Ue* ue = calling_ue();
  note_opened(path, (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0);
  auto* const real = library_function<name, int(int, const char*, int, mode_t)>();
  const int fd =
      waits_for_other_end(path, flags) ? open_pipe(folder, path, flags) : real(folder, path, flags, mode);
  return ue == nullptr || fd < 0 ? fd : take_lowest(*ue, fd);
}

} // namespace

int actual_descriptor(Ue& ue, int fd, bool& empty) noexcept {
  const process::InputStream& input = ue.process->c.input;
  empty = fd == 0 && input.given && !reads_standard_input(&ue);
  if (empty) return -1;
  if (fd == 0) return input.given ? 0 : input.file;
  if (!is_output(fd)) return fd;
  const process::OutputStream& stream = stream_of(ue, fd);
  return stream.target == 0 ? stream.file : stream.target;
}

int kept_stream(const Ue& ue, int fd) noexcept {
  const auto& kept = ue.process->c.kept_streams;
  const auto found = std::ranges::find(kept, fd, &std::pair<int, int>::first);
  return found == kept.end() ? 0 : found->second;
}

void redirect(Ue& ue, int fd, int target, int file) {
  process::OutputStream& stream = stream_of(ue, fd);
  ue.process->c.output->end_line(ue, fd);
  if (stream.target == 0 && stream.file >= 0) syscall(SYS_close, stream.file);
  stream.target = target;
  stream.file = file;
}

void redirect_input(Ue& ue, int file) {
  CLibrary& c = ue.process->c;
  const bool is_own = standard_stream_number(c.variables.input) == 0 || c.input.stream == c.variables.input;
  if (c.input.file >= 0) syscall(SYS_close, c.input.file);
  c.input.given = false;
  c.input.file = file;
  if (file < 0 || !is_own) return; // `stdin` has been led elsewhere
  const int copy = duplicate(file);
  if (copy < 0) return;
  c.input.stream = c.variables.input = fdopen(copy, "r");
}

int take_lowest(Ue& ue, int fd) {
  forget_kept(ue, fd);
  const int lowest = first_closed(ue);
  if (lowest < 0) return fd;
  if (lowest == 0)
    redirect_input(ue, fd);
  else
    redirect(ue, lowest, 0, fd);
  return lowest;
}

} // namespace rcce::libc

using namespace rcce;
using namespace rcce::libc;

extern "C" {

int close(int fd) {
  Ue* ue = calling_ue();
  if (ue != nullptr && is_output(fd)) {
    redirect(*ue, fd, 0, -1);
    return 0;
  }
  if (ue != nullptr && fd == 0) {
    redirect_input(*ue, -1);
    return 0;
  }
  if (ue != nullptr) chosen_numbers.forget(fd);
  if (ue != nullptr && !ue->process->c.kept_streams.empty()) forget_kept(*ue, fd);
  return library_function<"close", decltype(close)>()(fd);
}

int dup(int fd) noexcept {
  static auto* const real = real_function<int(int)>("dup");
  Ue* ue = calling_ue();
  if (ue == nullptr) return real(fd);
  return duplicate_from(*ue, fd, 0, [](int actual) { return real(actual); });
}

int dup2(int from, int to) noexcept {
  static auto* const real = real_function<int(int, int)>("dup2");
  return duplicate_as("dup2", from, to, real);
}

int dup3(int from, int to, int flags) noexcept {
  static auto* const real = real_function<int(int, int, int)>("dup3");
  return duplicate_as("dup3", from, to,
                      [flags](int actual, int number) { return real(actual, number, flags); });
}

} // extern "C"

namespace {

/// The mode that follows the flags of open().
mode_t mode_of(int flags, va_list& more) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;
}

} // namespace

extern "C" {

// By their symbols: headers declare them with attributes of their own. With files of any size, a function
// and its form for large files are one.
int rockcreek_fcntl(int fd, int command, ...) __asm__("fcntl");
int rockcreek_fcntl64(int fd, int command, ...) __asm__("fcntl64") __attribute__((alias("fcntl")));
int rockcreek_fcntl(int fd, int command, ...) {
  va_list more;
  va_start(more, command);
  const long argument = va_arg(more, long);
  va_end(more);
  if (Ue* ue = calling_ue()) return control(*ue, fd, command, argument);
  return library_function<"fcntl", decltype(fcntl)>()(fd, command, argument);
}

int rockcreek_open(const char* path, int flags, ...) __asm__("open");
int rockcreek_open64(const char* path, int flags, ...) __asm__("open64") __attribute__((alias("open")));
int rockcreek_open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return open_lowest<"openat">(AT_FDCWD, path, flags, mode);
}

int rockcreek_openat(int folder, const char* path, int flags, ...) __asm__("openat");
int rockcreek_openat64(int folder, const char* path, int flags, ...) __asm__("openat64")
    __attribute__((alias("openat")));
int rockcreek_openat(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return open_lowest<"openat">(folder, path, flags, mode);
}

int creat(const char* path, mode_t mode) {
  return open_lowest<"openat">(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
int creat64(const char* path, mode_t mode) {
  return creat(path, mode);
}

int isatty(int fd) noexcept {
  static auto* const real = real_function<int(int)>("isatty");
  Ue* ue = fd >= 0 && fd <= 2 ? calling_ue() : nullptr;
  bool empty = false;
  return real(ue == nullptr ? fd : actual_descriptor(*ue, fd, empty));
}

off_t lseek(int fd, off_t offset, int whence) noexcept {
  static auto* const real = real_function<off_t(int, off_t, int)>("lseek");
  Ue* ue = fd >= 0 && fd <= 2 ? calling_ue() : nullptr;
  bool empty = false;
  return real(ue == nullptr ? fd : actual_descriptor(*ue, fd, empty), offset, whence);
}
off64_t lseek64(int fd, off64_t offset, int whence) noexcept {
  return lseek(fd, offset, whence);
}

int fstat(int fd, struct stat* facts) noexcept {
  static auto* const real = real_function<int(int, struct stat*)>("fstat");
  Ue* ue = fd >= 0 && fd <= 2 ? calling_ue() : nullptr;
  bool empty = false;
  return real(ue == nullptr ? fd : actual_descriptor(*ue, fd, empty), facts);
}
int fstat64(int fd, struct stat64* facts) noexcept {
  return fstat(fd, reinterpret_cast<struct stat*>(facts));
}

} // extern "C"
