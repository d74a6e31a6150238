// SPDX-License-Identifier: Apache-2.0
// The dynamic-reduction publication as a row of `rccebench reproduce`.
#pragma once

#include "publications/reproduction.hpp"

namespace rccebench::dynamic_reduction {

[[nodiscard]] reproduce::Reproduction reproduce_dynamic_reduction(unsigned jobs);

} // namespace rccebench::dynamic_reduction
