// SPDX-License-Identifier: Apache-2.0
// What every fuzz target has. A target is one function in one file: it reads the bytes as its parser's input,
// accepts mesh::UserError as an answer, and ends the process by FUZZ_CHECK when a promise is broken.
// libFuzzer calls it, or the driver in replay.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes);

#define FUZZ_CHECK(condition)                                                      \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                \
    }                                                                              \
  } while (false)

namespace fuzz {

inline std::string_view text(const std::uint8_t* data, std::size_t bytes) {
  return {reinterpret_cast<const char*>(data), bytes};
}

/// Whatever a file holds, the message about it is one line that a terminal can show.
inline void check_message(std::string_view message) {
  FUZZ_CHECK(!message.empty());
  for (const char c : message) FUZZ_CHECK(c >= ' ' && c <= '~');
}

/// The input as a file in memory, for parsers that take a path.
class File {
 public:
  File(const std::uint8_t* data, std::size_t bytes) : descriptor_(memfd_create("input", MFD_CLOEXEC)) {
    FUZZ_CHECK(descriptor_ >= 0);
    FUZZ_CHECK(syscall(SYS_write, descriptor_, data, bytes) == static_cast<long>(bytes));
  }
  ~File() { close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

} // namespace fuzz
