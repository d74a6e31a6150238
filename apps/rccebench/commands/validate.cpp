// SPDX-License-Identifier: Apache-2.0
// rccebench validate: the model beside published point-to-point measurements of the chip, row by row, and the
// error of each group. Every figure of the model comes from running an RCCE program (folder programs/), not
// from a formula.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "command_line/commands.hpp"
#include "commands/validate_coherent.hpp"
#include "commands/validate_page.hpp"
#include "commands/validate_programs.hpp"
#include "lab.hpp"
#include "measuring/granularity.hpp"
#include "measuring/published.hpp"
#include "mesh_sim/errors.hpp"
#include "page/figures.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench {
namespace {

struct Group {
  const char* key;
  const char* title;
  const char* how;                          ///< what the model runs for it
  double median_limit = 0, worst_limit = 0; ///< percent; 0: none. What --check holds the model to.
};

// Which generation of the library a figure was measured with is stated by the source for the ping-pong curves
// and the 1-byte latency. It is inferred for the 32-byte round trip (5.2 us on one tile: V1.0.13 has 5.4,
// prefetching copies 4.1) and for the barrier (July 2011, before RCCE 2.0 was in use).
constexpr Group groups[] = {
    {"tas", "test-and-set register by target, from tile (0,0)",
     "lock: RCCE_acquire_lock and RCCE_release_lock of each core's register", 5, 0},
    {"rtt32", "round trip of 32 bytes by distance, core 0 against all others",
     "pingpong, RCCE 1.0: mean over the cores at that distance", 5, 5},
    {"latency1", "latency of 1 byte on one tile", "pingpong, RCCE 1.0 and 2.0, cores 0 and 1"},
    {"pingpong_rcce10", "ping-pong bandwidth on one tile, plain copies", "pingpong, RCCE 1.0, cores 0 and 1",
     7, 15},
    {"pingpong_prefetching", "ping-pong bandwidth on one tile, prefetching copies",
     "pingpong, RCCE 1.0 with rcce.copies = prefetching, cores 0 and 1", 7, 15},
    {"barrier", "RCCE_barrier by number of cores (2 cores, a hand-shake of two, in sight; the rest never)",
     "barrier flags, RCCE 1.0, cores 0 ... n-1", 0, 20},
    {"tas_barrier",
     "barrier over test-and-set registers (never fitted; the source does not give its algorithm)",
     "barrier locks: a token twice round, our own algorithm"},
    {"contended_lock", "time to acquire a contended test-and-set lock (never fitted)",
     "lock contended: all cores on the register of core 0"},
    {"line_cost", "cost per line and per message by memory regime (values computed from the curves above)",
     "the same computation on the model's curves; -MAX: program copy, slower of put and get"},
};

struct Row {
  Published published;
  double model = 0;

  [[nodiscard]] double error_percent() const { return (model / published.value - 1) * 100; }
};

struct Errors {
  std::size_t rows = 0;
  double median = 0, worst = 0;
  std::string worst_row;
};

enum class Library : std::uint8_t { rcce10, rcce10_prefetching, rcce20 };

/// Everything that the programs measured, by what the published rows are keyed with.
struct ChipFigures {
  std::map<int, double> lock_us;                                        ///< core -> acquire and release
  std::map<int, double> round_trip_32_us;                               ///< hops -> round trip
  std::map<Library, std::map<std::int64_t, double>> one_way_us;         ///< bytes -> half round trip
  std::map<int, double> barrier_us, lock_barrier_us, contended_lock_us; ///< cores ->
  std::map<std::int64_t, std::pair<double, double>> copy_us_per_line;   ///< bytes -> put, get

  [[nodiscard]] double bandwidth(Library library, std::int64_t bytes) const {
    return static_cast<double>(bytes) / one_way_us.at(library).at(bytes) / 1.048576;
  }
};

constexpr std::int64_t kibi = 1024;

class Measurement {
 public:
  Measurement(const Machine& machine, const std::vector<Published>& rows) : machine_(machine) {
    const int cores = machine_.config.cores();
    add({"lock", Generation::rcce20, machine_.first_cores(cores), {"alone", "20"}},
        [](ChipFigures& m, const Output& out) {
          for (const auto& row : out.rows) m.lock_us[std::stoi(row.at(0))] = std::stod(row.at(1));
        });
    add_distances(cores);
    add_curves(rows);
    for (const Published& row : rows)
      if (row.cores) add_by_cores(row, *row.cores);
    add({"copy", Generation::rcce20, {0, 1}, {"4", "65536", "1048576"}},
        [](ChipFigures& m, const Output& out) {
          for (const auto& row : out.rows)
            m.copy_us_per_line[std::stoll(row.at(0))] = {std::stod(row.at(1)), std::stod(row.at(2))};
        });
  }

