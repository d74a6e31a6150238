// The statements of the Xeon Phi publication, by number, beside the simulated machine.
#pragma once

#include "algorithms/in_memory/cost_model.hpp"
#include "mesh_sim/machines/coherent/config.hpp"
#include "reproduce/claims.hpp"

namespace rccebench::xeon_phi {

using Claims = std::vector<reproduce::Claim>;

/// The published parameters, in nanoseconds; c, which is printed in a figure only, is the preset's.
[[nodiscard]] algorithms::in_memory::cost::Parameters published_parameters();

/// Statements 1 to 9: lines between two cores, contention, pairs.
void add_point_claims(const mesh::coherent::Config& config, Claims& claims);
/// Statements 10 to 12 and 15 to 19: collectives. The table: simulated times beside both bounds of the model.
[[nodiscard]] reproduce::Figure add_collective_claims(const mesh::coherent::Config& config, unsigned jobs,
                                                      Claims& claims);

} // namespace rccebench::xeon_phi
