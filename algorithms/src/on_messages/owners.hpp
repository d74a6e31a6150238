// SPDX-License-Identifier: Apache-2.0
// Reductions without messages, what reduce/owners and allreduce/owners share: every piece of the vector has
// an owner, into whose MPB all put theirs.
#pragma once

#include <algorithm>
#include <cstddef>

#include <RCCE.h>

#include "algorithms/algorithm.h"
#include "on_messages/meetings.hpp"
#include "on_messages/mpb_copy.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {

/// One reduction on one UE. The payload area of an MPB has a slot for each other rank, for its part of the
/// owner's piece, and the own one for the result. Where only the root gets results, it does so later, and
/// they have two slots in turn. On meshes that have more ranks than there is room for, these put in groups.
class Owners {
 public:
  static constexpr std::size_t line = 32;
  static constexpr int results = 2; ///< slots for them, where ranks put in groups

  /// `root`: who gets the result, and owns nothing; -1: everybody.
  Owners(Meetings& meetings, const rockcreek_call& call, int root)
      : meetings_(meetings),
        call_(call),
        root_(root),
        ranks_(RCCE_num_ues()),
        self_(RCCE_ue()),
        owners_(root < 0 ? ranks_ : ranks_ - 1),
        element_(call.bytes / call.count) {
    const std::size_t lines = (call.bytes + line - 1) / line, owners = static_cast<std::size_t>(owners_);
    const int room_for = static_cast<int>(static_cast<std::size_t>(RCCE_chunk) / line);
    const int slots = ranks_ + (root < 0 ? 0 : 1);
    grouped_ = slots > room_for;
    senders_ = grouped_ ? room_for - results : ranks_;
    const int room = senders_ < 1 ? 0 : grouped_ ? 1 : room_for / slots;
    const std::size_t most = static_cast<std::size_t>(room) * owners;
    rounds_ = room == 0 ? 0 : (lines + most - 1) / most;
    // All rounds alike, and no more owners than lines.
    piece_ = rounds_ == 0 ? 0 : (lines + rounds_ * owners - 1) / (rounds_ * owners) * line;
  }

  int all() {
    if (rounds_ == 0)
      return rockcreek_refuse(
          "%s: %zu bytes are left for messages in an MPB, and it needs %zu; prepare fewer "
          "algorithms",
          call_.algorithm->name, static_cast<std::size_t>(RCCE_chunk), (results + 1) * line);
    char* const memory = partial_results(2 * ((piece_ + page_bytes - 1) / page_bytes * page_bytes));
    if (memory == nullptr)
      return rockcreek_refuse("%s: no memory for %zu bytes", call_.algorithm->name, piece_);
    incoming_ = memory;
    sum_ = memory + (piece_ + page_bytes - 1) / page_bytes * page_bytes;
    meetings_.meet(); // nobody's MPB holds anything of the time before
    for (std::size_t round = 0; round < rounds_; ++round) {
      for (int begin = 0; begin < ranks_; begin += senders_) {
        const int end = std::min(begin + senders_, ranks_);
        if (begin <= self_ && self_ < end) put_pieces(round, self_ - begin);
        meetings_.meet();
        if (const int error = combine_own(round, begin, end)) return error;
        // The root has nothing to combine, and gets what was combined before.
        if (self_ == root_ && round > 0 && end == ranks_) get_results(round - 1);
        meetings_.meet();
      }
      if (root_ < 0) get_results(round);
    }
    if (self_ == root_) get_results(rounds_ - 1);
    meetings_.meet();
    return RCCE_SUCCESS;
  }