  void run() { outputs_ = run_all(machine_, runs_); }
  /// After run(), of which nothing was left out.
  [[nodiscard]] ChipFigures figures() const {
    ChipFigures measured;
    for (std::size_t i = 0; i < outputs_.size(); ++i) readers_[i](measured, outputs_[i]);
    for (auto& [hops, time] : measured.round_trip_32_us) time /= distance_counts_.at(hops);
    return measured;
  }

 private:
  using Reader = std::function<void(ChipFigures&, const Output&)>;

  void add(Run run, Reader reader) {
    runs_.push_back(std::move(run));
    readers_.push_back(std::move(reader));
  }

  void add_distances(int cores) {
    for (int core = 1; core < cores; ++core) {
      const int hops = machine_.hops(0, core);
      ++distance_counts_[hops];
      add({"pingpong", Generation::rcce10, {0, core}, {"5", "0", "32"}},
          [hops](ChipFigures& m, const Output& out) {
            m.round_trip_32_us[hops] += std::stod(out.rows.at(0).at(1));
          });
    }
  }

  void add_curves(const std::vector<Published>& rows) {
    std::set<std::int64_t> sizes{1};
    for (const Published& row : rows)
      if (row.group.starts_with("pingpong") && row.bytes) sizes.insert(*row.bytes);
    for (const auto library : {Library::rcce10, Library::rcce10_prefetching, Library::rcce20}) {
      Run run{"pingpong", Generation::rcce10, {0, 1}, {"4", "0"}, "own"};
      if (library == Library::rcce10_prefetching) run.copies = "prefetching";
      if (library == Library::rcce20) run.generation = Generation::rcce20;
      for (const auto bytes : sizes) run.arguments.push_back(fmt::format("{}", bytes));
      add(std::move(run), [library](ChipFigures& m, const Output& out) {
        for (const auto& row : out.rows)
          m.one_way_us[library][std::stoll(row.at(0))] = std::stod(row.at(1)) / 2;
      });
    }
  }

  void add_by_cores(const Published& row, int cores) {
    const auto one_number = [&](const char* program, const char* what, const char* repetitions,
                                Generation generation, std::map<int, double> ChipFigures::*where) {
      add({program, generation, machine_.first_cores(cores), {what, repetitions}},
          [cores, where](ChipFigures& m, const Output& out) {
            (m.*where)[cores] = std::stod(out.rows.at(0).at(0));
          });
    };
    if (row.group == "barrier")
      one_number("barrier", "flags", "20", Generation::rcce10, &ChipFigures::barrier_us);
    if (row.group == "tas_barrier")
      one_number("barrier", "locks", "20", Generation::rcce20, &ChipFigures::lock_barrier_us);
    if (row.group == "contended_lock")
      one_number("lock", "contended", "50", Generation::rcce20, &ChipFigures::contended_lock_us);
  }

  const Machine& machine_;
  std::vector<Run> runs_;
  std::vector<Reader> readers_;
  std::vector<Output> outputs_;
  std::map<int, int> distance_counts_;
};

/// Least-squares line through (lines, microseconds per message) between two sizes: {intercept, slope}.
std::pair<double, double> line_through(const std::map<std::int64_t, double>& curve, std::int64_t from,
                                       std::int64_t to) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const auto& [bytes, us] : curve) {
    if (bytes < from || bytes > to) continue;
    const double x = static_cast<double>(bytes) / 32;
    n += 1, sx += x, sy += us, sxx += x * x, sxy += x * us;
  }
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  return {(sy - slope * sx) / n, slope};
}

/// Mean time per line over all sizes between two.
double per_line(const std::map<std::int64_t, double>& curve, std::int64_t from, std::int64_t to) {
  double sum = 0, n = 0;
  for (const auto& [bytes, us] : curve)
    if (bytes >= from && bytes <= to) sum += us / (static_cast<double>(bytes) / 32), n += 1;
  return sum / n;
}

double line_cost(const ChipFigures& m, const std::string& id) {
  const auto& plain = m.one_way_us.at(Library::rcce10);
  const auto& prefetching = m.one_way_us.at(Library::rcce10_prefetching);
  const auto slower = [&](std::int64_t bytes) {
    const auto [put, get] = m.copy_us_per_line.at(bytes);
    return std::max(put, get);
  };
  const std::map<std::string, std::function<double()>> rules{
      {"DRV-L1-SUM", [&] { return line_through(prefetching, 256, 4096).second; }},
      {"DRV-L1-ICPT", [&] { return line_through(prefetching, 256, 4096).first; }},
      {"DRV-L2-SUM", [&] { return per_line(prefetching, 16 * kibi, 128 * kibi); }},
      {"DRV-L2-MAX", [&] { return slower(64 * kibi); }},
      {"DRV-DRAM-SUM", [&] { return per_line(prefetching, 1024 * kibi, 1024 * kibi); }},
      {"DRV-DRAM-MAX", [&] { return slower(1024 * kibi); }},
      {"DRV-V1-L1", [&] { return line_through(plain, 256, 4096).second; }},
      {"DRV-V1-L2", [&] { return per_line(plain, 32 * kibi, 128 * kibi); }},
      {"DRV-V1-DRAM", [&] { return per_line(plain, 1024 * kibi, 1024 * kibi); }},
      {"DRV-RTT-HOP", [&] { return (m.round_trip_32_us.at(8) - m.round_trip_32_us.at(1)) / 7; }},
  };
  return rules.at(id)();
}

