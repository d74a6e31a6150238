// SPDX-License-Identifier: Apache-2.0
// What the HTML report of the thesis shows: its tables and figures with the published values over ours, and
// its statements.
#pragma once

#include "report.hpp"
#include "thesis/ratios.hpp"

namespace rccebench::thesis {

/// Figures of both tables: time against the size of the pieces, a figure a table, a curve a message size.
/// `cells` as Tables::cells_of() has them.
[[nodiscard]] nlohmann::ordered_json table_figures(const nlohmann::ordered_json& cells);

/// Statements: a row of `verdict` each, whose columns are what, wanted, found, reached or missed; rows
/// without a verdict are left out.
[[nodiscard]] nlohmann::ordered_json statements(const Table& verdict);

} // namespace rccebench::thesis
