// SPDX-License-Identifier: Apache-2.0
// A barrier inside of algorithms that put into and get from MPBs without messages.
#pragma once

#include <cstddef>
#include <vector>

#include <RCCE.h>
#include <RCCE_lib.h>

#include "algorithms/shapes/dissemination.hpp"
#include "on_messages/flags.hpp"

namespace algorithms {

/// Meets all ranks again and again: a dissemination barrier, whose flags change their meaning every second
/// time.
class Meetings {
 public:
  /// Collective; from the second call on it does nothing. Returns RCCE_SUCCESS or the library's error.
  int allocate() { return flags_.empty() ? allocate_flags(flags_, 2 * shape().rounds()) : RCCE_SUCCESS; }

  void meet() {
    const dissemination::Shape all = shape();
    for (int round = 0; round < all.rounds(); ++round) {
      RCCE_FLAG& flag = flags_[static_cast<std::size_t>(set_ * all.rounds() + round)];
      RCCE_flag_write(&flag, meaning_, all.notifies(RCCE_ue(), all.distance(round, 0)));
      RCCE_wait_until(flag, meaning_);
    }
    if (set_ == 1) meaning_ = meaning_ == RCCE_FLAG_SET ? RCCE_FLAG_UNSET : RCCE_FLAG_SET;
    set_ = 1 - set_;
  }

 private:
  [[nodiscard]] static dissemination::Shape shape() { return {RCCE_num_ues(), 1}; }

  std::vector<RCCE_FLAG> flags_; ///< [set][round]
  int set_ = 0;
  RCCE_FLAG_STATUS meaning_ = RCCE_FLAG_SET;
};

/// Those of all algorithms that move blocks without messages: one set of flags, for calls follow each other.
inline Meetings& direct_meetings() {
  static Meetings meetings; // one per UE, as every variable of a program
  return meetings;
}

} // namespace algorithms
