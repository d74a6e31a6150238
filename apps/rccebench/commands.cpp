// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

namespace rccebench {

void add_commands(CommandLine& line, Status& status) {
  add_pingpong(line, status);
  add_validate(line, status);
  add_cost(line, status);
  add_explore(line, status);
  add_likelihood(line, status);
  add_bcast(line, status);
  add_barrier(line, status);
  add_reduce(line, status);
  add_allreduce(line, status);
  add_compare(line, status);
  add_tune(line, status);
  add_scaling(line, status);
  add_thesis(line, status);
  add_grade(line, status);
  add_show(line, status);
  add_plot(line, status);
  add_reproduce(line, status);
}

} // namespace rccebench
