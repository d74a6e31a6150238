// SPDX-License-Identifier: Apache-2.0
// The wrapper's options for others than the wrapper: part of librcce.so.
#include "rcce_emu/command_options.hpp"

#include "option_table.hpp"

namespace rcce {

std::vector<CommandOption> rccecc_options() {
  std::vector<CommandOption> options;
  for (const compiler::OptionRow& row : compiler::option_table())
    options.push_back({{std::string(row.name)}, row.value, row.help});
  return options;
}

} // namespace rcce
