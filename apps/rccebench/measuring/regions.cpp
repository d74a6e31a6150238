// SPDX-License-Identifier: Apache-2.0
#include "measuring/regions.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/in_memory/simulated.hpp"
#include "algorithms/memory/host.hpp"
#include "measuring/substitutes.hpp"

namespace rccebench::measuring {

namespace {

using likelihood::Region;
using memory::Simulated;

constexpr int warm_regions = 20, measured_regions = 200;
constexpr double sync_only_regions = 10'000'000, array_regions = 100'000;
constexpr int array_elements = 10'000;
/// Cycles of unoptimised code, as the publication's program was compiled; its own table II gives 21 to 23
/// cycles on Intel, 30 to 39 on AMD: input, not evidence.
constexpr double intel_element_cycles = 22, amd_element_cycles = 35;
/// Most regions of an optimisation that are simulated; the others are like them.
constexpr std::int64_t most_real_regions = 400;
constexpr int real_patterns = 4; ///< that are computed; time passes for all
constexpr std::uint64_t alignment_seed = 1;

[[nodiscard]] bool is_amd(const std::string& machine) {
  return machine == "barcelona" || machine == "x4440" || machine == "x4600";
}

mesh::coherent::Config config_of(const RegionRun& run) {
  auto config = mesh::coherent::load_machine(machine_file(run.machine));
  for (auto& row : config.latency[static_cast<std::size_t>(mesh::coherent::Operation::load)])
    for (double& cycles : row) cycles = std::max(cycles, run.least_load_ns * config.clock_mhz / 1000);
  return config;
}

/// Synthetic: the same region again and again.
RegionTimes measure_synthetic(const RegionRun& run) {
  mesh::coherent::Machine machine(config_of(run), run.places);
  Simulated simulated(machine);
  Team<Simulated> team(simulated, run.variant);
  const bool array = run.workload == "array";
  const double cycles =
      array ? array_elements * (is_amd(run.machine) ? amd_element_cycles : intel_element_cycles) : 0;
  const Team<Simulated>::Work work = [cycles](mesh::coherent::Core& core) -> Sums {
    if (cycles > 0) core.compute(cycles);
    return {static_cast<double>(core.thread() + 1), 0};
  };
  mesh::Picoseconds begin = 0, end = 0;
  RegionTimes timing;
  simulated.run([&](mesh::coherent::Core& core) {
    if (core.thread() > 0) return team.serve(core);
    for (int region = -warm_regions; region < measured_regions; ++region) {
      if (region == 0) begin = core.now();
      if (array)
        timing.sums = team.summed_region(core, work);
      else
        team.region(core, work);
    }
    end = core.now();
    team.stop(core);
  });
  const double region_seconds = static_cast<double>(end - begin) / measured_regions * 1e-12;
  timing.region_us = region_seconds * 1e6;
  timing.seconds = region_seconds * (array ? array_regions : sync_only_regions);
  return timing;
}

likelihood::Kernel kernel_of(const DataSet& data, int patterns) {
  const likelihood::Model model({{1.2, 3.1, 0.9, 1.1, 4.0, 1}, {0.3, 0.2, 0.22, 0.28}, 0.8});
  auto tree = likelihood::random_tree(data.organisms, alignment_seed);
  const auto alignment = likelihood::evolve(tree, model, patterns, alignment_seed);
  return {model, std::move(tree), alignment};
}

/// The first regions of an optimisation; a run has as many of each kind as published.
RegionTimes measure_likelihood(const RegionRun& run, const DataSet& data) {
  likelihood::Kernel kernel = kernel_of(data, real_patterns);
  mesh::coherent::Machine machine(mesh::coherent::load_machine(machine_file(run.machine)), run.places);
  Simulated simulated(machine);
  Team<Simulated> team(simulated, run.variant);
  likelihood::Optimiser<Simulated> optimiser(kernel, team, data.patterns);
  std::array<double, likelihood::region_kinds> time{}, count{};
  std::int64_t met = 0;
  optimiser.observe([&](mesh::coherent::Core& core, Region kind, std::int64_t started) {
    if (++met <= warm_regions && kind != Region::evaluation) return;
    time[static_cast<std::size_t>(kind)] += static_cast<double>(core.now() - started) * 1e-12;
    count[static_cast<std::size_t>(kind)] += 1;
  });
  RegionTimes timing;
  simulated.run([&](mesh::coherent::Core& core) {
    if (core.thread() > 0) return team.serve(core);
    timing.sums[0] = optimiser.optimise(core, likelihood::full_passes, most_real_regions);
    team.stop(core);
  });
  const likelihood::Counts published = data.counts();
  const auto derivative = static_cast<std::size_t>(Region::derivative);
  for (std::size_t kind = 0; kind < likelihood::region_kinds; ++kind) {
    // Where no repeat has come about, it is a derivative: few, and shorter.
    const std::size_t like = count[kind] > 0 ? kind : derivative;
    timing.seconds += static_cast<double>(published.regions[kind]) * time[like] / count[like];
  }
  timing.region_us = timing.seconds * 1e6 / static_cast<double>(data.barriers);
  return timing;
}

} // namespace

likelihood::Counts DataSet::counts() const {
  const std::int64_t views = std::int64_t{optimisations} * likelihood::full_passes * (organisms - 2),
                     first = std::int64_t{optimisations} * likelihood::full_passes * branches(),
                     evaluations = barriers - with_sums - views;
  return {{evaluations, first, with_sums - first, views}};
}

RegionTimes measure(const RegionRun& run) {
  for (const DataSet& data : data_sets)
    if (run.workload == data.workload) return measure_likelihood(run, data);
  return measure_synthetic(run);
}

likelihood::Counts count_regions(const DataSet& data) {
  likelihood::Kernel kernel = kernel_of(data, 1);
  memory::Host host(1);
  Team<memory::Host> team(host, {});
  likelihood::Optimiser<memory::Host> optimiser(kernel, team);
  host.run([&](memory::Host::Thread& thread) { (void)optimiser.optimise(thread, likelihood::full_passes); });
  return optimiser.counts();
}

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = {
      {"flat", "join/flat"},
      {"flat-padded", "join/flat_padded"},
      {"tree", "join/tree"},
      {"tree-padded", "join/tree_padded"},
      {"atomic-add", "join/atomic_add"},
      {"mutex-add", "join/mutex_add"},
      {"flat + master vector", "join/flat", in_memory::Reset::alternating, Reduction::vector},
      {"flat-padded + master vector", "join/flat_padded", in_memory::Reset::alternating, Reduction::vector},
      {"tree-padded + tree reduction", "join/tree_padded", in_memory::Reset::alternating, Reduction::tree},
  };
  return all;
}

Variant with_reset(Variant variant) {
  variant.reset = in_memory::Reset::by_master;
  return variant;
}

} // namespace rccebench::measuring
