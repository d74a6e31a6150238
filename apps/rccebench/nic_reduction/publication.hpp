// SPDX-License-Identifier: Apache-2.0
// rccebench reproduce nic-reduction: Moody, Fernandez, Petrini, Panda, "Scalable NIC-based Reduction on
// Large-scale Clusters", SC 2003. Nothing of a figure's curve was read off: only what its text states is
// compared.
#pragma once

#include "nic_reduction/measurements.hpp"
#include "publications/reproduction.hpp"

namespace rccebench::publications {

[[nodiscard]] Reproduction nic_reduction(unsigned jobs);

namespace nic {
[[nodiscard]] std::vector<Claim> claims_of(const Measurements& measured);
/// Tables 2 and 3, figures 2 and 10 to 13.
[[nodiscard]] std::vector<Figure> figures_of(const Measurements& measured);
} // namespace nic

} // namespace rccebench::publications
