// SPDX-License-Identifier: Apache-2.0
// What repeating the protocol of "Scalable NIC-based Reduction on Large-scale Clusters" gives: the numbers
// that its claims, tables and figures are made of.
#pragma once

#include <map>
#include <vector>

#include "cluster/runs.hpp"

namespace rccebench::publications::nic {

/// The publication's degree where it states one, its machine sizes and numbers of repetitions.
inline constexpr int published_degree = 4, all_nodes = 906, consistency_nodes = 900, split_nodes = 512;

/// Repetitions, and seeds over which a claim about noise is averaged. Hosts, of which every second repetition
/// is disturbed, are repeated less often for each seed.
struct Effort {
  std::int64_t repetitions = 100'000, host_repetitions = 20'000; ///< 100,000: the publication's
  int seeds = 10;
};

inline constexpr mesh::cluster::Vector int32_sum{mesh::cluster::Type::int32, mesh::cluster::Operation::sum};
inline constexpr mesh::cluster::Vector float64_sum{mesh::cluster::Type::float64,
                                                   mesh::cluster::Operation::sum};

/// One curve of figure 11 at one size.
struct Scaling {
  bool on_cards;
  mesh::cluster::Vector what;
  int nodes, processes;
  double us;
};

struct Measurements {
  Effort effort;
  mesh::cluster::Config unfitted, fitted;
  /// Means over the seeds at 906 nodes with two processes each.
  double card_int = 0, card_float = 0, host_int = 0, host_float = 0;
  /// One process each, one seed.
  double card_int_single = 0, card_float_single = 0, host_int_single = 0;
  cluster::Distribution busy_host;                       ///< two processes, all repetitions of all seeds
  std::vector<mesh::Picoseconds> host_times, card_times; ///< of 900 nodes, timed singly
  cluster::Distribution host, card;
  std::vector<Scaling> scaling;
  std::int64_t repetitions = 0, simulated = 0; ///< of everything with noise
  std::uint64_t digest = 0;
};

[[nodiscard]] Measurements measure(unsigned jobs, const Effort& effort = {});

/// A reduction of the publication's on the cards, without noise, in microseconds.
[[nodiscard]] double on_cards(const mesh::cluster::Config& machine, int nodes, mesh::cluster::Vector what,
                              std::uint32_t elements, int degree = published_degree, int processes = 1);
/// The same with splits.
[[nodiscard]] double split_us(const mesh::cluster::Config& machine, std::uint32_t elements, int splits);
/// 2 to 13 nodes, one after the other at the root; `combines` false: received, and dropped (NOP).
[[nodiscard]] double serial_us(const mesh::cluster::Config& machine, int nodes, mesh::cluster::Vector what,
                               std::uint32_t elements, bool combines = true);

} // namespace rccebench::publications::nic
