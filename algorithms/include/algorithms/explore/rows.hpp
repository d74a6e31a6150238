// SPDX-License-Identifier: Apache-2.0
// What can be explored, by name: the algorithms in shared memory, and mistakes that an explorer has to find.
#pragma once

#include "algorithms/explore/search.hpp"

namespace algorithms::explore {

struct Row {
  std::string name;
  std::string summary;
  std::function<Scenario(int operations)> make;
  bool symmetric = false; ///< Limits::symmetric may be set
  bool forgets = true;    ///< Limits::forgets may be set
  bool mistake = false;   ///< known to be wrong
  int fails_threads = 0;  ///< threads with which a mistake is found
  int fails_operations = 0;
};

/// Algorithms first, then mistakes.
[[nodiscard]] const std::vector<Row>& rows();

/// Those of the user's files that have been loaded by now.
[[nodiscard]] std::vector<Row> own_rows();

} // namespace algorithms::explore
