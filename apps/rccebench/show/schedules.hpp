// SPDX-License-Identifier: Apache-2.0
// Rounds as a figure of an HTML report: one algorithm's or those of several, of which the reader chooses.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "lab.hpp"
#include "lab/messages.hpp"
#include "show/recording.hpp"

namespace rccebench::show {

/// Kind "schedule" (rcce_emu/report/README.md).
[[nodiscard]] nlohmann::ordered_json schedule_figure(const std::vector<Recording>& recordings);

/// The first point of each algorithm, on the most cores that any of its points has, with a small message.
[[nodiscard]] std::vector<Point> small_points(const std::vector<Point>& points);

/// One run of each point, on no more cores, threads or nodes than a picture shows well, and on 12 where these
/// have more edges than a page should hold. What has too many even so is left out, and the figure's note says
/// which.
[[nodiscard]] nlohmann::ordered_json schedules_of(const std::vector<Point>& points);
/// The same of algorithms by name.
[[nodiscard]] nlohmann::ordered_json schedules_of(const std::vector<ScheduleRequest>& all);

} // namespace rccebench::show
