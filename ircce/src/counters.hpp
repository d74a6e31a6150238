// SPDX-License-Identifier: Apache-2.0
// Atomic increment registers of the board's FPGA: two per core.
#pragma once

#include "state.hpp"

namespace rcce::ircce {

/// The next counter of the participants, the same on every UE that asks as often, set to 0: false when all
/// are taken.
bool counter_alloc(State& state, int& counter);
int counter_increment(State& state, int counter); ///< the value before
int counter_read(State& state, int counter);
void counter_write(State& state, int counter, int value);

} // namespace rcce::ircce
