// SPDX-License-Identifier: Apache-2.0
// Where a run's timeline goes. A regular file holds valid JSON at any time: behind each part stands what
// closes it, and the next part is written over that, so that a process that is killed leaves a whole file,
// unless that is in the middle of such a write. Where a part cannot be written (a full disk, ulimit -f) the
// file ends behind its last whole event, and a member "cut" says where and why.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mesh {

class TraceFile {
 public:
  /// Writes to an open descriptor, which its owner closes. A regular file loses its contents with the first
  /// write.
  explicit TraceFile(int fd) noexcept;
  /// Whole events. In any context; after a failure nothing more is written.
  void write(std::string_view events) noexcept;
  /// After the last part.
  void finish() noexcept;
  /// Number of the first error; 0: none.
  [[nodiscard]] int error() const noexcept { return error_; }

 private:
  /// Into a regular file. Returns how much could be written.
  std::size_t put(std::string_view text, std::int64_t at) noexcept;
  /// After a failure, of which so much of a part is left: ends the regular file with what tells of it.
  void cut(std::string_view written) noexcept;
  void end_at(std::int64_t length) noexcept;
  void note_time(std::string_view events) noexcept;

  int fd_;
  bool regular_;
  std::int64_t length_ = 0; ///< bytes of all events
  int error_ = 0;
  std::array<char, 32> time_{'0'}; ///< time of the last event, in us
  std::size_t time_length_ = 1;
};

} // namespace mesh
