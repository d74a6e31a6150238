// SPDX-License-Identifier: Apache-2.0
// Series of reductions on a simulated cluster, one call after the other with noise between them: which row,
// how many nodes, what vector, how often; and what a series of times says.
#pragma once

#include <string>
#include <vector>

#include "algorithms/on_cards/reductions.hpp"
#include "mesh_sim/machines/cluster/machine.hpp"

namespace rccebench::measuring {

struct CardSeries {
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

/// The distribution of a series of times, in microseconds.
struct Distribution {
  double mean = 0, deviation = 0;           ///< over all times
  double kept_mean = 0, kept_deviation = 0; ///< without the slowest share
  double least = 0, most = 0, mode = 0;     ///< mode: middle of the fullest of the bins of 2 us
  [[nodiscard]] static Distribution of(const std::vector<mesh::Picoseconds>& times,
                                       double dropped_percent = 1);
};

/// Share, in percent, of the times that lie in the best window of that width.
[[nodiscard]] double share_in_window(std::vector<mesh::Picoseconds> times, double window_us);

/// Throws std::invalid_argument for an algorithm that there is not.
[[nodiscard]] mesh::cluster::Series run(const CardSeries& what);
/// Once, without noise, in microseconds.
[[nodiscard]] double quiet_us(CardSeries what);

} // namespace rccebench::measuring
