// SPDX-License-Identifier: Apache-2.0
// What --explore asks for: all that the command line knows of it (explore.hpp).
#pragma once

#include <cstdint>

namespace rcce::explore {

struct ExploreOptions {
  bool all = false;       ///< every order of accesses that race, else seeded delays
  std::uint64_t runs = 0; ///< beside the unperturbed one; with `all` the most
};

} // namespace rcce::explore
