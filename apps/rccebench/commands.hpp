// The subcommands of rccebench. Each adds itself to the command line and runs when it was chosen; a file
// each.
#pragma once

#include <string>
#include <vector>

#include "command_line.hpp"

namespace rccebench {

/// Exit status of a command: 0; 1 when a check that was asked for failed; 128 + n after signal n.
using Status = int;

void add_pingpong(CommandLine& line, Status& status);
void add_validate(CommandLine& line, Status& status);
void add_cost(CommandLine& line, Status& status);
void add_explore(CommandLine& line, Status& status);
void add_bcast(CommandLine& line, Status& status);
void add_barrier(CommandLine& line, Status& status);
void add_reduce(CommandLine& line, Status& status);
void add_allreduce(CommandLine& line, Status& status);
void add_compare(CommandLine& line, Status& status);
void add_tune(CommandLine& line, Status& status);
void add_scaling(CommandLine& line, Status& status);
void add_thesis(CommandLine& line, Status& status);
void add_reproduce(CommandLine& line, Status& status);

/// Options that every command has.
struct CommonOptions {
  std::string machine = "scc";
  std::vector<std::string> settings; ///< "SECTION.NAME=VALUE", or several values: "SECTION.NAME=2,4,8"
  std::string contention;            ///< "on", "off"; empty: the machine's
  std::string file;
  Format format = Format::table;

  void add_to(Command& command);
  void add_output_to(Command& command); ///< all but the machine
};

} // namespace rccebench
