// SPDX-License-Identifier: Apache-2.0
// What the simulated chip measures in the place of published rows (published.hpp): RCCE programs run on it,
// one for each curve that the rows need.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "lab.hpp"
#include "measuring/published.hpp"

namespace rccebench {

/// A value of a row's column `group`.
struct ChipGroup {
  std::string_view key, title, how;         ///< `how`: what the model runs for it
  std::string_view unit;                    ///< that the model gives it in; of line_cost that of its id
  std::string_view columns;                 ///< that count for it, with blanks; NAME=NUMBER: no other value
  std::string_view example;                 ///< a row of it, column by column
  double median_limit = 0, worst_limit = 0; ///< percent; 0: none. What `validate --check` holds the model to.
};
[[nodiscard]] std::span<const ChipGroup> chip_groups();

/// The core that an id ends with, as "TAS-12". Throws mesh::UserError if it ends with none.
[[nodiscard]] int core_in(const std::string& id);

/// Brings the row's value to the unit of its group. Throws mesh::UserError "column 'NAME': ..." for what that
/// machine does not measure.
void check_chip_row(Published& row, const Machine& machine);

/// A value for each row, in the unit of its group. Throws mesh::UserError for a group that nobody measures,
/// and Unfinished in a shard.
[[nodiscard]] std::vector<double> chip_figures(const Machine& machine, const std::vector<Published>& rows);

} // namespace rccebench
