// SPDX-License-Identifier: Apache-2.0
#include "measuring/arrivals.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "lab.hpp"
#include "lab/random.hpp"
#include "measuring/substitutes.hpp"
#include "mesh_sim/errors.hpp"

namespace rccebench::measuring {

namespace {

using algorithms::in_memory::Trial;

constexpr std::uint64_t seed = 1;
constexpr std::int64_t long_from = 40'000; ///< elements; from here on fewer repetitions tell the same
constexpr int short_repetitions = 6, long_repetitions = 1, overhead_repetitions = 40, visit_repetitions = 500;

Trial trial_of(const ReductionRun& run, int repetitions) {
  Trial trial;
  trial.algorithm = run.algorithm;
  trial.threads = run.threads;
  trial.elements = static_cast<std::size_t>(run.elements);
  trial.placement = run.placement;
  trial.repetitions = repetitions;
  trial.reduce.in_place = true; // the publication reduces a pair "to its buffer"
  return trial;
}

/// Threads one after another, in three orders: each meets most others before it is measured.
void warm_up(Trial& trial, const mesh::coherent::Config& config) {
  const double apart = (20'000 + 3 * static_cast<double>(trial.elements)) * 1e6 / config.clock_mhz;
  for (const int order : {0, 1, 2}) {
    auto& one = trial.warm_up_delays.emplace_back();
    for (int thread = 0; thread < trial.threads; ++thread) {
      const int place = order == 0 ? thread
          : order == 1             ? trial.threads - 1 - thread
                                   : (thread + trial.threads / 2) % trial.threads;
      one.push_back(std::llround(place * apart));
    }
  }
  trial.warm_up = static_cast<int>(trial.warm_up_delays.size());
}

Cycles run_trial(const mesh::coherent::Config& config, const Trial& trial) {
  const auto outcome = algorithms::in_memory::run<float>(config, trial, [](int thread, std::size_t index) {
    return static_cast<float>(thread + static_cast<int>(index % 7));
  });
  Cycles cycles;
  for (const auto& repetition : outcome.by_repetition) {
    const auto add = [&](double& sum, mesh::Picoseconds time) {
      sum += static_cast<double>(time) * config.clock_mhz * 1e-6 /
          static_cast<double>(outcome.by_repetition.size());
    };
    add(cycles.behind_last, repetition.behind_last());
    add(cycles.all_gone, repetition.last_leave() - repetition.last_arrival());
    add(cycles.summed, repetition.summed());
  }
  return cycles;
}

} // namespace

const Spread& spread_of(const std::string& name) {
  for (const Spread& one : spreads)
    if (name == one.name) return one;
  throw mesh::UserError(fmt::format("spread '{}': there is none, A, B and C", name));
}

std::vector<std::vector<mesh::Picoseconds>> arrivals(const mesh::coherent::Config& config,
                                                     const Spread& spread, int threads, int repetitions) {
  std::vector<std::vector<mesh::Picoseconds>> all;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    auto& one = all.emplace_back();
    for (int thread = 0; thread < threads; ++thread) {
      Random random(seed, static_cast<std::uint64_t>(thread), static_cast<std::uint64_t>(repetition));
      const double cycles =
          spread.most_cycles * (spread.a == 1 ? random.uniform() : random.beta(spread.a, spread.b));
      one.push_back(std::llround(cycles * 1e6 / config.clock_mhz));
    }
  }
  return all;
}

Cycles measure(const ReductionRun& run) {
  const auto config = mesh::coherent::load_machine(machine_file(run.machine));
  Trial trial = trial_of(run,
                         run.elements == 1              ? overhead_repetitions
                             : run.elements < long_from ? short_repetitions
                                                        : long_repetitions);
  trial.delays = arrivals(config, spread_of(run.spread), run.threads, trial.repetitions);
  warm_up(trial, config);
  return run_trial(config, trial);
}

Cycles measure(const ReductionRun& run, const std::vector<double>& arrivals) {
  const auto config = mesh::coherent::load_machine(machine_file(run.machine));
  Trial trial = trial_of(run, 1);
  trial.delays.emplace_back();
  for (const double cycles : arrivals)
    trial.delays.front().push_back(std::llround(cycles * 1e6 / config.clock_mhz));
  warm_up(trial, config);
  return run_trial(config, trial);
}

Visits measure_visits(const ReductionRun& run) {
  const auto config = mesh::coherent::load_machine(machine_file(run.machine));
  algorithms::in_memory::NeighbourLog log(run.threads);
  Trial trial = trial_of(run, visit_repetitions);
  trial.delays = arrivals(config, spread_of(run.spread), run.threads, trial.repetitions);
  trial.reduce.log = &log;
  (void)run_trial(config, trial);
  Visits visits;
  double count = 0;
  for (const auto& own : log.of) {
    visits.retries_a_run += static_cast<double>(own.value.retries) / (visit_repetitions + trial.warm_up);
    for (const std::int64_t picoseconds : own.value.picoseconds) {
      const double cycles = static_cast<double>(picoseconds) * config.clock_mhz * 1e-6;
      visits.mean_cycles += cycles;
      visits.most_cycles = std::max(visits.most_cycles, cycles);
      count += 1;
    }
  }
  visits.mean_cycles /= count;
  return visits;
}

} // namespace rccebench::measuring
