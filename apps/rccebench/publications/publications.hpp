// SPDX-License-Identifier: Apache-2.0
// The publications that `rccebench reproduce` knows by name.
#pragma once

#include <span>
#include <string_view>

#include "command_line/common_options.hpp"
#include "publications/measurement.hpp"

namespace rccebench::publications {

struct Publication {
  std::string_view name, description;
  /// Makes its measurements and facts, on machines with the options' changes.
  Measurements (*measurements)(const CommonOptions& changes);
};

/// All of them, in the order of --help.
[[nodiscard]] std::span<const Publication> publications();
/// Throws mesh::UserError, with the nearest name, where there is none of that name.
[[nodiscard]] const Publication& publication(std::string_view name);

} // namespace rccebench::publications
