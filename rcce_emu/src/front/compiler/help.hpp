// SPDX-License-Identifier: Apache-2.0
// The texts of rccecc --help and --version.
#pragma once

#include <string>

namespace rcce::compiler {

[[nodiscard]] std::string help_text(const std::string& name);
/// The usage text with examples, for a command line without files.
[[nodiscard]] std::string usage_text(const std::string& name);
/// Two lines: the release, and the compiler in use with what it can do.
[[nodiscard]] std::string version_text(const std::string& compiler, bool yields_in_loops);

} // namespace rcce::compiler
