// SPDX-License-Identifier: Apache-2.0
// The options of rccerun and rccecc as tables: for whoever explains or completes them. What the commands read
// and show in their help are the same rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rcce {

struct CommandOption {
  std::vector<std::string> names; ///< as they are written, the first to show: "--machine"
  std::string_view value;         ///< placeholder; "[=FILE]": may take one, behind a '='; empty: takes none
  std::string_view help;          ///< a default stands in it as "(default: ...)"
};

[[nodiscard]] std::vector<CommandOption> rccerun_options();
/// The wrapper's own: others are passed on to the compiler.
[[nodiscard]] std::vector<CommandOption> rccecc_options();

} // namespace rcce
