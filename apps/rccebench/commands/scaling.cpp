// SPDX-License-Identifier: Apache-2.0
// rccebench scaling: the same operations on 12, 24, 36 and 48 cores of the chip and on larger meshes of the
// same tiles. With --per-rank what each rank has stays the same, else what all have together.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "command_line/collective_results.hpp"
#include "lab.hpp"
#include "mesh_sim/errors.hpp"
#include "page/figures.hpp"

namespace rccebench {
namespace {

struct ScalingOptions : CollectiveOptions {
  std::string meshes = "8x6,12x8,16x12"; // 96, 192 and 384 cores: the chip's core count doubled three times
  bool some_meshes = false;              ///< --meshes is given
};

struct Mesh {
  std::int64_t columns, rows;
};

std::vector<Mesh> read_meshes(const std::string& text) {
  std::vector<Mesh> meshes;
  if (text == "none") return meshes;
  for (const std::string& word : cut(text, ',')) {
    const std::string where = fmt::format("--meshes '{}'", word);
    const auto ends = cut(word, 'x');
    if (ends.size() != 2)
      throw mesh::UserError(
          fmt::format("{}: this is no mesh; write COLUMNSxROWS in tiles, as in 8x6,16x12, or none", where));
    const Mesh one{whole_number(ends[0], where), whole_number(ends[1], where)};
    if (one.columns < 1 || one.rows < 1 || one.columns > 100 || one.rows > 100)
      throw mesh::UserError(fmt::format("{}: columns and rows are out of range 1..100", where));
    meshes.push_back(one);
  }
  return meshes;
}

std::vector<Point> points_of(const ScalingOptions& options) {
  const auto alone = std::make_shared<const Machine>(open_machine(options.common));
  if (!options.some_meshes && !alone->is_grid()) { // which can only have more ranks
    if (options.some_cores) return options.points();
    const auto ranks = backend_of(*alone)->usual_ranks(*alone);
    return options.points_on(alone, alone->config.name(), {ranks.begin(), ranks.end()});
  }
  auto points = options.points();
  for (const Mesh& mesh : read_meshes(options.meshes)) {
    auto machine = std::make_shared<Machine>(open_machine(options.common));
    machine->host_file.clear(); // all cores take part
    machine->resize(mesh.columns, mesh.rows, "--meshes");
    machine->config.rename(fmt::format("{}-{}x{}", machine->config.name(), mesh.columns, mesh.rows));
    const std::int64_t cores = machine->config.cores();
    if (cores > most_program_cores)
      throw mesh::UserError(
          fmt::format("--meshes '{}': {}x{} tiles have {} cores; the benchmark's program takes {}",
                      options.meshes, mesh.columns, mesh.rows, cores, most_program_cores));
    for (Point& point : options.points_on(machine, machine->config.name(), {cores}))
      points.push_back(std::move(point));
  }
  return points;
}

/// The size that was asked for.
std::int64_t size_of(const ScalingOptions& options, const Point& point) {
  return options.per_rank && options.facts().has_blocks ? point.bytes / point.cores : point.bytes;
}

/// "8192 bytes of each rank", with what follows; nothing where the operation has no message.
std::string size_text(const ScalingOptions& options, std::int64_t bytes, std::string_view follows) {
  const Operation& operation = options.facts();
  if (!operation.has_message) return "";
  return fmt::format("{} bytes{}{}", bytes, options.per_rank && operation.has_blocks ? " of each rank" : "",
                     follows);
}

/// One row per machine and core count, one column per algorithm, for one size.
std::vector<Table> views_of(const ScalingOptions& options, const std::vector<Point>& points,
                            const std::vector<std::optional<Result>>& timings) {
  const auto names = options.chosen_algorithms();
  std::vector<Table> views;
  for (const auto bytes : options.message_sizes()) {
    Table view{fmt::format("{}time until the last rank {}, us; in brackets against the first row",
                           size_text(options, bytes, ": "), options.facts().until),
               {{"Machine", "", 0}, {"Cores", "", 0}},
               {}};
    for (const std::string& name : names)
      view.columns.push_back({name.substr(name.find('/') + 1), "", 0, true});
    std::vector<std::pair<std::string, int>> order;
    std::map<std::pair<std::string, int>, std::map<std::string, double>> times;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!timings[i] || size_of(options, points[i]) != bytes) continue;
      const std::pair<std::string, int> where{points[i].machine_name, points[i].cores};
      if (std::find(order.begin(), order.end(), where) == order.end()) order.push_back(where);
      if (!is_right(points[i], *timings[i])) continue;
      const auto [at, fresh] = times[where].emplace(points[i].algorithm, timings[i]->max_us);
      if (!fresh) at->second = std::min(at->second, timings[i]->max_us);
    }
    for (const auto& where : order) {
      std::vector<Cell> row{where.first, std::int64_t{where.second}};
      for (const std::string& name : names) {
        const auto &here = times[where], &first = times[order.front()];
        row.push_back(
            here.contains(name) && first.contains(name)
                ? Cell{fmt::format("{:.1f} ({:.2f})", here.at(name), here.at(name) / first.at(name))}
                : Cell{});
      }
      view.rows.push_back(std::move(row));
    }
    views.push_back(std::move(view));
  }
  return views;
}

