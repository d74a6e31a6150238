// SPDX-License-Identifier: Apache-2.0
// The standard streams and their descriptors per UE. Text goes to the job's output; what would act on the
// streams of all UEs at once (buffering, closing, redirecting) acts on the calling UE's.
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "process/libc/exports.hpp"
#include "process/libc/state/standard_streams.hpp"
#include "process/libc/streams/descriptors.hpp"
#include "process/libc/streams/files.hpp"
#include "process/libc/waits/host_wait.hpp"
#include "process/libc/waits/readiness.hpp"
#include "process/run/output.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

ssize_t write_output(Ue& ue, int fd, std::string_view text) {
  run::Output& to = *ue.process->c.output;
  const int error = is_output(fd) ? to.write(ue, fd, text) : to.write_kept(ue, kept_stream(ue, fd), text);
  ue.process->c.output->give_way(ue);
  if (error == 0) return static_cast<ssize_t>(text.size());
  return failed(error);
}

bool leads_to_output(const Ue& ue, int fd) noexcept {
  return is_output(fd) || kept_stream(ue, fd) != 0;
}

/// open() flags of an fopen() mode.
int open_flags(const char* mode) {
  const bool update = std::strchr(mode, '+') != nullptr;
  switch (*mode) {
  case 'r':
    return update ? O_RDWR : O_RDONLY;
  case 'a':
    return (update ? O_RDWR : O_WRONLY) | O_CREAT | O_APPEND;
  default:
    return (update ? O_RDWR : O_WRONLY) | O_CREAT | O_TRUNC;
  }
}

} // namespace

extern "C" {

ssize_t write(int fd, const void* text, size_t bytes) {
  static auto* const real = real_function<ssize_t(int, const void*, size_t)>("write");
  Ue* ue = calling_ue();
  if (ue == nullptr) return real(fd, text, bytes);
  if (leads_to_output(*ue, fd)) return write_output(*ue, fd, {static_cast<const char*>(text), bytes});
  return write_in_turn(fd, text, bytes);
}

ssize_t writev(int fd, const struct iovec* parts, int count) {
  static auto* const real = real_function<ssize_t(int, const struct iovec*, int)>("writev");
  Ue* ue = calling_ue();
  if (ue == nullptr || !leads_to_output(*ue, fd)) {
    await_descriptor("writev()", fd, POLLOUT);
    return real(fd, parts, count);
  }
  std::string text;
  for (int i = 0; i < count; ++i) text.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
  return write_output(*ue, fd, text);
}

ssize_t read(int fd, void* buffer, size_t bytes) {
  static auto* const real = real_function<ssize_t(int, void*, size_t)>("read");
  Ue* ue = calling_ue();
  if (ue == nullptr) return real(fd, buffer, bytes);
  bool empty = false;
  const int actual = actual_descriptor(*ue, fd, empty);
  if (empty) return 0;
  if (actual > 2) await_descriptor("read()", actual, POLLIN);
  return real(actual, buffer, bytes);
}

int vdprintf(int fd, const char* format, va_list arguments) {
  Ue* ue = calling_ue();
  if (ue == nullptr || !leads_to_output(*ue, fd))
    return library_function<"vdprintf", decltype(vdprintf)>()(fd, format, arguments);
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  if (length < 0) return length;
  std::string text(static_cast<std::size_t>(length), '\0'); // not in the UE's heap, which may be full
  std::vsnprintf(text.data(), text.size() + 1, format, arguments);
  return static_cast<int>(write_output(*ue, fd, text));
}

int dprintf(int fd, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = vdprintf(fd, format, arguments);
  va_end(arguments);
  return result;
}

int __dprintf_chk(int fd, int, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = vdprintf(fd, format, arguments);
  va_end(arguments);
  return result;
}

int fflush(FILE* file) {
  static auto* const real = real_function<int(FILE*)>("fflush");
  Ue* ue = calling_ue();
  if (ue != nullptr) {
    // Nothing is held back in the stream, and a line stays whole; but others may write first what is earlier.
    if (file == nullptr || standard_stream_number(file) > 0) ue->process->c.output->flush(*ue);
    return file == nullptr || standard_stream_number(file) < 0 ? real(file) : 0;
  }
  // Text that is no UE's waits in the stream that was there before ours.
  const int fd = standard_stream_number(file);
  return real(fd > 0 && process_stream(fd) != nullptr ? process_stream(fd) : file);
}

int fclose(FILE* file) {
  static auto* const real = real_function<int(FILE*)>("fclose");
  Ue* ue = calling_ue();
  const int fd = ue == nullptr ? -1 : standard_stream_number(file);
  if (fd < 0) {
    const int result = real(file);
    forget_buffer(file);
    return result;
  }
  if (is_output(fd)) redirect(*ue, fd, 0, -1);
  return 0;
}

FILE* freopen(const char* path, const char* mode, FILE* file) {
  static auto* const real = real_function<FILE*(const char*, const char*, FILE*)>("freopen");
  Ue* ue = calling_ue();
  const int fd = ue == nullptr ? -1 : standard_stream_number(file);
  if (fd < 0) return real(path, mode, file);
  if (path == nullptr) return file; // a change of mode only
  if (fd == 0) {
    FILE* opened = std::fopen(path, mode);
    if (opened != nullptr) ue->process->c.variables.input = opened;
    return opened;
  }
  const int opened =
      static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, open_flags(mode) | O_CLOEXEC, 0666));
  if (opened < 0) return nullptr;
  redirect(*ue, fd, 0, opened);
  return file;
}

FILE* freopen64(const char* path, const char* mode, FILE* file) {
  return freopen(path, mode, file);
}

int fileno(FILE* file) noexcept {
  const int fd = standard_stream_number(file);
  if (fd >= 0) return fd;
  return library_function<"fileno", decltype(fileno)>()(file);
}

int fileno_unlocked(FILE* file) noexcept {
  return fileno(file);
}

int setvbuf(FILE* file, char* buffer, int mode, size_t bytes) noexcept {
  // The streams of all UEs are one, and it is not buffered: see standard_streams.cpp.
  if (standard_stream_number(file) > 0 && calling_ue() != nullptr)
    return mode == _IOFBF || mode == _IOLBF || mode == _IONBF ? 0 : -1;
  return library_function<"setvbuf", decltype(setvbuf)>()(file, buffer, mode, bytes);
}

void setbuf(FILE* file, char* buffer) noexcept {
  setvbuf(file, buffer, buffer == nullptr ? _IONBF : _IOFBF, BUFSIZ);
}

void setbuffer(FILE* file, char* buffer, size_t bytes) noexcept {
  setvbuf(file, buffer, buffer == nullptr ? _IONBF : _IOFBF, bytes);
}

void setlinebuf(FILE* file) noexcept {
  setvbuf(file, nullptr, _IOLBF, 0);
}

/// std::ios_base::sync_with_stdio(bool). With `false` the C++ library would give std::cout a buffer of its
/// own, past the job's output.
bool rockcreek_sync_with_stdio(bool) __asm__("_ZNSt8ios_base15sync_with_stdioEb");
bool rockcreek_sync_with_stdio(bool) {
  return true;
}

} // extern "C"
