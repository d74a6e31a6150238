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

/// Meets the same ranks again and again: a dissemination barrier, whose flags change their meaning every
/// second time.
class Meetings {
 public:
  /// Flags for that many ranks at most, all of the program by default. Collective; from the second call on it
  /// does nothing. Returns RCCE_SUCCESS or the library's error.
  int allocate(int ranks = RCCE_num_ues()) {
    rounds_ = dissemination::Shape(ranks, 1).rounds();
    return flags_.empty() ? allocate_flags(flags_, 2 * rounds_) : RCCE_SUCCESS;
  }

  /// As at first, for other members: all clear their flags, and a barrier has to follow. Returns RCCE_SUCCESS
  /// or the library's error.
  int clear() {
    for (RCCE_FLAG& flag : flags_)
      if (const int error = RCCE_flag_write(&flag, RCCE_FLAG_UNSET, RCCE_ue())) return error;
    set_ = 0;
    meaning_ = RCCE_FLAG_SET;
    return RCCE_SUCCESS;
  }

  /// All ranks of the program.
  void meet() {
    meet(RCCE_num_ues(), RCCE_ue(), [](int rank) { return rank; });
  }
  /// So many members, of whom this UE is number `self`. rank_of(member): its rank.
  template <class RankOf>
  void meet(int members, int self, RankOf&& rank_of) {
    const dissemination::Shape all(members, 1);
    for (int round = 0; round < all.rounds(); ++round) {
      RCCE_FLAG& flag = flags_[static_cast<std::size_t>(set_ * rounds_ + round)];
      RCCE_flag_write(&flag, meaning_, rank_of((self + all.distance(round, 0)) % members));
      RCCE_wait_until(flag, meaning_);
    }
    if (set_ == 1) meaning_ = meaning_ == RCCE_FLAG_SET ? RCCE_FLAG_UNSET : RCCE_FLAG_SET;
    set_ = 1 - set_;
  }

 private:
  std::vector<RCCE_FLAG> flags_; ///< [set][round]
  int rounds_ = 0;
  int set_ = 0;
  RCCE_FLAG_STATUS meaning_ = RCCE_FLAG_SET;
};

/// Those of all algorithms that move blocks without messages: one set of flags, for calls follow each other.
inline Meetings& direct_meetings() {
  static Meetings meetings; // one per UE, as every variable of a program
  return meetings;
}

} // namespace algorithms
