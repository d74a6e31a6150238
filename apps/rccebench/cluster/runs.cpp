// SPDX-License-Identifier: Apache-2.0
#include "cluster/runs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab.hpp"
#include "mesh_sim/errors.hpp"

namespace rccebench::cluster {

using mesh::cluster::microseconds;
using mesh::cluster::Series;

const algorithms::on_cards::ReduceRow& row_of(const std::string& name) {
  using algorithms::on_cards::reductions;
  std::vector<std::string_view> names;
  for (const auto& row : reductions) {
    if (row.name == name || row.name == "reduce/" + name) return row;
    names.push_back(row.name);
  }
  const std::string full = name.find('/') == std::string::npos ? "reduce/" + name : name;
  const std::string_view near = mesh::nearest(full, names);
  throw mesh::UserError(
      fmt::format("--algorithms '{}': there is no such algorithm on a cluster; there are {}{}", name,
                  fmt::join(names, ", "), near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

Distribution Distribution::of(const std::vector<mesh::Picoseconds>& times, double dropped_percent) {
  Distribution result;
  if (times.empty()) return result;
  std::vector<mesh::Picoseconds> sorted = times;
  std::sort(sorted.begin(), sorted.end());
  const auto moments = [&](std::size_t count, double& mean, double& deviation) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < count; ++i) sum += microseconds(sorted[i]);
    mean = sum / static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i)
      squares += (microseconds(sorted[i]) - mean) * (microseconds(sorted[i]) - mean);
    deviation = std::sqrt(squares / static_cast<double>(count));
  };
  moments(sorted.size(), result.mean, result.deviation);
  const auto kept =
      static_cast<std::size_t>(static_cast<double>(sorted.size()) * (1 - dropped_percent / 100));
  moments(std::max<std::size_t>(kept, 1), result.kept_mean, result.kept_deviation);
  result.least = microseconds(sorted.front());
  result.most = microseconds(sorted.back());
  constexpr mesh::Picoseconds bin = 2 * mesh::picoseconds_per_microsecond;
  std::size_t fullest = 0;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t next = i;
    while (next < sorted.size() && sorted[next] / bin == sorted[i] / bin) ++next;
    if (next - i > fullest) {
      fullest = next - i;
      result.mode = microseconds(sorted[i] / bin * bin + bin / 2);
    }
    i = next;
  }
  return result;
}

double share_in_window(std::vector<mesh::Picoseconds> times, double window_us) {
  if (times.empty()) return 0;
  std::sort(times.begin(), times.end());
  const mesh::Picoseconds window = mesh::cluster::picoseconds(window_us);
  std::size_t best = 0;
  for (std::size_t first = 0, last = 0; last < times.size(); ++last) {
    while (times[last] - times[first] > window) ++first;
    best = std::max(best, last - first + 1);
  }
  return 100 * static_cast<double>(best) / static_cast<double>(times.size());
}

mesh::cluster::Program program_of(const Point& point) {
  const auto& row = row_of(point.algorithm);
  auto program = row.program(point.nodes, point.elements, point.what, point.machine, point.options);
  if (point.for_all && row.ending == mesh::cluster::Ending::root)
    program.set_ending(mesh::cluster::Ending::broadcast);
  return program;
}

Series run(const Point& point) {
  mesh::cluster::Machine machine(point.machine, point.nodes, point.processes, point.seed);
  return machine.repeat(program_of(point), point.what, point.protocol);
}

double quiet_us(Point point) {
  point.machine.daemons = point.machine.late_chance = 0;
  point.machine.trace = nullptr;
  point.protocol = {};
  return run(point).mean_us();
}

std::vector<Series> run_all(const std::vector<Point>& points, unsigned jobs) {
  const auto found = sweep<Series, Point>(
      points, jobs,
      [](const Point& point) {
        const bool hosts = row_of(point.algorithm).place == mesh::cluster::Place::hosts;
        const bool each = hosts || point.protocol.timed_singly || point.protocol.in_flight > 0;
        return static_cast<double>(point.nodes) * static_cast<double>(point.protocol.repetitions) *
            (each ? 1 : 0.01);
      },
      run);
  std::vector<Series> all;
  for (const auto& one : found) {
    if (!one) throw std::runtime_error("interrupted: nothing is complete enough to be written");
    all.push_back(*one);
  }
  return all;
}

} // namespace rccebench::cluster
