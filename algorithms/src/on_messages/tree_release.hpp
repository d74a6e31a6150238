// SPDX-License-Identifier: Apache-2.0
// The end of a barrier: the release goes down the fixed tree of shapes/tree.hpp.
#pragma once

#include <RCCE_lib.h>

#include "algorithms/shapes/tree.hpp"

namespace algorithms {

/// Writes the release to the own children in the tree, through the same flag of each; the meaning is reversed
/// for the next barrier, so that nobody has to reset the flag.
inline int pass_on_release(RCCE_FLAG& release, RCCE_FLAG_STATUS& meaning, int fan_out) {
  const int rank = RCCE_ue(), ranks = RCCE_num_ues();
  for (int slot = 0; slot < fan_out && tree::child(rank, slot, fan_out) < ranks; ++slot)
    RCCE_flag_write(&release, meaning, tree::child(rank, slot, fan_out));
  meaning = meaning == RCCE_FLAG_SET ? RCCE_FLAG_UNSET : RCCE_FLAG_SET;
  return RCCE_SUCCESS;
}

} // namespace algorithms
