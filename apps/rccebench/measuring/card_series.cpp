// SPDX-License-Identifier: Apache-2.0
#include "measuring/card_series.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace rccebench::measuring {

using mesh::microseconds;
using mesh::cluster::Series;

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

namespace {

mesh::cluster::Program program_of(const CardSeries& what) {
  const auto& row = algorithms::row_of(std::span(algorithms::on_cards::reductions), what.algorithm);
  auto program = row.program(what.nodes, what.elements, what.what, what.machine, what.options);
  if (what.for_all && row.ending == mesh::cluster::Ending::root)
    program.set_ending(mesh::cluster::Ending::broadcast);
  return program;
}

} // namespace

Series run(const CardSeries& what) {
  mesh::cluster::Machine machine(what.machine, what.nodes, what.processes, what.seed);
  return machine.repeat(program_of(what), what.what, what.protocol);
}

double quiet_us(CardSeries what) {
  what.machine.daemons = what.machine.late_chance = 0;
  what.machine.trace = nullptr;
  what.protocol = {};
  return run(what).mean_us();
}

} // namespace rccebench::measuring
