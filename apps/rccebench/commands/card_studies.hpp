// SPDX-License-Identifier: Apache-2.0
// Studies of reductions on a cluster, beside the table that every machine has: rccebench reduce --study.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command_line/collective_options.hpp"
#include "command_line/machine_sweep.hpp"

namespace rccebench::studies {

/// "rows" is the table itself.
[[nodiscard]] std::vector<std::string> names();
[[nodiscard]] std::string help();

/// Runs the study of that name and writes it. Throws mesh::UserError for a machine without network cards.
[[nodiscard]] Status run_study(const std::string& name, const CollectiveOptions& options);

/// How many calls took how long, of the first points with noise, as figures of the report's page.
void add_distribution(Report& report, const std::vector<Point>& points,
                      const std::vector<std::optional<Result>>& timings);

} // namespace rccebench::studies
