// SPDX-License-Identifier: Apache-2.0
// The publications whose measurements `rccebench reproduce` repeats, in one table. One more is a file in this
// folder and a row in publications.cpp.
#pragma once

#include <span>
#include <string_view>

#include "reproduce/claims.hpp"

namespace rccebench::reproduce {

struct Publication {
  std::string_view name;        ///< on the command line
  std::string_view description; ///< in one line
  /// Repeats its protocol; `jobs` simulations side by side, 0: one per processor. What it returns does not
  /// depend on their number.
  Reproduction (*run)(unsigned jobs);
};

[[nodiscard]] std::span<const Publication> publications();

/// Throws mesh::UserError that lists the names and the nearest one.
[[nodiscard]] const Publication& publication(std::string_view name);

} // namespace rccebench::reproduce