double model_value(const ChipFigures& m, const Published& row, double nominal_mhz) {
  if (row.group == "tas") return m.lock_us.at(std::stoi(row.id.substr(row.id.find('-') + 1))) * nominal_mhz;
  if (row.group == "rtt32") return m.round_trip_32_us.at(row.hops.value());
  if (row.group == "latency1")
    return m.one_way_us.at(row.id.ends_with("V1.0.13") ? Library::rcce10 : Library::rcce20).at(1);
  if (row.group == "pingpong_rcce10") return m.bandwidth(Library::rcce10, row.bytes.value());
  if (row.group == "pingpong_prefetching") return m.bandwidth(Library::rcce10_prefetching, row.bytes.value());
  if (row.group == "barrier") return m.barrier_us.at(row.cores.value()) * 1000;
  if (row.group == "tas_barrier") return m.lock_barrier_us.at(row.cores.value()) * 1000;
  if (row.group == "contended_lock") return m.contended_lock_us.at(row.cores.value()) * 1000;
  if (row.group == "line_cost") return line_cost(m, row.id);
  throw mesh::UserError(
      fmt::format("published row '{}': nothing measures the group '{}'", row.id, row.group));
}

Errors errors_of(const std::vector<const Row*>& rows) {
  Errors errors;
  std::vector<double> sizes;
  for (const Row* row : rows) {
    sizes.push_back(std::abs(row->error_percent()));
    if (sizes.back() >= errors.worst) errors.worst = sizes.back(), errors.worst_row = row->published.id;
  }
  errors.rows = sizes.size();
  if (sizes.empty()) return errors;
  std::sort(sizes.begin(), sizes.end());
  errors.median = (sizes[(sizes.size() - 1) / 2] + sizes[sizes.size() / 2]) / 2;
  return errors;
}

nlohmann::ordered_json json_of(const Errors& errors) {
  return {{"median_abs_error_percent", errors.median},
          {"worst_abs_error_percent", errors.worst},
          {"rows", errors.rows}};
}

std::string point_of(const Published& row) {
  if (row.group == "tas")
    return fmt::format("core {}, {} hops", std::stoi(row.id.substr(4)), row.hops.value_or(0));
  if (row.group == "rtt32") return fmt::format("{} hops", row.hops.value_or(0));
  if (row.group.starts_with("pingpong")) return fmt::format("{} bytes", row.bytes.value_or(0));
  if (row.group == "line_cost" || row.group == "latency1")
    return row.quantity.substr(0, row.quantity.find(" ("));
  return fmt::format("{} cores", row.cores.value_or(0));
}

struct ValidateOptions {
  CommonOptions common;
  bool check = false;
  std::string programs; ///< folder; empty: the point-to-point measurements
};

