// SPDX-License-Identifier: Apache-2.0
// What lines of a simulated coherent machine cost when several cores are at them. Nanoseconds.
#pragma once

#include <array>

#include "mesh_sim/machines/coherent/machine.hpp"

namespace rccebench::measuring {

/// One way of a ping-pong of N lines: the sender, whose lines are in that state, copies into the receiver's,
/// who has them exclusively and polls the last one.
[[nodiscard]] double lines_one_way(const mesh::coherent::Config& config, int lines,
                                   mesh::coherent::State sender);
/// The slowest of so many pairs that play ping-pong at once, a line each way: mean of a round trip.
/// Interleaved pairs are 0-2, 1-3, 4-6, ...; nested ones lie around each other.
[[nodiscard]] double pairs_round_trip(const mesh::coherent::Config& config, int pairs, bool nested);
/// Two threads write to a line of memory that a third one polls for both: until it has seen them. `start` is
/// when the writers and the poller begin.
[[nodiscard]] double two_writers(const mesh::coherent::Config& config, const std::array<double, 3>& start);

} // namespace rccebench::measuring
