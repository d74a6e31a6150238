// SPDX-License-Identifier: Apache-2.0
// Blocks from MPBs, what gather/direct_get and allgather/direct_get share.
#pragma once

#include <algorithm>
#include <cstddef>

#include <RCCE.h>
#include <RCCE_lib.h>

#include "on_messages/blocks.hpp"
#include "on_messages/meetings.hpp"
#include "on_messages/mpb_copy.hpp"

namespace algorithms {

/// One call on one UE. Blocks of the ranks of a group stand together in the MPB of its first rank, or of the
/// root if that is one of them. A block that is longer than an MPB goes in segments, which take turns in the
/// two halves of the own MPB.
class DirectGet {
 public:
  /// `root`: who gets the vector; -1: everybody.
  DirectGet(const rockcreek_call& call, int root)
      : call_(call),
        root_(root),
        blocks_(call),
        longest_(blocks_.bytes(blocks_.ranks() - 1)),
        room_(static_cast<std::size_t>(RCCE_chunk)) {
    if (longest_ == 0) return;
    const auto wanted = static_cast<std::size_t>(rockcreek_value(&call, "group"));
    const auto ranks = static_cast<std::size_t>(blocks_.ranks());
    group_ = static_cast<int>(std::min({wanted > 0 ? wanted : (root < 0 ? usual_bytes : room_) / longest_ + 1,
                                        std::max(room_ / longest_, std::size_t{1}), ranks}));
  }

  /// Those who get have the vector in the buffer of the call afterwards.
  int all() {
    if (call_.bytes == 0) return RCCE_SUCCESS;
    const bool gets = root_ < 0 || root_ == blocks_.self();
    if (gets)
      rcce_copy(call_.buffer + blocks_.offset(blocks_.self()), call_.source, blocks_.bytes(blocks_.self()));
    if (blocks_.ranks() == 1) return RCCE_SUCCESS;
    if (group_ > 1)
      by_groups(gets);
    else
      by_segments(gets);
    direct_meetings().meet(); // everybody's MPB is free
    return RCCE_SUCCESS;
  }

 private:
  static constexpr std::size_t line = 32;
  /// Usual bytes of a group from which all get: larger groups gain no more, and more ranks would get from one
  /// MPB at the same time.
  static constexpr std::size_t usual_bytes = 768;

  /// In whose MPB the blocks of a group stand.
  [[nodiscard]] int head_of(int first) const {
    return root_ >= first && root_ < first + group_ ? root_ : first;
  }

  void by_groups(bool gets) {
    const int self = blocks_.self(), ranks = blocks_.ranks(), first_of_own = self / group_ * group_;
    direct_meetings().meet(); // nobody's MPB holds anything of the time before
    if (const std::size_t bytes = blocks_.bytes(self))
      put(RCCE_buff_ptr + (blocks_.offset(self) - blocks_.offset(first_of_own)), call_.source, bytes,
          head_of(first_of_own));
    direct_meetings().meet();
    // Ranks of one group begin at different ones.
    const int groups = (ranks + group_ - 1) / group_;
    for (int i = 0; gets && i < groups; ++i) {
      const int first = (self + i) % groups * group_, count = std::min(group_, ranks - first);
      if (const std::size_t bytes = blocks_.bytes_from(first, count))
        get(call_.buffer + blocks_.offset(first), RCCE_buff_ptr, bytes, head_of(first));
    }
  }

  /// A segment is put while others may still get the one before; who has met twice since has got it.
  void by_segments(bool gets) {
    const int self = blocks_.self();
    const std::size_t segment = longest_ <= room_ ? room_ : room_ / 2 / line * line;
    t_vcharp half = RCCE_buff_ptr;
    for (std::size_t done = 0; done < longest_; done += segment) {
      const auto bytes_of = [&](int rank) {
        return std::min(segment, blocks_.bytes(rank) - std::min(done, blocks_.bytes(rank)));
      };
      if (const std::size_t bytes = bytes_of(self)) put(half, call_.source + done, bytes, self);
      direct_meetings().meet();
      for (int i = 1; gets && i < blocks_.ranks(); ++i) {
        const int rank = blocks_.wrapped(self + i);
        if (const std::size_t bytes = bytes_of(rank))
          get(call_.buffer + blocks_.offset(rank) + done, half, bytes, rank);
      }
      half = half == RCCE_buff_ptr ? RCCE_buff_ptr + segment : RCCE_buff_ptr;
    }
  }

  const rockcreek_call& call_;
  const int root_;
  const Blocks blocks_;
  const std::size_t longest_, room_;
  int group_ = 1;
};

} // namespace algorithms

/// The parameter that both have.
#define ROCKCREEK_GROUP                                                                          \
  {                                                                                              \
    .name = "group", .least = 1, .most = ROCKCREEK_MOST_RANKS, .tried = "1-4:1,6,8,12,16,24,48", \
    .help = "ranks whose blocks stand together in one MPB, as many as fit into it"               \
  }
