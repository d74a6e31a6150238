// SPDX-License-Identifier: Apache-2.0
// P. Falkman, Efficient reduction over threads (KTH Stockholm, 2011): what its statements are made of.
// Cycles.
#include <array>

#include "measuring/arrivals.hpp"
#include "measuring/substitutes.hpp"
#include "mesh_sim/errors.hpp"
#include "publications/publications.hpp"

namespace rccebench::publications::dynamic_reduction {
namespace {

/// Threads of the size sweeps: all cores.
int threads_of(const std::string& machine) {
  constexpr std::array<std::pair<std::string_view, int>, 5> all{{{"xeon-x5650", 6},
                                                                 {"phenom-1090t", 6},
                                                                 {"xeon-e5645", 12},
                                                                 {"opteron-2x12", 24},
                                                                 {"xeon-e7-4830", 32}}};
  for (const auto& [name, threads] : all)
    if (machine == name) return threads;
  throw mesh::UserError("dynamic-reduction: '" + machine + "' has no sweep of sizes");
}

measuring::ReductionRun run_of(const std::string& algorithm, const std::string& machine) {
  measuring::ReductionRun run;
  run.algorithm = "reduce/" + algorithm;
  run.machine = machine;
  return run;
}
Json json_of(const measuring::Cycles& cycles) {
  return {{"behind_last", cycles.behind_last}, {"all_gone", cycles.all_gone}, {"summed", cycles.summed}};
}

/// algorithm, machine, floats, spread of arrivals
Json of_sizes(const Arguments& a) {
  measuring::ReductionRun run = run_of(a.word(0), a.word(1));
  run.threads = threads_of(run.machine);
  run.elements = a.integer(2);
  run.spread = a.word(3);
  return json_of(measuring::measure(run));
}
/// algorithm, machine, threads, spread of arrivals, placement: of one element
Json of_one(const Arguments& a) {
  measuring::ReductionRun run = run_of(a.word(0), a.word(1));
  run.threads = a.integer(2);
  run.spread = a.word(3);
  run.placement = a.word(4);
  return json_of(measuring::measure(run));
}
/// algorithm, arrivals of the threads: of merges of a length beside which everything else is small
Json of_arrivals(const Arguments& a) {
  measuring::ReductionRun run = run_of(a.word(0), "xeon-x5650");
  run.elements = 24'000;
  std::vector<double> arrivals;
  for (std::size_t thread = 1; thread < a.size(); ++thread) arrivals.push_back(a.number(thread));
  run.threads = static_cast<int>(arrivals.size());
  return json_of(measuring::measure(run, arrivals));
}
Json of_visits(const Arguments&) {
  measuring::ReductionRun run = run_of("dynamic_pair", "xeon-x5650");
  run.threads = 6;
  run.elements = 1'000;
  run.spread = "A";
  const measuring::Visits visits = measuring::measure_visits(run);
  return {{"mean", visits.mean_cycles}, {"most", visits.most_cycles}, {"retries", visits.retries_a_run}};
}

} // namespace

Measurements measurements(const CommonOptions& /*changes*/) {
  return {{{"sizes", 4, of_sizes, [](const Arguments& a) { return threads_of(a.word(1)) * a.number(2); }},
           {"one", 5, of_one, [](const Arguments& a) { return a.number(2); }},
           {"arrivals", -1, of_arrivals},
           {"visits", 0, of_visits}},
          {{"transfer", 1, [](const Arguments& a) { // of a changed line between the farthest cores
              return mesh::coherent::load_machine(measuring::machine_file(a.word(0))).latency[0][0].back();
            }}}};
}

} // namespace rccebench::publications::dynamic_reduction
