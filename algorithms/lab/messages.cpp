// SPDX-License-Identifier: Apache-2.0
#include "lab/messages.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <stdexcept>

#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/compiled_programs.hpp"
#include "lab/lists.hpp"
#include "mesh_sim/errors.hpp"

namespace lab {
namespace {

constexpr int chip_columns = 6;

std::string text_in(const nlohmann::json& object, const char* key) {
  const auto& value = object.at(key);
  return value.is_null() ? "" : value.get<std::string>();
}

Parameter parameter_of(const nlohmann::json& object) {
  Parameter result;
  result.name = text_in(object, "name");
  result.unit = text_in(object, "unit");
  result.tried = text_in(object, "tried");
  result.help = text_in(object, "help");
  result.least = object.at("least");
  result.most = object.at("most");
  result.standard = object.at("standard");
  if (const std::string words = text_in(object, "words"); !words.empty()) result.words = cut(words, ' ');
  result.fixed = object.at("fixed");
  return result;
}

Row row_of(const nlohmann::json& object) {
  Row result;
  result.name = text_in(object, "name");
  result.operation = text_in(object, "operation");
  result.summary = text_in(object, "summary");
  result.cost = text_in(object, "cost");
  result.source = text_in(object, "source");
  result.needs_mesh = object.at("needs_mesh");
  result.for_auto = !object.at("needs_registers") && !object.at("needs_air") && !object.at("own_file");
  for (const auto& one : object.at("parameters")) result.parameters.push_back(parameter_of(one));
  return result;
}

/// The core mesh that fills a machine other than the chip, where there is one: "rows=8 columns=16".
std::vector<std::string> mesh_words(const Point& what) {
  const mesh::MeshShape shape = what.machine->config.mesh();
  const bool chip = shape.columns == chip_columns && shape.cores_per_tile == 2;
  if (!what.fills_mesh || !what.row().needs_mesh || chip || what.cores % shape.columns != 0) return {};
  return {fmt::format("columns={}", shape.columns), fmt::format("rows={}", what.cores / shape.columns)};
}

/// The delays of all timed repetitions, where the program can read them: a file that has no name outside of
/// this process and ends with this object.
class Arrivals {
 public:
  explicit Arrivals(const Point& what) {
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

/// Of programs/collective.c: released() sleeps until the common release, and after the operation each rank
/// looks at the clock. Before the repetitions come those that warm up, and the test of a barrier.
rcce::RecordedPart part_of(const Point& what, int repetition) {
  const int before = what.warm_up + (what.operation().has_message ? 0 : 1);
  return {"rcce_sleep_until", "rcce_picoseconds", before + repetition};
}

void check(const Point& point) {
  if (const std::string why = point.backend->misfit(point); !why.empty()) throw mesh::UserError(why);
}

} // namespace

std::shared_ptr<const Messages> Messages::with(const std::vector<std::string>& files, Generation generation) {
  static std::map<std::pair<std::vector<std::string>, Generation>, std::shared_ptr<const Messages>> known;
  auto& entry = known[{files, files.empty() ? Generation::rcce20 : generation}];
  if (!entry) entry.reset(new Messages(files, generation));
  return entry;
}

Messages::Messages(const std::vector<std::string>& files, Generation generation) : files_(files) {
  if (!files_.empty()) image_ = compile_with(files_, generation, Size::chip);
  const Machine chip = open_machine("scc");
  Run what = program(chip, generation, 1);
  what.arguments = {"--rows"};
  const Output output = lab::run(chip, what);
  const nlohmann::json table = nlohmann::json::parse(output.text);
  for (const auto& one : table.at("faulty"))
    throw mesh::UserError(fmt::format("--with '{}': algorithm '{}' cannot be used: {}",
                                      fmt::join(files_, "' '"), text_in(one, "name"), text_in(one, "fault")));
  std::size_t own = 0;
  for (const auto& one : table.at("algorithms")) {
    rows_.push_back(row_of(one));
    own += one.at("own_file") ? 1 : 0;
  }
  if (own == 0 && !files_.empty())
    throw mesh::UserError(
        fmt::format("--with '{}': there is no algorithm in it; define one by ROCKCREEK_ALGORITHM "
                    "(algorithms/WRITE_YOUR_OWN.md)",
                    fmt::join(files_, "' '")));
}

Run Messages::program(const Machine& machine, Generation generation, int cores) const {
  Run what;
  what.generation = generation;
  what.cores = machine.first_cores(cores);
  if (cores > chip_cores && generation != Generation::rcce20)
    throw mesh::UserError(fmt::format(
        "--rcce 1.0: its flags take a line each and leave no buffer on {} cores; use --rcce 2.0", cores));
  what.program = cores > chip_cores ? "collective_large" : "collective";
  if (files_.empty()) return what;
  if (cores > chip_cores) {
    const std::lock_guard guard(large_mutex_);
    if (large_image_.empty()) large_image_ = compile_with(files_, Generation::rcce20, Size::large);
  }
  what.program = (cores > chip_cores ? large_image_ : image_).string();
  what.place = Place::compiled;
  return what;
}

Run Messages::program(const Point& what, const std::string& arrivals) const {
  Run run = program(*what.machine, what.generation, what.cores);
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
                   arrivals};
  for (const std::string& word : mesh_words(what)) run.arguments.push_back(word);
  for (const auto& [name, value] : what.options) run.arguments.push_back(name + "=" + value);
  return run;
}

int Messages::usual_warm_up(const Point& point) const {
  const Operation& operation = point.operation();
  return operation.has_message && !operation.combines && point.reads ? 0 : 1;
}

double Messages::weight(const Point& point) const {
  const double lines =
      static_cast<double>(point.bytes) / 32 + 200; // 200: hand-shakes and the start of a core
  return lines * point.cores * (point.warm_up + point.repetitions);
}

Output Messages::recorded(const Point& what, const Recorded& records, int repetition) const {
  check(what);
  const Arrivals arrivals(what);
  Run one = program(what, arrivals.path());
  one.recorded = records;
  one.part = part_of(what, repetition);
  return lab::run(*what.machine, one);
}

Result Messages::run(const Point& what,
                     const std::function<std::vector<mesh::Observer*>(mesh::Observers&)>& watch) const {
  check(what);
  const double before = thread_seconds();
  const Arrivals arrivals(what);
  Run made = program(what, arrivals.path());
  made.watch = watch;
  const Output output = lab::run(*what.machine, made);
  Result timing;
  timing.statistics = output.result.statistics;
  timing.host_us = (thread_seconds() - before) * 1e6 / (what.warm_up + what.repetitions);

  Summary summary;
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
    summary.add(repetition, std::stoll(row.at(5)), time);
  }
  if (summary.repetitions() != static_cast<std::size_t>(what.repetitions))
    throw std::runtime_error(fmt::format("{} on {} cores, {} bytes: {} repetitions came back instead of {}",
                                         what.algorithm, what.cores, what.bytes, summary.repetitions(),
                                         what.repetitions));
  summary.write(timing, !what.spread.is_none());
  return timing;
}

nlohmann::ordered_json Messages::figures(const Point& what, int repetition) const {
  const Arrivals arrivals(what);
  Run made = program(what, arrivals.path());
  made.figures = true;
  made.part = part_of(what, repetition);
  auto figures = nlohmann::ordered_json::array();
  const Output output = lab::run(*what.machine, made);
  for (auto& figure : nlohmann::ordered_json::parse(output.result.figures)) {
    if (figure["kind"] == "timeline") continue; // of 48 cores too much for a page of many runs
    figures.push_back(std::move(figure));
  }
  return figures;
}

std::map<std::int64_t, Choice> Messages::automatic(const Point& like,
                                                   const std::vector<std::int64_t>& sizes) const {
  Run what = program(*like.machine, like.generation, like.cores);
  what.arguments = {"--choose", like.row().operation, fmt::format("{}", like.root)};
  for (const auto bytes : sizes) what.arguments.push_back(fmt::format("{}", bytes));
  std::map<std::int64_t, Choice> result;
  for (const auto& line : lab::run(*like.machine, what).rows) {
    Choice& choice = result[std::stoll(line.at(0))];
    choice.algorithm = line.at(1);
    for (std::size_t i = 2; i < line.size(); ++i) {
      const std::size_t equals = line[i].find('=');
      choice.options[line[i].substr(0, equals)] = line[i].substr(equals + 1);
    }
  }
  return result;
}

const Messages& messages_of(const Point& point, const std::string& what) {
  if (const auto* messages = dynamic_cast<const Messages*>(point.backend.get())) return *messages;
  throw mesh::UserError(
      fmt::format("{}: machine '{}' has no message buffers, of which it tells; ask for it on "
                  "a machine that has (rcceinfo machines)",
                  what, point.machine_name));
}

} // namespace lab
