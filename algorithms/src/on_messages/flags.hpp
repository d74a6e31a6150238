// Flags that an algorithm keeps for good, and their two-way use: reversed after each round, they need no
// reset.
#pragma once

#include <vector>

#include <RCCE_lib.h>

namespace algorithms {

/// Allocates flags on every UE and clears the own ones. Collective; returns RCCE_SUCCESS or the library's
/// error.
inline int allocate_flags(std::vector<RCCE_FLAG>& flags, int count) {
  flags.resize(static_cast<std::size_t>(count));
  for (RCCE_FLAG& flag : flags) {
    int error = RCCE_flag_alloc(&flag);
    if (error == RCCE_SUCCESS) error = RCCE_flag_write(&flag, RCCE_FLAG_UNSET, RCCE_ue());
    if (error != RCCE_SUCCESS) return error;
  }
  // A flag's line holds whatever was there: nobody may set one that its owner is still to clear.
  return RCCE_barrier(&RCCE_COMM_WORLD);
}

} // namespace algorithms
