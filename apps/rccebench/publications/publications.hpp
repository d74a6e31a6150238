// SPDX-License-Identifier: Apache-2.0
// The publications whose measurements `rccebench reproduce` repeats, in one table. One more is a folder of
// tables with its quantities.cpp, and a row in publications.cpp.
#pragma once

#include <span>
#include <string_view>

#include "publications/study.hpp"

namespace rccebench::publications {

struct Publication {
  std::string_view name;        ///< on the command line, and of its folder
  std::string_view description; ///< in one line
  Quantities (*quantities)();   ///< of its quantities.cpp
};

[[nodiscard]] std::span<const Publication> publications();

/// Throws mesh::UserError that lists the names and the nearest one.
[[nodiscard]] const Publication& publication(std::string_view name);

/// With its tables as they are installed. Throws mesh::UserError for what cannot be read there.
[[nodiscard]] Study study_of(const Publication& publication);

} // namespace rccebench::publications
