// SPDX-License-Identifier: Apache-2.0
// The statements of the fork-join publication, by number, beside the simulated machines.
#pragma once

#include "fork_join/published.hpp"
#include "fork_join/table.hpp"
#include "publications/reproduction.hpp"

namespace rccebench::fork_join {

/// What a reason needs to know.
struct Results {
  const Published& published;
  const Simulated& simulated;
};

using Claims = std::vector<reproduce::Claim>;

/// Statements on tables I and II (C1 to C11), absolute times, placement.
void add_synthetic_claims(const Results& results, Claims& claims);
/// Counts of regions, statements on tables III and IV (C12 to C23).
void add_likelihood_claims(const Results& results, Claims& claims);
/// The published tables beside the simulated ones, and table I with flags set back.
[[nodiscard]] std::vector<reproduce::Figure> figures(const Results& results);

/// A statement that a number is above (or below) another one.
[[nodiscard]] reproduce::Claim order_claim(std::string id, std::string statement, Cell published,
                                           double simulated, std::string unit, bool holds,
                                           std::string tolerance, std::string reason);
/// A statement that a number lies within a factor.
[[nodiscard]] reproduce::Claim factor_claim(std::string id, std::string statement, double published,
                                            double simulated, std::string unit, double factor,
                                            std::string reason);

} // namespace rccebench::fork_join
