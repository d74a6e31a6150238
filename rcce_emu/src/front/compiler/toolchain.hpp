// SPDX-License-Identifier: Apache-2.0
// The compiler that does the work, and what it has to be told so that programs come out loadable.
#pragma once

#include <string>

#include "command_line.hpp"
#include "installation.hpp"

namespace rcce::compiler {

class Toolchain {
 public:
  /// The compiler of --cc, or clang where there is one, else gcc. Throws std::runtime_error if there is none.
  Toolchain(const CommandLine& line, Language language, const Installation& here);

  [[nodiscard]] const std::string& command() const noexcept { return command_; }
  [[nodiscard]] bool clang() const noexcept { return clang_; }
  /// True if loops that wait for memory are made to yield.
  [[nodiscard]] bool yields_in_loops() const noexcept { return !pass_.empty() || spin_hooks_; }
  /// True if programs are made to count the cycles of their own code.
  [[nodiscard]] bool counts_cycles() const noexcept { return !counting_pass_.empty(); }

  /// Settings before the user's own options, for one source.
  [[nodiscard]] Words compile_settings(Input::Kind kind, const CommandLine& line) const;
  /// The user's options without those that this compiler would refuse.
  [[nodiscard]] Words accepted(const Words& options, Input::Kind kind) const;
  /// Settings that make the result of a link a loadable program, before the inputs.
  [[nodiscard]] Words link_settings(const CommandLine& line) const;
  /// An option by which no name that a program or its library defines stands in for the C library's.
  [[nodiscard]] Words own_names(const CommandLine& line) const;
  /// What the host lacks to compile anything, or nothing.
  [[nodiscard]] std::string missing_library() const;
  /// Words behind all inputs.
  [[nodiscard]] Words link_end(const CommandLine& line) const;

 private:
  const Installation& here_;
  std::string command_;
  bool clang_ = false;
  bool spin_hooks_ = false;
  Language language_;
  std::string pass_;
  std::string observing_pass_; ///< plugin of --observe
  std::string counting_pass_;
  std::string memory_pass_; ///< plugin of --memory
};

} // namespace rcce::compiler
