// SPDX-License-Identifier: Apache-2.0
#include "run/trace_file.hpp"

#include <cerrno>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mesh_sim/observe/trace.hpp"

namespace rcce::run {

TraceFile::TraceFile(int fd) noexcept : fd_(fd) {
  struct stat file {};
  regular_ = fstat(fd, &file) == 0 && S_ISREG(file.st_mode);
}

void TraceFile::write(std::string_view events) noexcept {
  if (regular_ && length_ == 0 && syscall(SYS_ftruncate, fd_, 0) != 0) error_ = errno;
  put(events, length_);
  length_ += static_cast<std::int64_t>(events.size());
  if (regular_) put(mesh::Trace::closing, length_);
}

void TraceFile::finish() noexcept {
  if (!regular_) put(mesh::Trace::closing, length_);
}

/// By system calls: the C library's functions are those of the UE that is running.
void TraceFile::put(std::string_view text, std::int64_t at) noexcept {
  while (!text.empty() && error_ == 0) {
    const long n = regular_ ? syscall(SYS_pwrite64, fd_, text.data(), text.size(), at)
                            : syscall(SYS_write, fd_, text.data(), text.size());
    if (n < 0) {
      if (errno != EINTR) error_ = errno;
      continue;
    }
    text.remove_prefix(static_cast<std::size_t>(n));
    at += n;
  }
}

} // namespace rcce::run
