// SPDX-License-Identifier: Apache-2.0
// The options of rccerun, a row each: names, value, help, and what each sets. Read by a table of our own: the
// original's are long names behind a single dash (-nue 4), which the usual libraries take for clusters of
// short ones (-n -u -e 4).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "front/launcher/options.hpp"
#include "rcce_emu/machine_choice.hpp"

namespace rcce {

/// Options while they are read. Those of the machine wait until the machine itself is known, whatever their
/// order.
struct Reading {
  LaunchOptions options;
  MachineChoice machine;
};

using Apply = std::function<void(Reading& reading, const std::string& option, const std::string& value)>;

struct Option {
  std::string_view names; ///< "nue n np": the first is the one to show
  std::string_view value; ///< placeholder; empty: takes none; "[=FILE]": may take one, behind a '='
  std::string_view help;  ///< a group's heading where names is empty
  Apply apply{};
  bool forward = true; ///< concerns the job, not the launcher alone
  bool writes_file = false;
};

[[nodiscard]] std::span<const Option> option_table();

[[nodiscard]] std::string_view first_name(const Option& option);
/// "-nue", "--machine": names of the original have one dash.
[[nodiscard]] std::string shown_option(std::string_view name);
[[nodiscard]] bool takes_optional_value(const Option& option);
/// By one of its names; `word` as written. Throws UserError, in the original's words, with the nearest name.
[[nodiscard]] const Option& find_option(const std::string& word, std::string_view name);

} // namespace rcce
