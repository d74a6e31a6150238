// SPDX-License-Identifier: Apache-2.0
// The program's part of the library: a few small C files that every program is linked with, because what they
// define is the program's own or depends on how it was compiled. Their usual variants are compiled when
// Rockcreek is built (rccecc --prepare-image); the others, as with another RCCE_MAXNP, when a program is
// linked.
#pragma once

#include <string>

#include "command_line.hpp"
#include "installation.hpp"
#include "toolchain.hpp"

namespace rcce::compiler {

class ImagePart {
 public:
  ImagePart(const CommandLine& line, const Installation& here, const Toolchain& tools)
      : line_(line), here_(here), tools_(tools) {}

  /// Appends the objects to the words of a link; compiles them to `folder` where they are not prepared.
  /// Returns the status of a compilation that failed, or 0.
  int link(const Variant& variant, const std::string& folder, Words& linked) const;
  /// Likewise what a shared library gets of it.
  int link_library(const std::string& folder, Words& linked) const;
  /// Makes the one object that link() finds later. `output`: its file; empty: where link() looks.
  int prepare(const Variant& variant, const std::string& folder, const std::string& output) const;

 private:
  [[nodiscard]] Words macros(const Variant& variant) const;
  [[nodiscard]] std::string prepared(const Variant& variant) const;
  int compile_file(const std::string& source, const Words& macros, const std::string& object) const;
  int compile(const Variant& variant, const std::string& folder, Words& objects) const;

  const CommandLine& line_;
  const Installation& here_;
  const Toolchain& tools_;
};

} // namespace rcce::compiler
