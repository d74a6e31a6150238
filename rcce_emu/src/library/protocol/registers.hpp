// SPDX-License-Identifier: Apache-2.0
// The chip's configuration registers by system address, as far as programs reach for them: tile number, tile
// clock, test-and-set, address table, the board's atomic counters and global clock.
#pragma once

#include <cstdint>

#include "library/protocol/library.hpp"

namespace rcce::protocol {

/// One uncached access to a register of a tile, in core cycles: that to the test-and-set register of the own
/// tile (Reble and others, 3rd MARC Symposium 2011, figure 3).
inline constexpr Cycles register_access_cycles = 97;

[[nodiscard]] std::uint32_t read_register(Library& library, std::uint32_t address);
void write_register(Library& library, std::uint32_t address, std::uint32_t value);

} // namespace rcce::protocol
