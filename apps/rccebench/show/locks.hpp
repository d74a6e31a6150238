// SPDX-License-Identifier: Apache-2.0
// Who holds a lock in shared memory when.
#pragma once

#include <string>
#include <vector>

#include "mesh_sim/machines/coherent/config.hpp"
#include "show/recording.hpp"

namespace rccebench::show {

/// Fills in the holds, a round for each hand-over, and the end: all threads that have a place ask for the
/// lock at once, hold it for so many cycles (parameter "hold") and give it back. Throws mesh::UserError for
/// parameters that it does not have.
void record_lock(Recording& recording, const mesh::coherent::Config& config,
                 const std::vector<std::string>& parameters);

} // namespace rccebench::show
