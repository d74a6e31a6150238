// SPDX-License-Identifier: Apache-2.0
// Blocks to every rank without messages, what alltoall/direct_put and reduce_scatter/direct_put share: all
// put straight into the MPBs of those who get.
#pragma once

#include <algorithm>
#include <cstddef>

#include <RCCE.h>
#include <RCCE_lib.h>

#include "on_messages/blocks.hpp"
#include "on_messages/meetings.hpp"
#include "on_messages/mpb_copy.hpp"

namespace algorithms {

/// One exchange on one UE, in which two ranks put into each other's MPB in the step that their numbers and
/// the step's add up to n - 1, modulo n. A rank so walks through blocks from the vector's end to its start: a
/// program that has read its buffers left their ends in its caches. The payload area of an MPB is cut into
/// slots, for as many steps as it has room for whole blocks of, and for one at least. For so many steps the
/// ranks put a piece each, and all meet before and after the pieces are got.
class DirectPut {
 public:
  explicit DirectPut(const rockcreek_call& call) : call_(call), blocks_(call) {
    const std::size_t longest = blocks_.bytes(blocks_.ranks() - 1),
                      whole = (longest + line - 1) / line * line;
    const std::size_t room = static_cast<std::size_t>(RCCE_chunk) / line * line;
    if (whole == 0 || room == 0) return;
    const auto steps = static_cast<std::size_t>(blocks_.ranks());
    const std::size_t at_once = std::clamp<std::size_t>(room / whole, 1, steps);
    const std::size_t turns = (steps + at_once - 1) / at_once;
    slots_ = static_cast<int>((steps + turns - 1) / turns); // all turns alike
    pieces_ = (whole + room - 1) / room;
    piece_ = (whole / line + pieces_ - 1) / pieces_ * line;
  }

  /// Every block of the source but the own one goes to its rank. There take(sender, offset, slot, bytes) is
  /// called with each of its pieces: `offset` in the block, `slot` in the own MPB. Senders come in the order
  /// of the steps.
  template <class Take>
  int all(Take&& take) {
    if (blocks_.ranks() == 1 || call_.bytes == 0) return RCCE_SUCCESS;
    if (piece_ == 0)
      return rockcreek_refuse(
          "%s: %zu bytes are left for messages in an MPB, and it needs %zu; prepare fewer "
          "algorithms",
          call_.algorithm->name, static_cast<std::size_t>(RCCE_chunk), line);
    for (int first = 0; first < blocks_.ranks(); first += slots_)
      for (std::size_t number = pieces_; number-- > 0;)
        if (const int error = turn(first, number * piece_, take)) return error;
    return RCCE_SUCCESS;
  }

 private:
  static constexpr std::size_t line = 32;

  template <class Take>
  int turn(int first, std::size_t offset, Take&& take) {
    const int self = blocks_.self();
    const auto each = [&](auto&& visit) { // visit(partner, slot)
      for (int step = first; step < std::min(first + slots_, blocks_.ranks()); ++step)
        if (const int partner = blocks_.wrapped(blocks_.ranks() - 1 - step - self); partner != self)
          if (const int error = visit(partner, slot(step - first))) return error;
      return RCCE_SUCCESS;
    };
    direct_meetings().meet(); // nobody's MPB holds anything of the time before
    (void)each([&](int partner, t_vcharp place) {
      if (const std::size_t bytes = bytes_of(partner, offset))
        put(place, call_.source + blocks_.offset(partner) + offset, bytes, partner);
      return RCCE_SUCCESS;
    });
    direct_meetings().meet();
    const std::size_t bytes = bytes_of(self, offset);
    if (bytes == 0) return RCCE_SUCCESS;
    return each([&](int partner, t_vcharp place) { return take(partner, offset, place, bytes); });
  }

  [[nodiscard]] std::size_t bytes_of(int rank, std::size_t offset) const {
    const std::size_t all = blocks_.bytes(rank);
    return std::min(piece_, all - std::min(all, offset));
  }
  [[nodiscard]] t_vcharp slot(int number) const {
    return RCCE_buff_ptr + static_cast<std::size_t>(number) * piece_;
  }

  const rockcreek_call& call_;
  const Blocks blocks_;
  int slots_ = 1;                      ///< of an MPB, each for a partner
  std::size_t pieces_ = 0, piece_ = 0; ///< of a block; piece_: bytes, whole lines
};

} // namespace algorithms
