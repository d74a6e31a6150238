// SPDX-License-Identifier: Apache-2.0
#include "engine/host/traced.hpp"

#include <fcntl.h>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

namespace rcce::host {

/// By system calls: their names are those of a UE's own files.
bool traced() noexcept {
  const long file = syscall(SYS_openat, AT_FDCWD, "/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char text[4096];
  const long bytes = syscall(SYS_read, file, text, sizeof text);
  syscall(SYS_close, file);
  constexpr std::string_view name = "\nTracerPid:\t";
  const std::string_view status(text, bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  const std::size_t at = status.find(name);
  return at != std::string_view::npos && status.substr(at + name.size(), 1) != "0";
}

} // namespace rcce::host
