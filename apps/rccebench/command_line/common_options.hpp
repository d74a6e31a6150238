// SPDX-License-Identifier: Apache-2.0
// Options that commands share: rccerun's, under its names, and where results go.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "command_line/command_line.hpp"
#include "lab.hpp"

namespace rccebench {

struct CommonOptions {
  std::string machine = "scc";
  bool some_machine = false;         ///< --machine is given
  std::vector<std::string> settings; ///< "SECTION.NAME=VALUE", or several values: "SECTION.NAME=2,4,8"
  std::string contention, granularity, frames; ///< rccerun's words; empty: the machine's
  std::string host_file;                       ///< empty: cores from 0 on
  bool statistics = false;
  std::string statistics_file; ///< empty: standard error
  std::string file;
  std::string report_file; ///< the HTML report; empty: none, "-": in place of what standard output would have
  Format format = Format::table;
  std::string shard, resume, cache; ///< as their options have them; empty: none
  int cache_mib = 1024;

  /// Values of one --set: several, each of which a run of everything, or one.
  enum class Values : std::uint8_t { several, one };

  /// Machine and output. Every command has at least these. Its help names the machines with the capability.
  void add_to(Command& command, std::optional<mesh::Capability> needs = {}, Values values = Values::several);
  void add_output_to(Command& command); ///< all but the machine
  /// Adds the options of the machine, without its name and frames.
  void add_settings_to(Command& command, Values values = Values::several);
  void add_hosts_to(Command& command);
  void add_statistics_to(Command& command);
  void add_report_to(Command& command);
  /// How a sweep is shared out and what of it is kept: --jobs, unless that is null, --shard, --resume,
  /// --cache. The store of results is open before the command runs.
  void add_sweep_to(Command& command, unsigned* jobs);

  /// The machine's name with what is set over it: "scc mesh.router_cycles=2".
  [[nodiscard]] std::string machine_name() const;
  /// The machine with the settings of the command line, each of one value (machine_sweep.hpp). Throws
  /// mesh::UserError for a --set that is no SECTION.NAME=VALUE.
  [[nodiscard]] rcce::MachineChoice choice() const;

 private:
  void open_store(std::vector<std::string> words);
};

/// With the settings of the command line, which its name then lists.
[[nodiscard]] Machine open_machine(const CommonOptions& options);

} // namespace rccebench
