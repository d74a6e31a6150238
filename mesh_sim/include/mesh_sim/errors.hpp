// SPDX-License-Identifier: Apache-2.0
// The user's mistake, told in full: what was asked, what is wrong with it, what is allowed, what to do.
#pragma once

#include <cerrno>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mesh {

class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The host gives less than the run asks for. What can be done about it by options of rccerun stands apart,
/// for commands that have other ones.
class HostLimit : public UserError {
 public:
  HostLimit(const std::string& shortage, const std::string& remedy)
      : UserError(shortage + "; " + remedy), shortage_(shortage) {}
  [[nodiscard]] const std::string& shortage() const noexcept { return shortage_; }

 private:
  std::string shortage_;
};

/// Standard output, or standard error of a recording, has not taken what is written to it.
class OutputFailed : public UserError {
 public:
  using UserError::UserError;
  /// Standard output has not; errno has the reason.
  OutputFailed() : UserError(std::string("cannot write standard output: ") + std::strerror(errno)) {}
};

/// Text of a file as a message shows it: the file may hold anything.
[[nodiscard]] std::string shown(std::string_view text);

/// The entry of `names` nearest to `word` by edit distance; empty if none is near enough to be meant.
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> names);

} // namespace mesh
