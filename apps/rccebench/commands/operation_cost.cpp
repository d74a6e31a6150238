// SPDX-License-Identifier: Apache-2.0
#include "commands/operation_cost.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "commands/kernel_cost.hpp"
#include "lab.hpp"
#include "lab/messages.hpp"
#include "mesh_sim/observe/statistics.hpp"

namespace rccebench {
namespace {

/// A measurement takes longer where more runs are asked for, up to the usual number of them.
constexpr double least_us_a_run = 50'000;
constexpr int usual_runs = 5;
constexpr std::int64_t few_lines = 100'000;

struct Measured {
  double host_us = 0, simulated_us = 0;
  std::int64_t lines = 0;
};

Measured measure(const Machine& machine, Run what) {
  what.recording.records["machine-statistics"]; // written from counters that are kept anyway
  const double start = processor_nanoseconds();
  const Output output = run(machine, what);
  const mesh::Statistics& counted = output.result.table("machine-statistics");
  return {
      (processor_nanoseconds() - start) / 1000, static_cast<double>(output.result.end) * 1e-6,
      static_cast<std::int64_t>(mesh::sum(counted, "core.lines_put") + mesh::sum(counted, "core.lines_got"))};
}

} // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

Machine mesh_of(int cores, Machine machine) {
  const int tiles = (cores + 1) / 2;
  const int square = std::max(1, static_cast<int>(std::sqrt(tiles / 2.0)));
  int rows = square;
  while (tiles % rows != 0) --rows;
  if (tiles / rows > 4 * rows) rows = square; // then some tiles stay empty
  machine.resize((tiles + rows - 1) / rows, rows, "--cores");
  machine.config.set("mesh.cores_per_tile", 2);
  return machine;
}

Machine machine_for(int cores, const Machine& machine) {
  if (cores <= chip_cores && cores <= machine.config.cores()) return machine;
  Machine mesh = mesh_of(cores, machine);
  if (cores > chip_cores) mesh.config.set("tile.mpb_bytes", large_buffer_bytes);
  return mesh;
}

Run run_of(const Machine& machine, const CostedOperation& what, int repetitions) {
  Run run{what.cores > chip_cores ? "operations_large" : "operations",
          Generation::rcce20,
          machine.first_cores(what.cores),
          {what.word, fmt::format("{}", repetitions), fmt::format("{}", what.bytes)}};
  if (what.algorithm.empty()) return run;
  run.arguments.push_back(what.algorithm);
  const int columns = machine.config.mesh().columns;
  if (what.cores > chip_cores && what.cores % columns == 0 &&
      Messages::standard()->row(what.algorithm).needs_mesh) {
    run.arguments.push_back(fmt::format("columns={}", columns));
    run.arguments.push_back(fmt::format("rows={}", what.cores / columns));
  }
  return run;
}

OperationCost cost_of(const Machine& machine, const CostedOperation& what, int runs) {
  const auto once = [&] { return measure(machine, run_of(machine, what, 1)); };
  Measured less = once();
  // What is simulated must not depend on how many repetitions this host needs. Of short operations the second
  // repetition is not yet like those after it.
  int repetitions = less.lines < few_lines ? 9 : 2;
  const auto often = [&] { return measure(machine, run_of(machine, what, repetitions)); };
  Measured more = often();
  const double simulated_us = (more.simulated_us - less.simulated_us) / (repetitions - 1);
  const std::int64_t lines = (more.lines - less.lines) / (repetitions - 1);
  const double wanted = std::max(least_us_a_run * std::min(runs, usual_runs), less.host_us / 4);
  for (double took = more.host_us - less.host_us; took < wanted; took = more.host_us - less.host_us) {
    const double factor = took > 0 ? std::clamp(1.1 * wanted / took, 2.0, 16.0) : 16.0;
    repetitions = 1 + static_cast<int>(std::ceil((repetitions - 1) * factor));
    more = often();
  }
  std::vector<double> host{(more.host_us - less.host_us) / (repetitions - 1)};
  for (int i = 1; i < runs; ++i) {
    less = once();
    more = often();
    host.push_back((more.host_us - less.host_us) / (repetitions - 1));
  }
  return {median(std::move(host)), simulated_us, lines};
}

OperationCost cost_of_program(const Machine& machine, const std::string& file,
                              const std::vector<std::string>& arguments, int cores, int runs) {
  Run what{file, Generation::rcce20, machine.first_cores(cores), arguments};
  what.place = ProgramSource::file;
  std::vector<double> host;
  OperationCost cost;
  for (int i = 0; i < runs; ++i) {
    const Measured one = measure(machine, what);
    host.push_back(one.host_us);
    cost.simulated_us = one.simulated_us;
    cost.lines = one.lines;
  }
  cost.host_us = median(std::move(host));
  return cost;
}

} // namespace rccebench
