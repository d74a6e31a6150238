// SPDX-License-Identifier: Apache-2.0
// What a UE remembers of its power requests.
#pragma once

#include "mesh_sim/units.hpp"

namespace rcce::protocol {

struct PowerState {
  mesh::Picoseconds voltage_ready = 0; ///< when the change in flight is complete
};

} // namespace rcce::protocol
