// SPDX-License-Identifier: Apache-2.0
// Why a core goes on.
#pragma once

#include <cstdint>

#include "mesh_sim/units.hpp"

namespace mesh {

/// The event that let a sleeping core go on.
struct Cause {
  enum class Kind : std::uint8_t {
    store,        ///< a store of at most a line, or of bits of one, as it becomes visible
    copy,         ///< a copy of several lines, as its last one becomes visible
    plain_store,  ///< the program's own, past the machine: by whom, nobody knows
    lock_release, ///< a test-and-set register is released
    counter,      ///< an access to the atomic counter
    message,      ///< a message's arrival
    turn,         ///< those before it at a line of memory have been served
    interrupt,    ///< none: it does something else, then looks again
  };
  Kind kind = Kind::store;
  int core = -1;      ///< whose doing it was; -1: not known
  Picoseconds at = 0; ///< when that could be seen first
};

} // namespace mesh
