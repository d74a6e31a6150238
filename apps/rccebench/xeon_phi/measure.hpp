// SPDX-License-Identifier: Apache-2.0
// The measurements of the Xeon Phi publication on the simulated machine. Nanoseconds.
#pragma once

#include <string>
#include <vector>

#include "algorithms/in_memory/trial.hpp"

namespace rccebench::xeon_phi {

using mesh::coherent::Config;
using mesh::coherent::State;

/// One way of a ping-pong of N lines: the sender, whose lines are in that state, copies into the receiver's,
/// who has them exclusively and polls the last one.
[[nodiscard]] double lines_one_way(const Config& config, int lines, State sender);
/// The slowest of so many pairs that play ping-pong at once, a line each way: mean of a round trip.
/// Interleaved pairs are 0-2, 1-3, 4-6, ...; nested ones lie around each other.
[[nodiscard]] double pairs_round_trip(const Config& config, int pairs, bool nested);
/// Two threads write to a line of memory that a third one polls for both: until it has seen them. `start` is
/// when the writers and the poller begin.
[[nodiscard]] double two_writers(const Config& config, const std::array<double, 3>& start);
struct Point {
  double last = 0;   ///< until the last thread has left
  double leaves = 0; ///< of bcast/level_tree: until the last one without children has, which waits for nobody
};
/// A collective by all threads at once: mean of some calls. Bytes are whole floats.
[[nodiscard]] Point collective(const Config& config, const std::string& algorithm, int threads,
                               std::size_t bytes, const algorithms::in_memory::BroadcastOptions& bcast = {},
                               const algorithms::in_memory::ReduceOptions& reduce = {}, int partners = 1);

} // namespace rccebench::xeon_phi
