// SPDX-License-Identifier: Apache-2.0
// The Xeon Phi publication as a row of `rccebench reproduce`.
#pragma once

#include "reproduce/claims.hpp"

namespace rccebench::xeon_phi {

[[nodiscard]] reproduce::Reproduction reproduce_xeon_phi(unsigned jobs);

} // namespace rccebench::xeon_phi