/// Time by number of cores, a figure for each size, then the tables.
nlohmann::ordered_json figures_of(const ScalingOptions& options, const std::vector<Point>& points,
                                  const std::vector<std::optional<Result>>& timings,
                                  const std::vector<Table>& views) {
  std::map<std::int64_t, std::map<std::string, std::map<double, double>>> sizes;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!timings[i] || !is_right(points[i], *timings[i])) continue;
    auto& line = sizes[size_of(options, points[i])][points[i].algorithm];
    const auto [at, fresh] = line.emplace(points[i].cores, timings[i]->max_us);
    if (!fresh) at->second = std::min(at->second, timings[i]->max_us);
  }
  auto figures = nlohmann::ordered_json::array();
  for (const auto& [bytes, lines] : sizes) {
    std::vector<page::Curve> curves;
    for (const auto& [name, line] : lines) curves.push_back({name, {line.begin(), line.end()}, false, {}});
    figures.push_back(page::curves(
        fmt::format("Time {}by cores",
                    options.facts().has_message ? "of " + size_text(options, bytes, " ") : ""),
        {"cores", "1"}, {fmt::format("time until the last rank {}", options.facts().until), "us"}, curves));
  }
  for (const Table& view : views) figures.push_back(page::table(view));
  return figures;
}

Outcome measure_scaling(const ScalingOptions& options) {
  const auto points = points_of(options);
  const auto timings = measure_all(points, options.jobs);
  Report report = collective_report("scaling", options, points, timings);
  report.views = views_of(options, points, timings);
  report.figures = figures_of(options, points, timings, report.views);
  return outcome_of(std::move(report));
}

} // namespace

void add_scaling(CommandLine& line, Status& status) {
  auto options = std::make_shared<ScalingOptions>();
  options->sizes = "8192,190000";
  options->cores = "12,24,36,48";
  Command command = line.add_command("scaling",
                                     "broadcasts, or another operation, on 12 to 48 cores of the chip, and "
                                     "on larger meshes of the same tiles");
  command.when_met([options](Command& met) {
    options->add_to(met);
    options->add_operation_to(met);
    options->add_per_rank_to(met);
    met.option("--meshes", options->meshes,
               "meshes in tiles, all of whose cores take part (RCCE 2.0): 8x6,16x12, or none; none is the "
               "default "
               "of machines that are no grid of tiles, where the numbers of cores alone can grow")
        .with_default_in_help()
        .tells(options->some_meshes);
  });
  command.when_chosen([options, &status] {
    if (options->rcce != "2.0" && options->meshes != "none")
      throw mesh::UserError("--rcce 1.0: its flags take a line each and leave no buffer on larger meshes; "
                            "use --meshes none");
    status = on_each_machine(*options, measure_scaling);
  });
}

} // namespace rccebench
