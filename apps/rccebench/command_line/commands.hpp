// SPDX-License-Identifier: Apache-2.0
// The subcommands of rccebench, in the order of --help. Each is one file, which defines add_NAME(): it adds
// the command to the command line and runs when that was chosen. A command more is that file and a row here.
// `external` adds those that are programs of their own.
// `collectives` adds one for each operation.
#pragma once

#include "command_line/command_line.hpp"
#include "command_line/machine_sweep.hpp"

// clang-format off
#define ROCKCREEK_COMMANDS(row) \
  row(pingpong) \
  row(validate) \
  row(calibrate) \
  row(cost) \
  row(explore) \
  row(likelihood) \
  row(collectives) \
  row(compare) \
  row(tune) \
  row(scaling) \
  row(search) \
  row(power) \
  row(points) \
  row(quantities) \
  row(merge) \
  row(thesis) \
  row(grade) \
  row(show) \
  row(reproduce) \
  row(external)
// clang-format on

namespace rccebench {

#define ROCKCREEK_DECLARE(name) void add_##name(CommandLine& line, Status& status);
ROCKCREEK_COMMANDS(ROCKCREEK_DECLARE)
#undef ROCKCREEK_DECLARE

/// All of them.
inline void add_commands(CommandLine& line, Status& status) {
#define ROCKCREEK_ADD(name) add_##name(line, status);
  ROCKCREEK_COMMANDS(ROCKCREEK_ADD)
#undef ROCKCREEK_ADD
}

} // namespace rccebench
