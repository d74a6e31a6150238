// SPDX-License-Identifier: Apache-2.0
// What the command line knows of --explore (explore.hpp): what is asked for, and how a run is started.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace rcce::explore {

/// Becomes the program, with these options beside the user's. Returns by an exception only.
using Start = std::function<void(const std::vector<std::string>& options)>;

struct ExploreOptions {
  bool all = false;       ///< every order of accesses that race, else seeded delays
  std::uint64_t runs = 0; ///< beside the unperturbed one; with `all` the most
};

} // namespace rcce::explore
