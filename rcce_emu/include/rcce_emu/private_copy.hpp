// SPDX-License-Identifier: Apache-2.0
// What a copy within private memory takes beside what its lines do: rcce_copy(), as the table of
// instruction_costs.hpp has memcpy, the words of rep movs.
#pragma once

#include <cstdint>

#include "mesh_sim/units.hpp"

namespace rcce {

constexpr mesh::Cycles private_copy_begin_cycles = 20, private_copy_word_cycles = 1;
constexpr std::uint32_t private_copy_word = 4; ///< bytes

} // namespace rcce
