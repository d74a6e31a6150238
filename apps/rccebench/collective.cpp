#include "collective.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "sweep.hpp"

namespace rccebench {
namespace {

const algorithms::Algorithm& entry_of(const Collective& what) {
  const algorithms::Algorithm* entry = algorithms::find(what.algorithm);
  if (entry == nullptr)
    throw std::logic_error(fmt::format("'{}' is not in the table of algorithms", what.algorithm));
  return *entry;
}

constexpr int chip_columns = 6;

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

Run program_run(const Collective& what) {
  const mesh::MachineDescription& config = what.machine->config;
  const mesh::MeshShape shape = config.mesh();
  Run run;
  run.program = what.cores > chip_cores ? "collective_large" : "collective";
  run.generation = what.generation;
  run.copies = what.copies;
  run.cores = first_cores(what.cores);
  run.arguments = {what.operation == algorithms::Operation::barrier ? "barrier" : "bcast",
                   what.algorithm,
                   fmt::format("{}", what.bytes),
                   fmt::format("{}", what.root),
                   fmt::format("{}", what.warm_up),
                   fmt::format("{}", what.repetitions),
                   what.reads ? "1" : "0"};
  const auto option = [&](const char* name, std::int64_t value) {
    if (value > 0) run.arguments.push_back(fmt::format("{}={}", name, value));
  };
  option("part_bytes", what.part_bytes);
  option("pipe_bytes", what.pipe_bytes);
  option("fan_out", what.fan_out);
  option("stages", what.stages);
  const bool chip = shape.columns == chip_columns && shape.cores_per_tile == 2;
  if (!chip && what.cores % shape.columns == 0) { // the core mesh that fills this machine, where there is one
    option("columns", shape.columns);
    option("rows", what.cores / shape.columns);
  }
  if (!what.line_order.empty()) run.arguments.push_back("line_order=" + what.line_order);
  run.arguments.push_back(fmt::format("mesh_mhz={}", config.number("mesh.clock")));
  run.arguments.push_back(fmt::format("dram_mhz={}", config.number("dram.clock")));
  return run;
}

struct Repetition {
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = 0, sum = 0,
               ranks = 0; ///< picoseconds
};

constexpr double us_of(double picoseconds) {
  return picoseconds * 1e-6;
}

} // namespace

std::int64_t Collective::actual_part_bytes() const {
  const auto standard = static_cast<std::int64_t>(entry_of(*this).part_bytes);
  return standard == 0 ? 0 : part_bytes > 0 ? part_bytes : standard;
}

std::int64_t Collective::actual_pipe_bytes() const {
  const auto standard = static_cast<std::int64_t>(entry_of(*this).pipe_bytes);
  return standard == 0 ? 0 : pipe_bytes > 0 ? pipe_bytes : standard;
}

algorithms::Platform Collective::platform() const {
  const mesh::MachineDescription& config = machine->config;
  const mesh::MeshShape shape = config.mesh();
  const bool plain = copies == "plain" || (copies == "own" && generation == Generation::rcce10);
  return {.core_mhz = machine->core_mhz(),
          .mesh_mhz = config.number("mesh.clock"),
          .dram_mhz = config.number("dram.clock"),
          .columns = shape.columns,
          .rows = shape.rows,
          .cores_per_tile = shape.cores_per_tile,
          .mpb_bytes = config.message_buffer_bytes(),
          .plain_copies = plain,
          .rcce_10 = generation == Generation::rcce10};
}

algorithms::Call Collective::call() const {
  return {.ues = cores,
          .root = root,
          .bytes = static_cast<std::size_t>(bytes),
          .part_bytes = static_cast<std::size_t>(part_bytes),
          .pipe_bytes = static_cast<std::size_t>(pipe_bytes),
          .fan_out = fan_out,
          .stages = stages};
}

std::optional<double> Collective::predicted_us() const {
  const algorithms::Algorithm& entry = entry_of(*this);
  if (entry.predict_us == nullptr) return std::nullopt;
  return entry.predict_us(platform(), call());
}

double Collective::weight() const {
  const double lines = static_cast<double>(bytes) / 32 + 200; // 200: hand-shakes and the start of a core
  return lines * cores * (warm_up + repetitions);
}

Timing measure(const Collective& what) {
  if (what.cores > what.machine->config.cores())
    throw mesh::UserError(fmt::format("--cores {}: machine '{}' has {} cores", what.cores, what.machine_name,
                                      what.machine->config.cores()));
  if (what.root >= what.cores)
    throw mesh::UserError(
        fmt::format("--root {}: ranks are 0..{} on {} cores", what.root, what.cores - 1, what.cores));
  const double before = thread_seconds();
  const Output output = run(*what.machine, program_run(what));
  Timing timing;
  timing.host_us = (thread_seconds() - before) * 1e6 / (what.warm_up + what.repetitions);

  std::map<int, Repetition> repetitions;
  for (const auto& row : output.rows) {
    const int repetition = std::stoi(row.at(1));
    const std::int64_t time = std::stoll(row.at(2)), wrong = std::stoll(row.at(3));
    if (wrong < 0)
      throw std::runtime_error(fmt::format(
          "{} on {} cores, {} bytes: rank {} {}", what.algorithm, what.cores, what.bytes, row.at(0),
          wrong == -1 ? "heard of the release too late" : "got an error: " + output.complaints));
    timing.wrong_bytes += wrong;
    if (repetition < 0) continue;
    Repetition& one = repetitions[repetition];
    one.least = std::min(one.least, time);
    one.most = std::max(one.most, time);
    one.sum += time;
    ++one.ranks;
  }
  if (repetitions.size() != static_cast<std::size_t>(what.repetitions))
    throw std::runtime_error(fmt::format("{} on {} cores, {} bytes: {} repetitions came back instead of {}",
                                         what.algorithm, what.cores, what.bytes, repetitions.size(),
                                         what.repetitions));
  const Repetition* fastest = nullptr;
  double sum = 0;
  for (const auto& [number, one] : repetitions) {
    if (fastest == nullptr || one.most < fastest->most) fastest = &one;
    sum += static_cast<double>(one.most);
  }
  timing.min_us = us_of(static_cast<double>(fastest->least));
  timing.avg_us = us_of(static_cast<double>(fastest->sum) / static_cast<double>(fastest->ranks));
  timing.max_us = us_of(static_cast<double>(fastest->most));
  timing.mean_us = us_of(sum / what.repetitions);
  return timing;
}

std::vector<std::optional<Timing>> measure_all(const std::vector<Collective>& points, unsigned threads) {
  return sweep<Timing, Collective>(
      points, threads, [](const Collective& point) { return point.weight(); }, measure);
}

std::vector<Column> collective_columns() {
  return {{"algorithm", "", 0},
          {"machine", "", 0},
          {"cores", "", 0},
          {"bytes", "", 0},
          {"part_bytes", "", 0},
          {"pipe_bytes", "", 0},
          {"simulated_us_min", "", 3},
          {"simulated_us_avg", "", 3},
          {"simulated_us_max", "", 3},
          {"simulated_us_mean", "", 3},
          {"predicted_us", "", 3},
          {"host_us", "", 0},
          {"correct", "", 0},
          {"rcce", "", 0},
          {"copies", "", 0},
          {"root", "", 0}};
}

std::vector<Cell> collective_row(const Collective& what, const Timing& timing) {
  const auto predicted = what.predicted_us();
  const auto size = [](std::int64_t bytes) { return bytes > 0 ? Cell{bytes} : Cell{}; };
  return {what.algorithm,
          what.machine_name,
          std::int64_t{what.cores},
          what.bytes,
          size(what.actual_part_bytes()),
          size(what.actual_pipe_bytes()),
          timing.min_us,
          timing.avg_us,
          timing.max_us,
          timing.mean_us,
          predicted ? Cell{*predicted} : Cell{},
          timing.host_us,
          timing.wrong_bytes == 0,
          std::string(text_of(what.generation)),
          what.copies,
          std::int64_t{what.root}};
}

} // namespace rccebench
