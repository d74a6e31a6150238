// SPDX-License-Identifier: Apache-2.0
// P. Falkman, Efficient reduction over threads (KTH Stockholm, 2011): what its statements are made of.
// Cycles.
#include <array>

#include "measuring/arrivals.hpp"
#include "measuring/substitutes.hpp"
#include "mesh_sim/errors.hpp"
#include "publications/quantity.hpp"

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
Measured measured(const measuring::Cycles& cycles) {
  return {{cycles.behind_last, cycles.all_gone, cycles.summed}};
}

/// algorithm, machine, floats, spread of arrivals
Measured of_sizes(const Arguments& a) {
  measuring::ReductionRun run = run_of(a.word(0), a.word(1));
  run.threads = threads_of(run.machine);
  run.elements = a.integer(2);
  run.spread = a.word(3);
  return measured(measuring::measure(run));
}
/// algorithm, machine, threads, spread of arrivals, placement: of one element
Measured of_one(const Arguments& a) {
  measuring::ReductionRun run = run_of(a.word(0), a.word(1));
  run.threads = a.integer(2);
  run.spread = a.word(3);
  run.placement = a.word(4);
  return measured(measuring::measure(run));
}
/// algorithm, arrivals of the threads: of merges of a length beside which everything else is small
Measured of_arrivals(const Arguments& a) {
  measuring::ReductionRun run = run_of(a.word(0), "xeon-x5650");
  run.elements = 24'000;
  std::vector<double> arrivals;
  for (std::size_t thread = 1; thread < a.values().size(); ++thread) arrivals.push_back(a.number(thread));
  run.threads = static_cast<int>(arrivals.size());
  return measured(measuring::measure(run, arrivals));
}
Measured one_merge(const Arguments&) {
  return of_arrivals(Arguments({Value::of(std::string("pair_tree")), Value::of(0), Value::of(0)}));
}
Measured of_visits(const Arguments&) {
  measuring::ReductionRun run = run_of("dynamic_pair", "xeon-x5650");
  run.threads = 6;
  run.elements = 1'000;
  run.spread = "A";
  const measuring::Visits visits = measuring::measure_visits(run);
  return {{visits.mean_cycles, visits.most_cycles, visits.retries_a_run}};
}

const MeasurementPointer sizes = measurement(
                             "sizes", 4, of_sizes,
                             [](const Arguments&a) { return threads_of(a.word(1)) * a.number(2); }),
                         ones = measurement("one", 5, of_one, [](const Arguments&a) { return a.number(2); }),
                         lates = measurement("late", 5, of_arrivals),
                         merges = measurement("merge", 0, one_merge),
                         visits = measurement("visits", 0, of_visits);

} // namespace

Quantities quantities() {
  return {
      {"last", "cycles", 4, sizes, value_at(0)},
      {"summed", "cycles", 4, sizes, value_at(2)},
      {"overhead", "cycles", 5, ones, value_at(1)},
      {"completed", "cycles", 5, ones, value_at(0)},
      {"late", "cycles", 5, lates, value_at(0)},
      {"merge", "cycles", 0, merges, value_at(0)},
      {"visit", "cycles", 0, visits, value_at(0)},
      {"longest_visit", "cycles", 0, visits, value_at(1)},
      {"retries", "", 0, visits, value_at(2)},
      {"transfer", "cycles", 1, nullptr, // of a changed line between the farthest cores
       [](const std::vector<double>&, const Arguments& a) {
         return Value::of(
             mesh::coherent::load_machine(measuring::machine_file(a.word(0))).latency[0][0].back());
       }},
  };
}

} // namespace rccebench::publications::dynamic_reduction
