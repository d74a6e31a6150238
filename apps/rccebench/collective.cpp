// SPDX-License-Identifier: Apache-2.0
#include "collective.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <limits>
#include <map>
#include <stdexcept>

#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "sweep.hpp"

namespace rccebench {
namespace {

constexpr int chip_columns = 6;

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// The core mesh that fills a machine other than the chip, where there is one: "rows=8 columns=16".
std::vector<std::string> mesh_words(const Collective& what) {
  const mesh::MeshShape shape = what.machine->config.mesh();
  const bool chip = shape.columns == chip_columns && shape.cores_per_tile == 2;
  if (!what.fills_mesh || !what.row().needs_mesh || chip || what.cores % shape.columns != 0) return {};
  return {fmt::format("columns={}", shape.columns), fmt::format("rows={}", what.cores / shape.columns)};
}

/// The delays of all timed repetitions, where the program can read them: a file that has no name outside of
/// this process and ends with this object.
class Arrivals {
 public:
  explicit Arrivals(const Collective& what) {
    if (what.spread.is_none()) return;
    std::vector<std::int64_t> all;
    for (int repetition = 0; repetition < what.repetitions; ++repetition) {
      const auto delays = what.spread.delays(what.cores, repetition);
      all.insert(all.end(), delays.begin(), delays.end());
    }
    const std::size_t bytes = all.size() * sizeof all[0];
    file_ = memfd_create("arrivals", 0);
    if (file_ >= 0 && ::write(file_, all.data(), bytes) == static_cast<ssize_t>(bytes)) return;
    const std::string reason = std::strerror(errno);
    if (file_ >= 0) close(file_);
    throw std::runtime_error("no memory for arrivals: " + reason);
  }
  ~Arrivals() {
    if (file_ >= 0) close(file_);
  }
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  /// "-" for none. Of one length, whatever number the file has: arguments lie in the program's memory.
  [[nodiscard]] std::string path() const {
    return file_ < 0 ? "-" : fmt::format("/proc/self/fd/{:/>10}", file_);
  }

