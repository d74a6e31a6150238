// SPDX-License-Identifier: Apache-2.0
// How much of a point's time hangs on who comes first: the same point with the mesh's clock a thousandth
// away. Its lines take a thousandth more or less. Where a polling loop goes round once more, or ranks pair up
// by order of arrival, the whole operation takes some percent more or less. Then neither time is the right
// one.
#pragma once

#include <optional>
#include <vector>

#include "command_line/collective_options.hpp"

namespace rccebench {

/// From here on, in percent, a point is called sensitive: ten times what its lines move by.
inline constexpr double sensitive_percent = 1;

void add_sensitivity_to(Command& command, CollectiveOptions& options);

/// With --sensitivity: measures each point with five other clocks. Adds the column sensitivity_percent, the
/// largest difference to the time in the table, and a note for each sensitive point. Returns that difference
/// of each point, 0 where it is not known. Throws mesh::UserError for a machine without message buffers.
std::vector<double> add_sensitivity(Report& report, const CollectiveOptions& options,
                                    const std::vector<Point>& points,
                                    const std::vector<std::optional<Result>>& timings);

} // namespace rccebench
