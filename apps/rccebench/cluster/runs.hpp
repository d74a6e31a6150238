// SPDX-License-Identifier: Apache-2.0
// Reductions on a simulated cluster as points of a sweep: which row, how many nodes, what vector, how often;
// and what a series of times says.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "algorithms/on_cards/reductions.hpp"
#include "cluster/cost_model.hpp"
#include "mesh_sim/machines/cluster/machine.hpp"

namespace rccebench::cluster {

/// A row by its name, with or without "reduce/". Throws mesh::UserError that lists the names and the nearest.
[[nodiscard]] const algorithms::on_cards::ReduceRow& row_of(const std::string& name);

struct Point {
  mesh::cluster::Config machine;
  std::string algorithm = "reduce/f_nomial";
  algorithms::on_cards::ReduceOptions options;
  mesh::cluster::Vector what;
  int nodes = 906, processes = 1;
  std::uint32_t elements = 1;
  std::uint64_t seed = 1;
  mesh::cluster::Protocol protocol;
  bool for_all = false; ///< an allreduce: the result is broadcast where the row does not leave it everywhere
};

/// Of a series of times, in microseconds.
struct Distribution {
  double mean = 0, deviation = 0;           ///< of all
  double kept_mean = 0, kept_deviation = 0; ///< without the slowest share
  double least = 0, most = 0, mode = 0;     ///< mode: middle of the fullest of the bins of 2 us
  [[nodiscard]] static Distribution of(const std::vector<mesh::Picoseconds>& times,
                                       double dropped_percent = 1);
};

/// Share, in percent, of the times that lie in the best window of that width.
[[nodiscard]] double share_in_window(std::vector<mesh::Picoseconds> times, double window_us);

[[nodiscard]] mesh::cluster::Program program_of(const Point& point);
[[nodiscard]] mesh::cluster::Series run(const Point& point);
/// Once, without noise, in microseconds.
[[nodiscard]] double quiet_us(Point point);

/// Series of all points, in their order, side by side on so many threads; 0: one per processor. Throws what a
/// point throws; ends the process after Ctrl-C.
[[nodiscard]] std::vector<mesh::cluster::Series> run_all(const std::vector<Point>& points, unsigned jobs);

} // namespace rccebench::cluster