 private:
  int file_ = -1;
};

Run program_run(const Collective& what, const Arrivals& arrivals) {
  Run run = what.catalogue->run(*what.machine, what.generation, what.cores);
  run.copies = what.copies;
  run.statistics = what.statistics;
  run.arguments = {what.row().operation,
                   what.algorithm,
                   fmt::format("{}", what.bytes),
                   fmt::format("{}", what.root),
                   fmt::format("{}", what.warm_up),
                   fmt::format("{}", what.repetitions),
                   what.reads ? "1" : "0",
                   what.type,
                   what.op,
                   arrivals.path()};
  for (const std::string& word : mesh_words(what)) run.arguments.push_back(word);
  for (const auto& [name, value] : what.options) run.arguments.push_back(name + "=" + value);
  return run;
}

/// Picoseconds from the release, over the ranks.
struct Repetition {
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = 0, sum = 0;
  std::int64_t last_arrival = 0, arrivals = 0; ///< the latest, and the sum
  std::int64_t ranks = 0;
};

constexpr double us_of(double picoseconds) {
  return picoseconds * 1e-6;
}
double us_of(std::int64_t picoseconds) {
  return us_of(static_cast<double>(picoseconds));
}

/// The average over the repetitions, each of which has arrivals of its own; or the fastest, where they have
/// none.
void summarise(const std::map<int, Repetition>& repetitions, bool average, Timing& timing) {
  const Repetition* fastest = nullptr;
  double sum = 0;
  for (const auto& [number, one] : repetitions) {
    if (fastest == nullptr || one.most < fastest->most) fastest = &one;
    sum += static_cast<double>(one.most - one.last_arrival);
  }
  const auto count = static_cast<double>(repetitions.size());
  for (const auto& [number, one] : repetitions) {
    if (&one == fastest) timing.fastest = number;
    if (!average && &one != fastest) continue;
    const double share = average ? 1 / count : 1;
    timing.min_us += share * us_of(one.least - one.last_arrival);
    timing.avg_us += share *
        us_of(static_cast<double>(one.sum - one.ranks * one.last_arrival) / static_cast<double>(one.ranks));
    timing.max_us += share * us_of(one.most - one.last_arrival);
    timing.spent_us += share * us_of(one.sum - one.arrivals);
  }
  timing.mean_us = us_of(sum / count);
}

} // namespace

std::string Collective::value(const Parameter& parameter) const {
  const auto asked = options.find(parameter.name);
  return asked != options.end() ? asked->second : parameter.standard_text();
}

std::int64_t element_bytes(const std::string& type) {
  return type == "int" || type == "float" ? 4 : 8;
}

std::int64_t Collective::elements() const {
  return bytes / element_bytes(type);
}

std::string Collective::options_text() const {
  std::string text;
  for (const Parameter& parameter : row().parameters)
    if (const std::string one = value(parameter); !one.empty())
      text += (text.empty() ? "" : " ") + parameter.name + "=" + one;
  return text;
}

std::string Collective::asked_text() const {
  std::string text;
  for (const Parameter& parameter : row().parameters)
    if (const auto asked = options.find(parameter.name); asked != options.end())
      text += (text.empty() ? "" : " ") + parameter.name + "=" + asked->second;
  return text;
}

std::string Collective::run_name() const {
  std::string name = fmt::format("{} {} cores={}", machine_name, algorithm, cores);
  if (operation().has_message) name += fmt::format(" bytes={}", bytes);
  if (operation().has_root && root != 0) name += fmt::format(" root={}", root);
  if (const std::string text = options_text(); !text.empty()) name += " " + text;
  std::replace(name.begin(), name.end(), ' ', ':');
  return name;
}

double Collective::weight() const {
  const double lines = static_cast<double>(bytes) / 32 + 200; // 200: hand-shakes and the start of a core
  return lines * cores * (warm_up + repetitions);
}

namespace {

void check_place(const Collective& what) {
  if (what.cores > what.machine->config.cores())
    throw mesh::UserError(fmt::format("--cores {}: machine '{}' has {} cores", what.cores, what.machine_name,
                                      what.machine->config.cores()));
  if (what.root >= what.cores)
    throw mesh::UserError(
        fmt::format("--root {}: ranks are 0..{} on {} cores", what.root, what.cores - 1, what.cores));
}

} // namespace

namespace {

/// Of programs/collective.c: released() sleeps until the common release, and after the operation each rank
/// looks at the clock. Before the repetitions come those that warm up, and the test of a barrier.
rcce::RecordedPart part_of(const Collective& what, int repetition) {
  const int before = what.warm_up + (what.operation().has_message ? 0 : 1);
  return {"rcce_sleep_until", "rcce_picoseconds", before + repetition};
}

} // namespace

Output recorded(const Collective& what, const Recorded& records, int repetition) {
  check_place(what);
  const Arrivals arrivals(what);
  Run one = program_run(what, arrivals);
  one.recorded = records;
  one.part = part_of(what, repetition);
  return run(*what.machine, one);
}

Timing measure(const Collective& what,
               const std::function<std::vector<mesh::Observer*>(mesh::Observers&)>& watch) {
  check_place(what);
  const double before = thread_seconds();
  const Arrivals arrivals(what);
  Run program = program_run(what, arrivals);
  program.watch = watch;
  const Output output = run(*what.machine, program);
  Timing timing;
  timing.statistics = output.result.statistics;
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
    const int rank = std::stoi(row.at(0));
    const auto place = [](const Fault& fault) { return std::pair(fault.repetition, fault.rank); };
    if (const Fault fault{rank, repetition, wrong, std::stoll(row.at(4)), std::stoll(row.at(6))};
        wrong > 0 && (!timing.fault || place(fault) < place(*timing.fault)))
      timing.fault = fault;
    if (repetition < 0) continue;
    Repetition& one = repetitions[repetition];
    one.least = std::min(one.least, time);
    one.most = std::max(one.most, time);
    one.sum += time;
    const std::int64_t arrived = std::stoll(row.at(5));
    one.last_arrival = std::max(one.last_arrival, arrived);
    one.arrivals += arrived;
    ++one.ranks;
  }
  if (repetitions.size() != static_cast<std::size_t>(what.repetitions))
    throw std::runtime_error(fmt::format("{} on {} cores, {} bytes: {} repetitions came back instead of {}",
                                         what.algorithm, what.cores, what.bytes, repetitions.size(),
                                         what.repetitions));
  summarise(repetitions, !what.spread.is_none(), timing);
  return timing;
}

