// SPDX-License-Identifier: Apache-2.0
// The subcommands of rccebench. Each adds itself to the command line and runs when it was chosen; a file
// each.
#pragma once

#include "command_line.hpp"
#include "machine_sweep.hpp"

namespace rccebench {

void add_pingpong(CommandLine& line, Status& status);
void add_validate(CommandLine& line, Status& status);
void add_cost(CommandLine& line, Status& status);
void add_explore(CommandLine& line, Status& status);
void add_likelihood(CommandLine& line, Status& status);
void add_bcast(CommandLine& line, Status& status);
void add_barrier(CommandLine& line, Status& status);
void add_reduce(CommandLine& line, Status& status);
void add_allreduce(CommandLine& line, Status& status);
void add_compare(CommandLine& line, Status& status);
void add_tune(CommandLine& line, Status& status);
void add_scaling(CommandLine& line, Status& status);
void add_thesis(CommandLine& line, Status& status);
void add_grade(CommandLine& line, Status& status);
void add_show(CommandLine& line, Status& status);
void add_plot(CommandLine& line, Status& status);
void add_reproduce(CommandLine& line, Status& status);

/// All of them.
void add_commands(CommandLine& line, Status& status);

} // namespace rccebench
