// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/trace_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

#include "mesh_sim/fixed_text.hpp"
#include "mesh_sim/observe/trace.hpp"
#include "mesh_sim/output_file.hpp"

namespace mesh {
namespace {

/// Behind each part stands so much, which has room for what tells that the file is cut.
constexpr std::size_t room = 192;

/// Trace::closing behind a line of blanks.
constexpr std::array<char, room> padded_closing() {
  std::array<char, room> text{};
  text.fill(' ');
  text[0] = '\n';
  const std::string_view closing = Trace::closing;
  for (std::size_t i = 0; i < closing.size(); ++i) text[room - closing.size() + i] = closing[i];
  return text;
}

std::string_view view(const std::array<char, room>& text) {
  return {text.data(), text.size()};
}

} // namespace

TraceFile::TraceFile(int fd) noexcept : fd_(fd) {
  struct stat file {};
  regular_ = fstat(fd, &file) == 0 && S_ISREG(file.st_mode);
}

void TraceFile::write(std::string_view events) noexcept {
  if (error_ != 0) return;
  if (!regular_) {
    error_ = write_whole(fd_, events);
    return;
  }
  static constexpr std::array<char, room> closing = padded_closing();
  if (length_ == 0 && syscall(SYS_ftruncate, fd_, 0) != 0) error_ = errno;
  const std::size_t written = put(events, length_);
  if (error_ == 0) put(view(closing), length_ + static_cast<std::int64_t>(events.size()));
  if (error_ != 0) return cut(events.substr(0, written));
  length_ += static_cast<std::int64_t>(events.size());
  note_time(events);
}

void TraceFile::finish() noexcept {
  if (error_ != 0) return;
  if (!regular_) {
    error_ = write_whole(fd_, Trace::closing);
    return;
  }
  put(Trace::closing, length_);
  end_at(length_ + static_cast<std::int64_t>(Trace::closing.size()));
}

/// By system calls: the C library's functions are those of the UE that is running.
std::size_t TraceFile::put(std::string_view text, std::int64_t at) noexcept {
  const SizeLimitFails fails;
  std::size_t written = 0;
  while (written < text.size() && error_ == 0) {
    const long n = syscall(SYS_pwrite64, fd_, text.data() + written, text.size() - written,
                           at + static_cast<std::int64_t>(written));
    if (n >= 0)
      written += static_cast<std::size_t>(n);
    else if (errno != EINTR)
      error_ = errno;
  }
  return written;
}

void TraceFile::cut(std::string_view written) noexcept {
  // The mark takes the place of events where these leave no room for it.
  const std::size_t least = written.size() < room ? 0 : written.size() - room;
  std::size_t whole = written.rfind(",\n", least);
  if (whole == std::string_view::npos) whole = 0;
  const int error = std::exchange(error_, 0);
  note_time(written.substr(0, whole));
  length_ += static_cast<std::int64_t>(whole);
  if (length_ > 0) {
    std::array<char, room> text;
    const std::string_view time(time_.data(), time_length_);
    const char* const known = strerrordesc_np(error);
    const char* const why = known != nullptr ? known : "cannot be written";
    const std::size_t length = format_into(text, "\n],\"cut\":\"behind the event at {} us: {}\"}}\n",
                                           fmt::make_format_args(time, why));
    put({text.data(), length}, length_);
    length_ += static_cast<std::int64_t>(length);
  }
  end_at(length_);
  error_ = error;
}

void TraceFile::end_at(std::int64_t length) noexcept {
  if (error_ == 0 && syscall(SYS_ftruncate, fd_, length) != 0) error_ = errno;
}

void TraceFile::note_time(std::string_view events) noexcept {
  constexpr std::string_view name = "\"ts\":";
  const std::size_t at = events.rfind(name);
  if (at == std::string_view::npos) return;
  events.remove_prefix(at + name.size());
  const std::string_view time = events.substr(0, events.find_first_not_of("0123456789."));
  time_length_ = std::min(time.size(), time_.size());
  std::memcpy(time_.data(), time.data(), time_length_);
}

} // namespace mesh
