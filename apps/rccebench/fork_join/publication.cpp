// SPDX-License-Identifier: Apache-2.0
// rccebench reproduce fork-join.
#include "fork_join/publication.hpp"

#include <fmt/format.h>

#include "fork_join/claims.hpp"
#include "lab.hpp"
#include "mesh_sim/errors.hpp"

namespace rccebench::fork_join {

namespace {

reproduce::Figure table_of(const Results& r, const char* file, const char* title, const std::string& workload,
                           bool reset) {
  reproduce::Figure figure{file,
                           {title,
                            {{"Variant", "", 0},
                             {"Machine", "", 0},
                             {"Threads", "", 0},
                             {"Published", "s", 3},
                             {"Simulated", "s", 3},
                             {"Simulated / published", "", 2}},
                            {}}};
  for (const Variant& variant : variants())
    for (const Machine& machine : machines) {
      const double published = r.published.seconds(workload, variant.name, machine.name);
      if (published == 0) continue;
      const double simulated = r.simulated.seconds(workload, variant.name, machine.name, reset);
      figure.table.rows.push_back({variant.name, machine.printed, std::int64_t{machine.cores}, published,
                                   simulated, simulated / published});
    }
  return figure;
}

/// How many signs of padding, and winners, come out as published.
std::string signs(const Results& r, bool reset) {
  int padding = 0, first = 0, behind = 0;
  for (const Machine& machine : multi_socket) {
    const auto s = [&](const char* variant) {
      return r.simulated.seconds("sync-only", variant, machine.name, reset);
    };
    padding += (s("flat-padded") < s("flat") ? 1 : 0) + (s("tree-padded") < s("tree") ? 1 : 0);
    behind += s("tree-padded") > s("flat-padded") ? 1 : 0;
    bool best = true;
    for (std::size_t v = 0; v < 6; ++v) best = best && s("flat-padded") <= s(variants()[v].name.c_str());
    first += best ? 1 : 0;
  }
  return fmt::format("padding helps in {} of 8 cases, flat-padded is first on {} of 4 machines, tree-padded "
                     "behind it on {} of 4",
                     padding, first, behind);
}

} // namespace

std::vector<reproduce::Figure> figures(const Results& r) {
  return {table_of(r, "table-1", "table I: 10,000,000 empty regions", "sync-only", false),
          table_of(r, "table-1-reset", "table I with flags set back by who has waited for them", "sync-only",
                   true),
          table_of(r, "table-2", "table II: 100,000 regions of 10,000 elements a thread", "array", false),
          table_of(r, "table-3", "table III: five optimisations, 404 organisms", "raxml-404", false),
          table_of(r, "table-4", "table IV: five optimisations, 1,481 organisms", "raxml-1481", false)};
}

reproduce::Reproduction reproduce_fork_join(unsigned jobs) {
  const Published published(data_path("fork_join.csv"));
  Simulated simulated;
  if (!simulated.run(jobs))
    throw mesh::UserError("interrupted: statements rest on all points, and nothing is written");
  const Results results{published, simulated};
  reproduce::Reproduction result;
  result.publication =
      "S. A. Berger, A. Stamatakis, Assessment of Barrier Implementations for Fine-Grain Parallel Regions on "
      "Current Multi-core Architectures";
  for (const Machine& machine : machines)
    result.machines += (result.machines.empty() ? "" : ",") + std::string(machine.name);
  const Machine& shown = multi_socket.front();
  for (const char* const join : {"join/flat", "join/flat_padded", "join/tree", "join/tree_padded",
                                 "join/atomic_add", "join/mutex_add"})
    result.schedules.push_back(show::asked(join, shown.name, shown.cores));
  result.settings = {
      {"rules",
       "changed after the first sweep: Intel's reads of one line one after another, which the lock rates of "
       "the Xeon E7-8867L bear out (XEX-077 to XEX-092); lines of barcelona and x4440 by messages on the "
       "same processors (OLD-009 to OLD-016) instead of a later one's, those of x4600 by the only ones of "
       "eight sockets of its time (OLD-009 to OLD-012) instead of two; a home elsewhere costs 66 cycles a "
       "crossing there (OLD-019 to OLD-022), which are taken off those rows; what changes in a node of Intel "
       "goes to memory when another node reads it, not a neighbour; a futex call looks before it sleeps; "
       "locked hits as on a Phenom II"},
      {"futex",
       "2,100 cycles to go to sleep, 2,700 to wake, 7,000 until the sleeper runs: Falsafi, Guerraoui, "
       "Picorel, "
       "Trigonakis, USENIX ATC 2016, a Xeon E5-2680 v2 at 2.8 GHz, from memory, for lack of the machines' "
       "own"},
      {"flags", "alternating; table I also with flags set back"},
      {"threads", "thread i on core i, one on each"},
      {"array", "22 cycles an element on Intel, 35 on AMD, from the publication's table II: input"},
      {"likelihood", "our own kernel on generated alignments; a floating-point operation a cycle: guess"}};
  add_synthetic_claims(results, result.claims);
  add_likelihood_claims(results, result.claims);
  result.figures = figures(results);
  result.notes = {"# alternating flags: " + signs(results, false),
                  "# flags set back:   " + signs(results, true),
                  "# C7 (who wins the array workload) is no test: published differences are below 1 %"};
  return result;
}

} // namespace rccebench::fork_join