 private:
  struct Piece {
    std::size_t offset, bytes; ///< of the vector; 0 bytes: there is none
  };
  /// From the vector's end to its start: a program that has walked through its buffer left the end in its
  /// cache.
  [[nodiscard]] Piece piece_of(std::size_t round, int owner) const {
    const std::size_t block = rounds_ - 1 - round;
    const std::size_t begin =
        (block * static_cast<std::size_t>(owners_) + static_cast<std::size_t>(owner)) * piece_;
    return {begin, begin < call_.bytes ? std::min(piece_, call_.bytes - begin) : 0};
  }
  [[nodiscard]] int rank_of(int owner) const { return root_ >= 0 && owner >= root_ ? owner + 1 : owner; }
  [[nodiscard]] int owner_at(int rank) const { return root_ >= 0 && rank > root_ ? rank - 1 : rank; }
  /// visit(owner's rank, piece) for all but this UE, the next rank first: not all at one MPB at once.
  template <class Visit>
  void for_others(std::size_t round, Visit&& visit) const {
    const int first = owner_at(self_) + (self_ == root_ ? 0 : 1);
    for (int i = 0; i < owners_; ++i) {
      const int owner = (first + i) % owners_;
      const Piece piece = piece_of(round, owner);
      if (piece.bytes > 0 && rank_of(owner) != self_) visit(rank_of(owner), piece);
    }
  }
  [[nodiscard]] t_vcharp slot(int number) const {
    return RCCE_buff_ptr + static_cast<std::size_t>(number) * piece_;
  }
  [[nodiscard]] t_vcharp result_slot(std::size_t round, int owner) const {
    const int second = root_ >= 0 ? static_cast<int>(round % 2) : 0;
    if (grouped_) return slot(senders_ + second);
    return slot(second == 1 ? ranks_ : owner);
  }

  void put_pieces(std::size_t round, int number) {
    for_others(round, [&](int owner, Piece piece) {
      put(slot(number), call_.source + piece.offset, piece.bytes, owner);
    });
  }

  /// The parts of these ranks, in their order; behind the last one the result is there.
  int combine_own(std::size_t round, int begin, int end) {
    if (self_ == root_) return RCCE_SUCCESS;
    const Piece piece = piece_of(round, owner_at(self_));
    if (piece.bytes == 0) return RCCE_SUCCESS;
    const char* const own = call_.source + piece.offset;
    for (int rank = begin; rank < end; ++rank) {
      char* const target = rank == 0 ? sum_ : incoming_;
      if (rank != self_) get(target, slot(rank - begin), piece.bytes, self_);
      if (rank == 0) {
        if (self_ == 0) rcce_copy(sum_, own, piece.bytes);
        continue;
      }
      const char* const operand = rank == self_ ? own : incoming_;
      if (const int error =
              rcce_combine(call_.op, call_.type, sum_, operand, static_cast<int>(piece.bytes / element_)))
        return error;
    }
    if (end < ranks_) return RCCE_SUCCESS;
    put(result_slot(round, self_), sum_, piece.bytes, self_);
    if (root_ >= 0) return RCCE_SUCCESS;
    rcce_copy(call_.buffer + piece.offset, sum_, piece.bytes);
    return RCCE_SUCCESS;
  }

  void get_results(std::size_t round) {
    for_others(round, [&](int owner, Piece piece) {
      get(call_.buffer + piece.offset, result_slot(round, owner), piece.bytes, owner);
    });
  }

  Meetings& meetings_;
  const rockcreek_call& call_;
  const int root_, ranks_, self_, owners_;
  const std::size_t element_;
  bool grouped_ = false;
  int senders_ = 0;                    ///< that put at the same time
  std::size_t rounds_ = 0, piece_ = 0; ///< piece_: bytes, whole lines
  char *incoming_ = nullptr, *sum_ = nullptr;
};

/// A call of either; `root` as above.
inline int reduce_by_owners(Meetings& meetings, const rockcreek_call& call, int root) {
  if (call.bytes == 0) return RCCE_SUCCESS;
  if (RCCE_num_ues() > 1) return Owners(meetings, call, root).all();
  Reduction(call).copy(call.buffer, call.source);
  return RCCE_SUCCESS;
}

} // namespace algorithms
