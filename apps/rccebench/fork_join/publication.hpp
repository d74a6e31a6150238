// SPDX-License-Identifier: Apache-2.0
// The fork-join publication as a row of `rccebench reproduce`.
#pragma once

#include "publications/reproduction.hpp"

namespace rccebench::fork_join {

[[nodiscard]] reproduce::Reproduction reproduce_fork_join(unsigned jobs);

} // namespace rccebench::fork_join
