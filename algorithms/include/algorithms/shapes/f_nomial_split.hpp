// SPDX-License-Identifier: Apache-2.0
// How reduce/f_nomial_split cuts the vector and the ranks, free of communication. Its idea, drawing, cost and
// source stand at the top of src/on_messages/reduce/f_nomial_split.cpp.
#pragma once

#include <cstddef>

namespace algorithms::f_nomial_split {

/// Ranks first .. first+size-1, which together reduce elements [begin, end).
struct Group {
  int first;
  int size;
  std::size_t begin, end;

  friend constexpr bool operator==(const Group&, const Group&) = default;
};

/// A rank's exchange with its partner in a split.
struct Exchange {
  int partner;
  bool receives;    ///< the half that it keeps, to be combined; a rank without a partner only sends
  bool sends_first; ///< else it receives first
  std::size_t send_begin, send_end; ///< elements that it gives away: the half that it does not keep
};

/// Splits that can be made: as many as asked for, but no more than leave every group a rank and an element.
[[nodiscard]] constexpr int splits_of(int asked, int ranks, std::size_t elements) {
  int splits = 0;
  while (splits < asked && ranks >> (splits + 1) >= 1 && elements >> (splits + 1) >= 1) ++splits;
  return splits;
}

/// One halving of a group. The lower half of the ranks (A) keeps the lower half of the elements, the upper
/// half (B) the upper; where the halves are not equal, A's are the larger.
class Split {
 public:
  /// `group.size` >= 2.
  constexpr explicit Split(const Group& group)
      : group_(group),
        size_a_((group.size + 1) / 2),
        size_b_(group.size / 2),
        middle_(group.begin + (group.end - group.begin + 1) / 2) {}

  [[nodiscard]] constexpr Group lower() const { return {group_.first, size_a_, group_.begin, middle_}; }
  [[nodiscard]] constexpr Group upper() const {
    return {group_.first + size_a_, size_b_, middle_, group_.end};
  }
  /// The half that a rank of the group belongs to.
  [[nodiscard]] constexpr Group half_of(int rank) const {
    return rank < group_.first + size_a_ ? lower() : upper();
  }

  /// The exchange of a rank of the group with its partner. If A is larger, A's last rank has no partner: it
  /// sends to B's last, which takes that after its partner's (extra_of).
  [[nodiscard]] constexpr Exchange exchange_of(int rank) const {
    const int place = rank - group_.first;
    if (place < size_b_) return {rank + size_a_, true, true, middle_, group_.end};
    if (place < size_a_) return {group_.first + group_.size - 1, false, true, middle_, group_.end};
    return {rank - size_a_, true, false, group_.begin, middle_};
  }
  /// The rank without a partner that this rank takes from besides; -1: none.
  [[nodiscard]] constexpr int extra_of(int rank) const {
    const bool last = rank == group_.first + group_.size - 1;
    return last && size_a_ > size_b_ ? group_.first + size_a_ - 1 : -1;
  }

 private:
  Group group_;
  int size_a_, size_b_;
  std::size_t middle_;
};

/// The group of a rank after so many splits of everything.
[[nodiscard]] constexpr Group group_of(int rank, int ranks, std::size_t elements, int splits) {
  Group group{0, ranks, 0, elements};
  for (int split = 0; split < splits; ++split) group = Split(group).half_of(rank);
  return group;
}

} // namespace algorithms::f_nomial_split
