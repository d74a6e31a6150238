// SPDX-License-Identifier: Apache-2.0
// Flags from and to the ranks at fixed distances, each with one writer for good: what trees talk
// with over a few distances.
#pragma once

#include <cstddef>
#include <vector>

#include <iRCCE.h>
#include <iRCCE_lib.h>
#include <RCCE.h>
#include <RCCE_lib.h>

#include "on_messages/flags.hpp"

namespace algorithms {

/// A signal turns its flag over instead of setting it, so that nobody has to clear it; the writer and the
/// waiting rank count along. The waiting rank must have taken note of a signal before the next one through
/// the same flag.
class DistanceFlags {
 public:
  /// Collective; allocates slots x distances flags in every MPB. A barrier has to follow before the first
  /// signal.
  int allocate(int slots, std::size_t distances) {
    distances_ = distances;
    const int error = allocate_cleared(flags_, static_cast<std::size_t>(slots) * distances);
    out_.assign(flags_.size(), RCCE_FLAG_UNSET);
    in_.assign(flags_.size(), RCCE_FLAG_UNSET);
    return error;
  }

  /// To the rank for which this one is at that distance.
  void signal(int slot, int distance_index, int rank) {
    turn(slot, distance_index);
    write(slot, distance_index, rank);
  }
  /// A signal to several ranks is turned once, then written to each.
  void turn(int slot, int distance_index) {
    const std::size_t flag = at(slot, distance_index);
    out_[flag] = !out_[flag];
  }
  void write(int slot, int distance_index, int rank) {
    const std::size_t flag = at(slot, distance_index);
    RCCE_flag_write(&flags_[flag], out_[flag], rank);
  }

  void wait(int slot, int distance_index) {
    const std::size_t flag = at(slot, distance_index);
    in_[flag] = !in_[flag];
    RCCE_wait_until(flags_[flag], in_[flag]);
  }
  /// Looks once. True stands for a wait().
  [[nodiscard]] bool test(int slot, int distance_index) {
    const std::size_t flag = at(slot, distance_index);
    int seen = 0;
    iRCCE_test_flag(flags_[flag], !in_[flag], &seen);
    if (seen != 0) in_[flag] = !in_[flag];
    return seen != 0;
  }

 private:
  [[nodiscard]] std::size_t at(int slot, int distance_index) const {
    return static_cast<std::size_t>(slot) * distances_ + static_cast<std::size_t>(distance_index);
  }

  std::size_t distances_ = 0;
  std::vector<RCCE_FLAG> flags_;
  std::vector<RCCE_FLAG_STATUS> out_, in_;
};

} // namespace algorithms