Outcome measure_validate(const ValidateOptions& options) {
  const Machine machine = open_machine(options.common);
  if (!options.programs.empty()) return {validate_programs(machine, options.programs), 0};
  if (auto validation = validate_coherent(machine.config)) {
    return {std::move(validation->report), options.check && !validation->within ? 1 : 0};
  }
  if (machine.config.offers(mesh::Capability::cards))
    throw mesh::UserError(fmt::format("--machine '{}': no published row is of single messages on a cluster; "
                                      "rccebench reproduce nic-reduction has what is published of reductions",
                                      options.common.machine));
  if (machine.config.cores() < 48)
    throw mesh::UserError(
        fmt::format("--machine '{}': it has {} cores, and the published figures need the 48 of the SCC",
                    options.common.machine, machine.config.cores()));
  const auto published = read_published(data_path("published.csv"));
  const Machine exact_machine = exact_form(machine);
  Measurement measurement(machine, published), exact_measurement(exact_machine, published);
  measurement.run();
  exact_measurement.run();
  require_whole();
  const ChipFigures measured = measurement.figures(), exact = exact_measurement.figures();
  ExactDifference difference;
  std::vector<Row> rows;
  rows.reserve(published.size());
  for (const Published& row : published) {
    const double mhz = std::floor(machine.core_mhz());
    rows.push_back({row, model_value(measured, row, mhz)});
    difference.add(row.id, rows.back().model, model_value(exact, row, mhz));
  }

  Report report;
  report.title = fmt::format("rccebench validate {}", rcce::version_text);
  report.settings = {{"machine", machine.description()},
                     {"published", "measured at cores 533 MHz, mesh 800 MHz, DRAM 800 MHz"},
                     {"difference", "(model / published - 1), in percent"},
                     {"use", "fit: the parameters were chosen with this row in sight; report: they were not"},
                     {"time", "simulated; code between library calls takes none (compute none)"}};
  report.table.columns = {{"Group", "", 0},       {"Id", "", 0},        {"Point", "", 0},
                          {"Model", "", 3},       {"Published", "", 3}, {"Unit", "", 0},
                          {"Difference", "%", 1}, {"Use", "", 0},       {"Source", "", 0}};
  Table overview{
      "summary of absolute differences in percent; half the point-to-point rows were used to calibrate",
      {{"Group", "", 0},
       {"Rows", "", 0},
       {"Median", "%", 1},
       {"Worst", "%", 1},
       {"Worst row", "", 0},
       {"Median, fit", "%", 1},
       {"Median, report", "%", 1},
       {"Reach", "", 0}},
      {}};
  bool reached = true;
  report.summary = nlohmann::ordered_json::object();
  report.figures = nlohmann::ordered_json::array();
  for (const Group& group : groups) {
    Table view{fmt::format("{}\n# model: {}", group.title, group.how),
               {{"Point", "", 0},
                {"Model", "", 3},
                {"Published", "", 3},
                {"Unit", "", 0},
                {"Diff", "%", 1},
                {"Use", "", 0}},
               {}};
    std::vector<const Row*> all, fit, rest;
    std::set<std::string> sources;
    for (const Row& row : rows) {
      if (row.published.group != group.key) continue;
      all.push_back(&row);
      (row.published.fit ? fit : rest).push_back(&row);
      sources.insert(row.published.source);
      const std::string use = row.published.fit ? "fit" : "report";
      view.rows.push_back({point_of(row.published), row.model, row.published.value, row.published.unit,
                           row.error_percent(), use});
      report.table.rows.push_back({group.key, row.published.id, point_of(row.published), row.model,
                                   row.published.value, row.published.unit, row.error_percent(), use,
                                   row.published.source});
    }
    for (const std::string& source : sources) view.title += "\n# source: " + source;
    for (auto& figure : validation_figures(view)) report.figures.push_back(std::move(figure));
    report.views.push_back(std::move(view));

    const Errors errors = errors_of(all), fitted = errors_of(fit), reported = errors_of(rest);
    const bool limited = group.median_limit > 0 || group.worst_limit > 0;
    const bool within = (group.median_limit == 0 || errors.median <= group.median_limit) &&
        (group.worst_limit == 0 || errors.worst <= group.worst_limit);
    reached = reached && within;
    std::string reach = "-";
    if (limited) {
      reach = within ? "within" : "beyond";
      if (group.median_limit > 0) reach += fmt::format(" median {:.0f}", group.median_limit);
      if (group.worst_limit > 0) reach += fmt::format(" worst {:.0f}", group.worst_limit);
    }
    overview.rows.push_back({group.key, static_cast<std::int64_t>(errors.rows), errors.median, errors.worst,
                             errors.worst_row, fit.empty() ? Cell{} : Cell{fitted.median},
                             rest.empty() ? Cell{} : Cell{reported.median}, reach});
    auto json = json_of(errors);
    json["worst_row"] = errors.worst_row;
    if (!fit.empty()) json["fit"] = json_of(fitted);
    if (!rest.empty()) json["report"] = json_of(reported);
    if (limited) json["within_reach"] = within;
    report.summary[group.key] = std::move(json);
  }
  report.figures.insert(report.figures.begin(), page::table(overview));
  report.views.push_back(std::move(overview));
  report.notes.push_back(difference.note());
  report.summary["granularity"] = difference.json();
  return {std::move(report), options.check && !reached ? 1 : 0};
}

} // namespace

void add_validate(CommandLine& line, Status& status) {
  auto options = std::make_shared<ValidateOptions>();
  Command command = line.add_command("validate", "the model beside published measurements of the chip");
  options->common.add_to(command);
  options->common.add_report_to(command);
  options->common.add_sweep_to(command, nullptr);
  command.flag("--check", options->check, "status 1 when a group's error is beyond its reach");
  command.option(
      "--programs", options->programs,
      "folder of programs with published figures (NPB LU, class B: lu.B.1, lu.B.2 ... lu.B.32), built by "
      "rccecc --memory: these beside the model instead");
  command.when_chosen([options, &status] { status = on_each_machine(*options, measure_validate); });
}

} // namespace rccebench
