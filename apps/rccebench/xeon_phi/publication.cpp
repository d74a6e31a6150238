// SPDX-License-Identifier: Apache-2.0
// rccebench reproduce xeon-phi.
#include "xeon_phi/publication.hpp"

#include "lab.hpp"
#include "mesh_sim/errors.hpp"
#include "xeon_phi/claims.hpp"

namespace rccebench::xeon_phi {

reproduce::Reproduction reproduce_xeon_phi(unsigned jobs) {
  const auto config = mesh::coherent::load_machine("xeon-phi-5110p");
  reproduce::Reproduction result;
  result.publication = "S. Ramos, T. Hoefler, Modeling Communication in Cache-Coherent SMP Systems - A "
                       "Case-Study with Xeon Phi (HPDC 2013)";
  result.machines = "xeon-phi-5110p";
  result.settings = {
      {"machine", "xeon-phi-5110p"},
      {"threads",
       "one a core; all enter at once; buffers exclusive at their owners; until the last has left"},
      {"rules",
       "added after the first sweep: scans of a core that executes in order have one load under way; "
       "addresses of blocks, handed over on the line of the word that tells of them, cost its stores and "
       "loads"},
      {"model", "published R_L, R_R, R_I, o, q, p; c = 54 ns, printed in a figure only"}};
  add_point_claims(config, result.claims);
  result.figures = add_collective_claims(config, jobs, result.claims);
  constexpr int threads = 16;
  for (const char* const algorithm :
       {"bcast/level_tree", "bcast/flat", "bcast/binomial", "bcast/three_nomial", "bcast/fibonacci",
        "bcast/pipelined", "reduce/level_tree", "barrier/dissemination"})
    result.schedules.push_back(show::asked(algorithm, result.machines, threads));
  if (interrupted_status() != 0)
    throw mesh::UserError("interrupted: statements rest on all points, and nothing is written");
  result.notes = {"# 13, 14 (speed-up over Intel MPI and OpenMP) need those libraries, 18 (spread at 60 "
                  "threads) the operating system's noise: no test"};
  return result;
}

} // namespace rccebench::xeon_phi
