// SPDX-License-Identifier: Apache-2.0
// The parameter `fan_out` of barriers.
#pragma once

#include <algorithm>

#include <RCCE.h>

#include "algorithms/algorithm.h"

namespace algorithms {

/// More than there are UEs are all of them.
inline int fan_out_of(const rockcreek_call& call) {
  return static_cast<int>(std::min<long long>(rockcreek_value(&call, "fan_out"), RCCE_num_ues()));
}

} // namespace algorithms
