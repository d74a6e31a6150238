// SPDX-License-Identifier: Apache-2.0
// rccebench power: time against energy of a stencil at every tile clock divider, with the cores that do not
// work as fast as the others or as slow as they can be.
//
// Energy is that of the stencil alone: of the run less that of a run without rounds, which changes voltages
// and clocks likewise.
#include <filesystem>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "command_line/commands.hpp"
#include "lab.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/observe/statistics.hpp"
#include "mesh_sim/parts/topology.hpp"
#include "mesh_sim/progress.hpp"
#include "rcce_emu/job.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench {
namespace {

/// Dividers of RCCE's power management; a divider of 1 has no voltage that carries it.
constexpr int fastest_divider = 2, slowest_divider = 16;

struct PowerOptions {
  CommonOptions common;
  std::string compute = "cache";
  int workers = 24, side = 480, rounds = 10;
};

struct PowerPoint {
  double seconds = 0, joules = 0, volt = 0;
  std::string sum; ///< sum of the stencil's points: the same at each speed
};

PowerPoint run_stencil(const Machine& machine, const PowerOptions& options, int divider, int idle_divider,
                       int rounds) {
  rcce::JobOptions job;
  const std::filesystem::path program = program_path("power", Generation::rcce20);
  if (!std::filesystem::exists(program))
    throw mesh::UserError(
        fmt::format("power: there is no '{}': this build was made without LLVM 14's development files, and "
                    "counts no cycles; install clang-14 and llvm-14-dev, and build again",
                    program.string()));
  job.program = program.string();
  job.cores.resize(static_cast<std::size_t>(chip_cores));
  std::iota(job.cores.begin(), job.cores.end(), 0);
  for (const int argument : {divider, idle_divider, options.workers, options.side, rounds})
    job.arguments.push_back(fmt::format("{}", argument));
  job.machine = machine.config;
  job.library.costs = machine.costs;
  job.library.compute = options.compute == "cache" ? rcce::ComputeModel::cache : rcce::ComputeModel::blocks;
  job.recording.records["energy"];
  std::string printed;
  job.output.sink = [&](int, std::string_view text) { printed += text; };
  const rcce::JobResult result = rcce::run_job(job);
  const std::size_t at = printed.find("power ");
  const auto words = cut(at == std::string::npos ? "" : printed.substr(at, printed.find('\n', at) - at), ' ');
  if (result.status != 0 || words.size() != 2)
    throw mesh::UserError(
        fmt::format("power: the stencil has ended with status {}\n{}", result.status, result.report));
  const mesh::Statistics& statistics = result.table("statistics");
  PowerPoint measured{static_cast<double>(result.end) * mesh::seconds_per_picosecond,
                      mesh::sum(statistics, "chip.energy"), 0, words[1]};
  for (const mesh::Statistic& one : statistics)
    if (one.name == "voltage_domain.voltage") {
      measured.volt = one.value;
      break; // that of core 0
    }
  return measured;
}

/// The rounds alone: the run less one without rounds, in time as in energy.
PowerPoint measure_speed(const Machine& machine, const PowerOptions& options, int divider, int idle_divider) {
  PowerPoint whole = run_stencil(machine, options, divider, idle_divider, options.rounds);
  const PowerPoint none = run_stencil(machine, options, divider, idle_divider, 0);
  whole.seconds -= none.seconds;
  whole.joules -= none.joules;
  return whole;
}

Status run_power(const PowerOptions& options) {
  const Machine machine = open_machine(options.common);
  mesh::check_offers(machine.config, mesh::Capability::power);
  if (machine.config.cores() < chip_cores)
    throw mesh::UserError(fmt::format("--machine {}: it has {} cores; the stencil runs on {}",
                                      machine.config.name(), machine.config.cores(), chip_cores));
  const double global_mhz = machine.config.number("tile.global_clock");
  if (options.side % options.workers != 0 || options.side / options.workers < 1)
    throw mesh::UserError(fmt::format("--side {}: each of --workers {} takes as many rows; give a multiple",
                                      options.side, options.workers));
  Report report;
  report.title = fmt::format("rccebench power {}", rcce::version_text);
  report.settings = {
      {"machine", machine.description()},
      {"program",
       fmt::format("5-point stencil, {0} x {0} doubles, {1} rounds, on cores 0 to {2} of {3}", options.side,
                   options.rounds, options.workers - 1, chip_cores)},
      {"other cores",
       "wait in a barrier, as fast as those that work or, in domains whose master does not work, at divider "
       "16"},
      {"voltage", "the least that carries the clock, by RCCE's table; a domain is 2 x 2 tiles"},
      {"power",
       fmt::format("of a tile: 1/{} of {} W/(V^2 MHz) V^2 f + {} W/V V; both from 25 W at 0.7 V, "
                   "125 MHz and 125 W at 1.14 V, 1 GHz (Howard et al., ISSCC 2010)",
                   machine.config.parameters().topology().tiles(), machine.config.number("power.dynamic"),
                   machine.config.number("power.static"))},
      {"time",
       fmt::format(
           "simulated, with the program's own code (compute {}); time and energy are those of a run less "
           "one without rounds",
           options.compute)}};
  report.table.columns = {{"Divider", "", 0}, {"Clock", "MHz", 0},         {"Voltage", "V", 2},
                          {"Others", "", 0},  {"Time", "ms", 3},           {"Energy", "J", 4},
                          {"Power", "W", 2},  {"Energy x time", "mJ s", 4}};
  struct Least {
    double joules = 0;
    std::string where;
  } least;
  std::string sum;
  mesh::Progress progress(2.0 * (slowest_divider - fastest_divider + 1));
  for (int divider = fastest_divider; divider <= slowest_divider; ++divider)
    for (const bool slow : {false, true}) {
      const PowerPoint one = measure_speed(machine, options, divider, slow ? slowest_divider : divider);
      progress.add(1);
      if (!sum.empty() && sum != one.sum)
        throw mesh::UserError(fmt::format("power: the stencil's sum is {} at divider {} and was {} before",
                                          one.sum, divider, sum));
      sum = one.sum;
      const std::string others = slow ? "slowest" : "as fast";
      if (least.where.empty() || one.joules < least.joules)
        least = {one.joules, fmt::format("divider {}, others {}", divider, others)};
      report.table.rows.push_back({std::int64_t{divider}, static_cast<std::int64_t>(global_mhz) / divider,
                                   one.volt, others, one.seconds * 1e3, one.joules, one.joules / one.seconds,
                                   one.joules * one.seconds * 1e3});
    }
  progress.clear();
  report.notes.push_back(
      fmt::format("least energy: {:.4f} J at {}; the stencil's sum is the same at each speed", least.joules,
                  least.where));
  report.summary["least_energy_j"] = least.joules;
  write(report, options.common.format, options.common.file);
  return 0;
}

} // namespace

void add_power(CommandLine& line, Status& status) {
  auto options = std::make_shared<PowerOptions>();
  Command command = line.add_command("power", "time against energy of a stencil at every clock of the chip");
  options->common.add_to(command, mesh::Capability::power, CommonOptions::Values::one);
  command.option("--workers", options->workers, "cores that work, from 0 on; a row of domains has 24")
      .between(1, chip_cores)
      .with_default_in_help();
  command.option("--side", options->side, "points along a side of the grid")
      .between(8, 4096)
      .with_default_in_help();
  command.option("--rounds", options->rounds, "of the stencil").between(1, 100'000).with_default_in_help();
  command.option("--compute", options->compute, "blocks: all loads and stores hit; cache: through the caches")
      .one_of({"blocks", "cache"})
      .with_default_in_help();
  command.when_chosen([options, &status] { status = run_power(*options); });
}

} // namespace rccebench
