// rccebench validate --machine NAME for machines with coherent caches.
#pragma once

#include <string>

#include "report.hpp"

namespace rccebench {

/// Whether a preset of that name has coherent caches.
[[nodiscard]] bool is_coherent(const std::string& machine);

struct CoherentValidation {
  Report report;
  bool within = true; ///< every row that has a tolerance is within it
};

/// The model of that preset beside every published row of it.
[[nodiscard]] CoherentValidation validate_coherent(const std::string& machine);

} // namespace rccebench
