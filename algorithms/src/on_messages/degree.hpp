// SPDX-License-Identifier: Apache-2.0
// The degree of f-nomial trees, where it is a parameter of an algorithm.
#pragma once

#include "algorithms/algorithm.h"

namespace algorithms {

inline int degree_of(const rockcreek_call& call) {
  return static_cast<int>(rockcreek_value(&call, "degree"));
}

} // namespace algorithms

/// Degrees beyond 64 are of no use: a parent would take from more ranks one after the other than there are
/// cores.
#define ROCKCREEK_DEGREE                                                            \
  {                                                                                 \
    .name = "degree", .least = 2, .most = 64, .default_value = 2, .tried = "2-8:1", \
    .help = "of the tree: a parent takes from up to degree - 1 ranks in a phase"    \
  }
