// SPDX-License-Identifier: Apache-2.0
// What the simulated chip measures in the place of published rows (published.hpp): RCCE programs run on it,
// one for each curve that the rows need.
#pragma once

#include <vector>

#include "lab.hpp"
#include "measuring/published.hpp"

namespace rccebench {

/// In the unit of each row, machine by machine. Throws mesh::UserError for a group that nobody measures, and
/// Unfinished in a shard.
[[nodiscard]] std::vector<std::vector<double>> chip_figures(const std::vector<const Machine*>& machines,
                                                            const std::vector<Published>& rows);

} // namespace rccebench
