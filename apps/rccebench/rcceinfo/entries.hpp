// SPDX-License-Identifier: Apache-2.0
// What rcceinfo knows: everything that can be named at a command line, in a machine file or in a result, out
// of the tables that the commands themselves read.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rcce_emu/machine_choice.hpp"

namespace rccebench::info {

struct Entry {
  std::string section = {};            ///< "options": the word that asks for all of its kind
  std::string of = {};                 ///< its command, kind of machine, operation ...
  std::vector<std::string> names = {}; ///< as they are written, the first to show; never empty
  std::string takes = {};              ///< values of an option: "on|off", "FILE"
  std::string value = {};              ///< in force
  std::string standard = {};           ///< default value
  std::string unit = {};
  std::string origin = {}; ///< source of the value
  std::string meaning = {};
};

/// Which machine's values count; empty: those of each kind's first machine.
struct Choice {
  std::string machine;
  std::vector<std::string> settings; ///< "SECTION.NAME=VALUE"
};

[[nodiscard]] std::vector<Entry> options();
[[nodiscard]] std::vector<Entry> parameters(const Choice& choice);
[[nodiscard]] std::vector<Entry> variables();
[[nodiscard]] std::vector<Entry> machines();
[[nodiscard]] std::vector<Entry> algorithms();
[[nodiscard]] std::vector<Entry> statistics();
[[nodiscard]] std::vector<Entry> instructions();
[[nodiscard]] std::vector<Entry> measurements();

struct Section {
  std::string_view name;
  std::string_view title;
  std::vector<Entry> (*entries)(const Choice& choice);
};
[[nodiscard]] std::span<const Section> sections();

/// "(default: blocks)" in a help text: what stands behind the colon; empty where there is none.
[[nodiscard]] std::string default_in(std::string_view help);

} // namespace rccebench::info
