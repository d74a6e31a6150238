// SPDX-License-Identifier: Apache-2.0
// The statements of the dynamic-reduction publication, by number, beside the simulated machines.
#pragma once

#include "dynamic_reduction/measure.hpp"
#include "publications/reproduction.hpp"

namespace rccebench::dynamic_reduction {

using Claims = std::vector<reproduce::Claim>;

/// Statements 1 to 6 and 13: reductions of one element, and exact ones.
void add_overhead_claims(const Results& results, Claims& claims);
/// Statements 7 to 12 and 14: sizes.
void add_size_claims(const Results& results, Claims& claims);
/// Section "Recommendations", derived again; a statement for each of its cells and machines.
[[nodiscard]] reproduce::Figure add_recommendations(const Results& results, Claims& claims);

/// Curves of its HTML page: one element with the published points, then sizes.
[[nodiscard]] std::vector<nlohmann::ordered_json> page_curves(const Results& results);
/// The four algorithms, on the publication's machine of two processors.
[[nodiscard]] std::vector<show::Asked> shown_schedules();

/// The fastest of them.
[[nodiscard]] std::string fastest(const Results& results, const Machine& machine, std::int64_t elements,
                                  std::size_t spread, const std::vector<std::string>& algorithms);
/// A word without its folder.
[[nodiscard]] std::string short_name(const std::string& algorithm);

} // namespace rccebench::dynamic_reduction
