// SPDX-License-Identifier: Apache-2.0
// Runs an RCCE program as a job inside this process and looks at the result, as a course's grading tool
// would.
#include <cstdio>
#include <numeric>
#include <string>

#include "mesh_sim/errors.hpp"
#include "rcce_emu/job.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: embed PROGRAM\n");
    return 2;
  }
  std::string output;
  rcce::JobOptions options;
  options.program = argv[1];
  options.cores.resize(7);
  std::iota(options.cores.begin(), options.cores.end(), 0);
  options.arguments = {"2"};
  options.machine.set("mesh.router_cycles", 4); // a number, as it is anyway
  options.output.sink = [&](int fd, std::string_view text) {
    if (fd == 1) output += text;
  };
  try {
    const rcce::JobResult result = rcce::run_job(options);
    std::printf("| %s%zu UEs ended, status %d, %lld ps\n", output.c_str(), result.ues.size(), result.status,
                static_cast<long long>(result.end));
    return result.status;
  } catch (const mesh::UserError& error) {
    std::fprintf(stderr, "embed: %s\n", error.what());
    return 2;
  }
}
