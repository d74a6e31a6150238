// SPDX-License-Identifier: Apache-2.0
// rccerun --explore: runs a program again and again under other timing that the chip could have had, compares
// the runs and tells of the first that differs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "watch/explore/explore_options.hpp"

namespace rcce::explore {

struct Plan {
  ExploreOptions explored;
  std::uint64_t first_seed = 1;     ///< seed of run 1; further runs use the following ones
  std::vector<std::string> options; ///< the user's others, for the command that makes one run again
  std::vector<std::string> program; ///< and its arguments
  double timeout_seconds = 0; ///< the user's, for each run; 0: as long as follows from the unperturbed one
};

/// Returns the status of the command.
[[nodiscard]] int explore(const Plan& plan, const Start& start);

} // namespace rcce::explore
