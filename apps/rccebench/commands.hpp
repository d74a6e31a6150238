// The subcommands of rccebench. Each adds itself to the command line and runs when it was chosen; a file
// each.
#pragma once

#include <CLI/CLI.hpp>

#include "report.hpp"

namespace rccebench {

/// Exit status of a command: 0; 1 when a check that was asked for failed; 128 + n after signal n.
using Status = int;

void add_pingpong(CLI::App& app, Status& status);
void add_validate(CLI::App& app, Status& status);
void add_cost(CLI::App& app, Status& status);
void add_bcast(CLI::App& app, Status& status);
void add_barrier(CLI::App& app, Status& status);
void add_compare(CLI::App& app, Status& status);
void add_tune(CLI::App& app, Status& status);
void add_scaling(CLI::App& app, Status& status);
void add_thesis(CLI::App& app, Status& status);

/// Options that every command has.
struct CommonOptions {
  std::string machine = "scc";
  std::string file;
  Format format = Format::table;

  void add_to(CLI::App& command);
  void add_output_to(CLI::App& command); ///< all but the machine
};

} // namespace rccebench
