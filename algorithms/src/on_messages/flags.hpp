// SPDX-License-Identifier: Apache-2.0
// Flags that an algorithm keeps for good, and their two-way use: reversed after each round, they need no
// reset.
#pragma once

#include <vector>

#include <RCCE_lib.h>

namespace algorithms {

/// Allocates flags on every UE and clears the own ones. Collective; returns RCCE_SUCCESS or the library's
/// error. A barrier has to follow before the first of them is written.
inline int allocate_cleared(std::vector<RCCE_FLAG>& flags, std::size_t count) {
  flags.resize(count);
  for (RCCE_FLAG& flag : flags) {
    int error = RCCE_flag_alloc(&flag);
    if (error == RCCE_SUCCESS) error = RCCE_flag_write(&flag, RCCE_FLAG_UNSET, RCCE_ue());
    if (error != RCCE_SUCCESS) return error;
  }
  return RCCE_SUCCESS;
}

/// The same, and the barrier.
inline int allocate_flags(std::vector<RCCE_FLAG>& flags, int count) {
  if (const int error = allocate_cleared(flags, static_cast<std::size_t>(count))) return error;
  // A flag's line holds whatever was there: nobody may set one that its owner is still to clear.
  return RCCE_barrier(&RCCE_COMM_WORLD);
}

/// The place of a flag's value in the own MPB: a byte in RCCE 2.0, a line in RCCE 1.0.
template <class Flag>
[[nodiscard]] t_vcharp place_of(const Flag& flag) {
  if constexpr (requires { flag.flag_addr; })
    return flag.flag_addr;
  else
    return reinterpret_cast<t_vcharp>(flag);
}

/// A flag that takes turns: both ends count along, so it needs no reset.
class Turn {
 public:
  explicit Turn(RCCE_FLAG& flag) : flag_(flag) {}
  void tell(int rank) { RCCE_flag_write(&flag_, next(told_), rank); }
  void await() { RCCE_wait_until(flag_, next(heard_)); }

 private:
  static RCCE_FLAG_STATUS next(bool& last) {
    last = !last;
    return last ? RCCE_FLAG_SET : RCCE_FLAG_UNSET;
  }

  RCCE_FLAG& flag_;
  bool told_ = false, heard_ = false;
};

} // namespace algorithms
