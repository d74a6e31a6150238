// SPDX-License-Identifier: Apache-2.0
// What the HTML report of `rccebench validate` draws of a group of rows.
#pragma once

#include "present/report.hpp"

namespace rccebench {

/// The model's curve with the published points over it, where every row's first cell is a number with its
/// unit
/// ("8 hops") or a core ("core 8, 2 hops"), and the view itself. `view` has the columns point, model,
/// published, unit.
[[nodiscard]] std::vector<nlohmann::ordered_json> validation_figures(const Table& view);

} // namespace rccebench