nlohmann::ordered_json recorded_figures(const Collective& what, int repetition) {
  const Arrivals arrivals(what);
  Run run = program_run(what, arrivals);
  run.figures = true;
  run.part = part_of(what, repetition);
  auto figures = nlohmann::ordered_json::array();
  const Output output = rccebench::run(*what.machine, run);
  for (auto& figure : nlohmann::ordered_json::parse(output.result.figures)) {
    if (figure["kind"] == "timeline") continue; // of 48 cores too much for a page of many runs
    figures.push_back(std::move(figure));
  }
  return figures;
}

std::vector<std::optional<Timing>> measure_all(const std::vector<Collective>& points, unsigned threads) {
  return sweep<Timing, Collective>(
      points, threads, [](const Collective& point) { return point.weight(); },
      [](const Collective& point) { return measure(point); });
}

std::map<std::int64_t, Choice> choices(const Collective& like, const std::vector<std::int64_t>& sizes) {
  Run what = like.catalogue->run(*like.machine, like.generation, like.cores);
  what.arguments = {"--choose", like.row().operation, fmt::format("{}", like.root)};
  for (const auto bytes : sizes) what.arguments.push_back(fmt::format("{}", bytes));
  std::map<std::int64_t, Choice> result;
  for (const auto& line : run(*like.machine, what).rows) {
    Choice& choice = result[std::stoll(line.at(0))];
    choice.algorithm = line.at(1);
    for (std::size_t i = 2; i < line.size(); ++i) {
      const std::size_t equals = line[i].find('=');
      choice.options[line[i].substr(0, equals)] = line[i].substr(equals + 1);
    }
  }
  return result;
}

std::vector<Parameter> parameters_of(const std::vector<Collective>& points) {
  std::vector<Parameter> all;
  for (const Collective& point : points)
    for (const Parameter& one : point.row().parameters)
      if (std::none_of(all.begin(), all.end(),
                       [&](const Parameter& known) { return known.name == one.name; }))
        all.push_back(one);
  return all;
}

std::vector<Column> collective_columns(const Operation& operation, const std::vector<Parameter>& parameters,
                                       bool spread) {
  std::vector<Column> columns{{"algorithm", "", 0}, {"machine", "", 0}, {"cores", "", 0}};
  if (operation.has_message) columns.push_back({"bytes", "", 0});
  if (operation.combines)
    for (const char* name : {"elements", "type", "op"}) columns.push_back({name, "", 0});
  for (const char* name : {"simulated_us_min", "simulated_us_avg", "simulated_us_max", "simulated_us_mean"})
    columns.push_back({name, "", 3});
  if (spread) columns.push_back({"simulated_us_spent", "", 3});
  for (const char* name : {"host_us", "correct", "rcce", "copies"}) columns.push_back({name, "", 0});
  if (operation.has_root) columns.push_back({"root", "", 0});
  for (const Parameter& parameter : parameters) columns.push_back({parameter.column(), "", 0});
  return columns;
}

std::vector<Cell> collective_row(const Collective& what, const Timing& timing,
                                 const std::vector<Parameter>& parameters) {
  std::vector<Cell> row{what.algorithm, what.machine_name, std::int64_t{what.cores}};
  if (what.operation().has_message) row.emplace_back(what.bytes);
  if (what.operation().combines) row.insert(row.end(), {what.elements(), what.type, what.op});
  for (const double us : {timing.min_us, timing.avg_us, timing.max_us, timing.mean_us}) row.emplace_back(us);
  if (!what.spread.is_none()) row.emplace_back(timing.spent_us);
  row.insert(row.end(),
             {timing.host_us, timing.wrong_bytes == 0, std::string(text_of(what.generation)), what.copies});
  if (what.operation().has_root) row.emplace_back(std::int64_t{what.root});
  for (const Parameter& parameter : parameters) {
    const Parameter* own = what.row().parameter(parameter.name);
    const std::string value = own != nullptr ? what.value(*own) : "";
    row.push_back(value.empty()            ? Cell{}
                      : own->words.empty() ? Cell{std::int64_t{std::stoll(value)}}
                                           : Cell{value});
  }
  return row;
}

} // namespace rccebench
