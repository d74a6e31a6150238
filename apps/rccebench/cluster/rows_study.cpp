#include <cstring>

#include <fmt/format.h>

#include "cluster/studies.hpp"

namespace rccebench::cluster {
namespace {

using mesh::cluster::Config;
using mesh::cluster::Ending;
using mesh::cluster::Values;

/// Vectors are combined, and their elements compared, only where they fit in so much memory.
constexpr std::size_t most_checked_bytes = std::size_t{1} << 28;

template <class T>
bool right_as(const Point& point) {
  // Small whole numbers: their sums are exact in every type and order.
  const auto operand = [](int node, std::size_t i) {
    return static_cast<T>((node * 7 + static_cast<int>(i % 5)) % 11 - 5);
  };
  Values values(point.nodes, point.elements, point.what);
  std::vector<T> wanted(point.elements);
  for (int node = 0; node < point.nodes; ++node)
    for (std::size_t i = 0; i < point.elements; ++i) {
      const T value = operand(node, i);
      std::memcpy(values.of(node).data() + i * sizeof(T), &value, sizeof(T));
      T& best = wanted[i];
      if (node == 0)
        best = value;
      else if (point.what.operation == mesh::cluster::Operation::sum)
        best += value;
      else if (point.what.operation == mesh::cluster::Operation::min ? value < best : best < value)
        best = value;
    }
  Config quiet = point.machine;
  mesh::cluster::Machine machine(quiet, point.nodes, point.processes, point.seed);
  (void)machine.reduce(program_of(point), point.what, values);
  const int holders = row_of(point.algorithm).ending == Ending::everywhere ? point.nodes : 1;
  for (int node = 0; node < holders; ++node)
    if (std::memcmp(values.of(node).data(), wanted.data(), wanted.size() * sizeof(T)) != 0) return false;
  return true;
}

bool right(const Point& point) {
  switch (point.what.type) {
  case mesh::cluster::Type::int32:
    return right_as<std::int32_t>(point);
  case mesh::cluster::Type::int64:
    return right_as<std::int64_t>(point);
  case mesh::cluster::Type::float32:
    return right_as<float>(point);
  case mesh::cluster::Type::float64:
    break;
  }
  return right_as<double>(point);
}

} // namespace

Outcome rows_study(const Options& options) {
  const std::vector<Point> points = options.points();
  const bool quiet = options.noise == "off" || options.noise == "both";
  const bool noisy = options.noise != "off";
  std::vector<Point> asked;
  for (const Point& point : points) {
    if (quiet) {
      asked.push_back(point);
      asked.back().machine.daemons = asked.back().machine.late_chance = 0;
      asked.back().machine.trace = nullptr;
      if (point.protocol.in_flight == 0) asked.back().protocol.repetitions = 1;
    }
    if (noisy) asked.push_back(point);
  }
  const auto series = run_all(asked, options.jobs);

  Outcome outcome;
  Report& report = outcome.report;
  report.table.columns = {{"Algorithm", "", 0}, {"Options", "", 0}, {"Nodes", "", 0}, {"Elements", "", 0}};
  if (quiet) report.table.columns.push_back({"Quiet", "us", 3});
  if (noisy)
    report.table.columns.insert(report.table.columns.end(),
                                {{"Noisy", "us", 3},
                                 {"Deviation", "us", 2},
                                 {"Least", "us", 3},
                                 {"Most", "us", 1},
                                 {"Repetitions", "", 0},
                                 {"Simulated", "", 0}});
  report.table.columns.push_back({"Digest", "", 0});
  report.table.columns.push_back({"Check", "", 0});
  std::size_t next = 0;
  std::int64_t wrong = 0, unchecked = 0;
  for (const Point& point : points) {
    std::vector<Cell> row{point.algorithm, options_text(point), std::int64_t{point.nodes},
                          std::int64_t{point.elements}};
    if (quiet) row.emplace_back(series[next++].mean_us());
    std::uint64_t digest = series[next - (quiet ? 1 : 0)].digest;
    if (noisy) {
      const auto& one = series[next++];
      const Distribution times = Distribution::of(one.times);
      row.insert(row.end(),
                 {one.mean_us(), times.deviation, times.least, times.most,
                  static_cast<std::int64_t>(one.times.size()), one.simulated});
      digest = one.digest;
    }
    row.emplace_back(fmt::format("{:016x}", digest));
    const bool checked =
        static_cast<std::size_t>(point.nodes) * point.elements * mesh::cluster::bytes_of(point.what.type) <=
        most_checked_bytes;
    const bool fine = !checked || right(point);
    wrong += fine ? 0 : 1;
    unchecked += checked ? 0 : 1;
    row.emplace_back(std::string(!checked ? "-" : fine ? "ok" : "wrong"));
    report.table.rows.push_back(std::move(row));
  }
  outcome.right = wrong == 0;
  report.notes.push_back(
      wrong > 0 ? fmt::format("# wrong: the results of {} points", wrong)
          : unchecked > 0
          ? fmt::format("# every element compared: correct; {} points are too large for that", unchecked)
          : "# every element compared: correct");
  report.summary = {{"points", points.size()}, {"wrong", wrong}};
  return outcome;
}

} // namespace rccebench::cluster
