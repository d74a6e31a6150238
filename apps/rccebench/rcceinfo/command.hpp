// SPDX-License-Identifier: Apache-2.0
// rcceinfo: another name of rccebench, by which it explains options, machine parameters, environment
// variables, machines, algorithms and statistics, and writes what shells complete words by.
#pragma once

#include <string>
#include <vector>

#include "command_line/command_line.hpp"

namespace rccebench::info {

int run(int argc, char** argv);

/// The commands of rccebench with their options, those on a cluster among them; the first has no name.
[[nodiscard]] std::vector<CommandDescription> bench_commands();
/// rcceinfo's own options, as the only command.
[[nodiscard]] std::vector<CommandDescription> own_command();

/// A script for that shell: "bash", "zsh" or "fish"; fish wants one for each command.
[[nodiscard]] std::string completion(const std::string& shell, const std::string& command);

} // namespace rccebench::info
