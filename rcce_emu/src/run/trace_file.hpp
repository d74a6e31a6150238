// SPDX-License-Identifier: Apache-2.0
// Where a run's timeline goes. A regular file holds valid JSON at any time: behind each part stands what
// closes it, and the next part is written over that, so that a process that is killed leaves a whole file,
// unless that is in the middle of such a write.
#pragma once

#include <cstdint>
#include <string_view>

namespace rcce::run {

class TraceFile {
 public:
  /// Of an open descriptor, which stays its owner's. What a regular file holds goes with the first part.
  explicit TraceFile(int fd) noexcept;
  /// Whole events. In any context; after a failure nothing more is written.
  void write(std::string_view events) noexcept;
  /// After the last part.
  void finish() noexcept;
  /// Number of the first error; 0: none.
  [[nodiscard]] int error() const noexcept { return error_; }

 private:
  void put(std::string_view text, std::int64_t at) noexcept;

  int fd_;
  bool regular_;
  std::int64_t length_ = 0; ///< of all events
  int error_ = 0;
};

} // namespace rcce::run
