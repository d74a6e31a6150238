// SPDX-License-Identifier: Apache-2.0
#include "command_line/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "command_line/collective_results.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/parameters.hpp"

namespace rccebench {
namespace {

constexpr int thousandths[] = {-5, -1, 1, 2, 10}; ///< by which the mesh's clock is moved

/// The point's machine with that clock.
std::shared_ptr<const Machine> at_another_clock(const Machine& machine, int thousandth) {
  auto moved = std::make_shared<Machine>(machine);
  const mesh::ParameterTable table = moved->config.table();
  const mesh::Parameter& clock = mesh::find_parameter(table, "mesh.clock", "--sensitivity");
  const double mhz = *std::get<double*>(clock.value);
  moved->config.set("mesh.clock", fmt::format("{}", mhz * (1 + thousandth / 1000.0)));
  return moved;
}

} // namespace

void add_sensitivity_to(Command& command, CollectiveOptions& options) {
  command.flag("--sensitivity", options.sensitivity,
               "also run each point with five other clocks of the mesh, 0.1 to 1 % away: how far its time "
               "moves, and which points are sensitive (1 % or more)");
}

std::vector<double> add_sensitivity(Report& report, const CollectiveOptions& options,
                                    const std::vector<Point>& points,
                                    const std::vector<std::optional<Result>>& timings) {
  std::vector<double> found(points.size());
  if (!options.sensitivity) return found;
  std::vector<Point> moved;
  for (const Point& point : points) {
    if (!is_by_messages(point))
      throw mesh::UserError(fmt::format("--sensitivity: machine '{}' has no message buffers; it moves the "
                                        "clock of a mesh that messages cross, for example of --machine scc",
                                        point.machine_name));
    for (const int thousandth : thousandths) {
      moved.push_back(point);
      moved.back().machine = at_another_clock(*point.machine, thousandth);
      moved.back().statistics = false;
      moved.back().checks = false; // a clock makes no other algorithm
    }
  }
  const auto again = measure_all(moved, options.jobs);
  report.table.columns.push_back({"sensitivity_percent", "", 2});
  std::size_t row = 0, sensitive = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!timings[i]) continue;
    std::optional<double> most;
    for (std::size_t k = 0; k < std::size(thousandths); ++k)
      if (const auto& one = again[i * std::size(thousandths) + k];
          one && one->found.empty() && timings[i]->found.empty())
        most = std::max(most.value_or(0), std::abs(one->max_us / timings[i]->max_us - 1) * 100);
    found[i] = most.value_or(0);
    report.table.rows[row++].push_back(most ? Cell{*most} : Cell{});
    if (most.value_or(0) < sensitive_percent) continue;
    ++sensitive;
    report.notes.push_back(
        fmt::format("# sensitive: {}: +-{:.1f} % where the mesh's clock moves by 1 % at most",
                    points[i].run_name(), *most));
  }
  report.summary["sensitive_points"] = sensitive;
  return found;
}

} // namespace rccebench
