// SPDX-License-Identifier: Apache-2.0
// Reductions without messages, what reduce/owners and allreduce/owners share: every segment of the vector has
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

/// One reduction on one UE. The payload area of an owner's MPB has a slot for the part of each other sender.
/// Where everybody gets the result, the owners put theirs into areas in a few MPBs, for several owners each:
/// behind the slots. Where only the root does, it owns nothing, and its payload area is for the results of a
/// round. On meshes that have more ranks than there is room for, these put in groups.
class Owners {
 public:
  /// `root`: who gets the result; -1: everybody. `root_last`: the root combines its operand itself, with the
  /// result of the others.
  Owners(const rockcreek_call& call, int root, bool root_last)
      : call_(call),
        root_(root),
        ranks_(RCCE_num_ues()),
        self_(RCCE_ue()),
        root_last_(root_last),
        senders_(root_last ? ranks_ - 1 : ranks_) {
    const int room = static_cast<int>(static_cast<std::size_t>(RCCE_chunk) / line);
    const int results = root < 0 ? 1 : 0; // at least so many segments
    const bool grouped = senders_ - 1 > room - results;
    slots_ = grouped ? room - results : senders_ - 1;
    group_ = grouped ? slots_ : senders_;
    owners_ = root < 0 ? ranks_ : std::min(ranks_ - 1, room);
    if (group_ < 1 || owners_ < 1) return;
    const std::size_t lines = (call.bytes + line - 1) / line, owners = static_cast<std::size_t>(owners_);
    const std::size_t most =
        static_cast<std::size_t>(room / (root < 0 ? slots_ + results : std::max(slots_, owners_))) * owners;
    rounds_ = (lines + most - 1) / most;
    // All rounds alike, and no more owners than lines.
    segment_ = (lines + rounds_ * owners - 1) / (rounds_ * owners) * line;
    batch_ = static_cast<int>(std::max(batch_bytes / segment_, std::size_t{1}));
    shared_ = std::clamp(room / static_cast<int>(segment_ / line) - slots_, 1, std::max(ranks_ / places, 1));
  }

  int all() {
    if (rounds_ == 0)
      return rockcreek_refuse(
          "%s: %zu bytes are left for messages in an MPB, and it needs %zu; prepare fewer "
          "algorithms",
          call_.algorithm->name, static_cast<std::size_t>(RCCE_chunk), 2 * line);
    const std::size_t pages = (static_cast<std::size_t>(batch_) * segment_ + page_bytes - 1) / page_bytes;
    char* const memory = partial_results(2 * pages * page_bytes);
    if (memory == nullptr)
      return rockcreek_refuse("%s: no memory for %zu bytes", call_.algorithm->name, 2 * pages * page_bytes);
    sum_ = memory;
    incoming_ = memory + pages * page_bytes;
    direct_meetings().meet(); // nobody's MPB holds anything of the time before
    for (std::size_t round = 0; round < rounds_; ++round)
      if (const int error = reduce(round)) return error;
    if (self_ == root_) return take_results(rounds_ - 1, 0, 1);
    if (root_ < 0) direct_meetings().meet();
    return RCCE_SUCCESS;
  }

 private:
  static constexpr std::size_t line = 32;
  /// Bytes of parts that are got at once: many share a call, and they stay in the first-level cache.
  static constexpr std::size_t batch_bytes = 512;
  /// MPBs that all results stand in, if there is room for so many in one: from fewer, more ranks would get at
  /// the same time.
  static constexpr int places = 6;

  struct Segment {
    std::size_t offset, bytes; ///< place and size in the vector; 0 bytes: there is none
  };

  int reduce(std::size_t round) {
    const bool takes = self_ == root_ && round > 0; // the results of the round before
    const int own = sender_at(self_);
    for (int begin = 0; begin < senders_; begin += group_) {
      const int end = std::min(begin + group_, senders_);
      if (begin <= own && own < end) put_parts(round, begin);
      // While the others put and while they combine, half each; a root that puts, too, has time only then.
      if (takes && begin == 0 && root_last_)
        if (const int error = take_results(round - 1, 1, 2)) return error;
      direct_meetings().meet();
      if (const int error = combine_parts(round, begin, end)) return error;
      if (takes && end == senders_)
        if (const int error = take_results(round - 1, 0, root_last_ ? 2 : 1)) return error;
      // The slots are free, and those of the root for results.
      if (end < senders_ || root_ < 0 || round > 0) direct_meetings().meet();
    }
    if (root_ < 0) {
      get_results(round);
      return RCCE_SUCCESS;
    }
    if (const Segment segment = own_segment(round); segment.bytes > 0)
      put(slot(owner_at(self_)), sum_, segment.bytes, root_);
    direct_meetings().meet();
    return RCCE_SUCCESS;
  }

  /// From the vector's end to its start: a program that has walked through its buffer left the end in its
  /// cache.
  [[nodiscard]] std::size_t begin_of(std::size_t round) const {
    return (rounds_ - 1 - round) * static_cast<std::size_t>(owners_) * segment_;
  }
  [[nodiscard]] Segment segment_of(std::size_t round, int owner) const {
    const std::size_t begin = begin_of(round) + static_cast<std::size_t>(owner) * segment_;
    return {begin, begin < call_.bytes ? std::min(segment_, call_.bytes - begin) : 0};
  }
  [[nodiscard]] Segment own_segment(std::size_t round) const {
    const int owner = owner_at(self_);
    return self_ == root_ || owner >= owners_ ? Segment{0, 0} : segment_of(round, owner);
  }
  [[nodiscard]] int rank_of(int owner) const { return root_ >= 0 && owner >= root_ ? owner + 1 : owner; }
  [[nodiscard]] int owner_at(int rank) const { return root_ >= 0 && rank > root_ ? rank - 1 : rank; }
  /// -1: it puts nothing.
  [[nodiscard]] int sender_at(int rank) const {
    if (!root_last_) return rank;
    return rank == root_ ? -1 : owner_at(rank);
  }
  /// visit(owner's rank, segment) for all but this UE, the next rank first: not all at one MPB at once.
  template <class Visit>
  void for_others(std::size_t round, Visit&& visit) const {
    const int first = owner_at(self_) + (self_ == root_ ? 0 : 1);
    for (int i = 0; i < owners_; ++i) {
      const int owner = (first + i) % owners_;
      const Segment segment = segment_of(round, owner);
      if (segment.bytes > 0 && rank_of(owner) != self_) visit(rank_of(owner), segment);
    }
  }
  [[nodiscard]] t_vcharp slot(int number) const {
    return RCCE_buff_ptr + static_cast<std::size_t>(number) * segment_;
  }
  /// The slot of a sender, counted from `begin`, at an owner, which has none for itself.
  [[nodiscard]] int slot_of(int sender, int owner_as_sender, int begin) const {
    return sender - begin - (begin <= owner_as_sender && owner_as_sender < sender ? 1 : 0);
  }

  void put_parts(std::size_t round, int begin) {
    for_others(round, [&](int owner, Segment segment) {
      put(slot(slot_of(sender_at(self_), sender_at(owner), begin)), call_.source + segment.offset,
          segment.bytes, owner);
    });
  }

  /// The parts of these senders, in their order; behind the last one the result is there.
  int combine_parts(std::size_t round, int begin, int end) {
    const Segment segment = own_segment(round);
    if (segment.bytes == 0) return RCCE_SUCCESS;
    const char* const own = call_.source + segment.offset;
    const int own_place = sender_at(self_);
    for (int first = begin, last = begin; first < end; first = last) {
      const bool is_own = first == own_place;
      last = is_own ? first + 1 : std::min(first + batch_, end);
      if (first < own_place) last = std::min(last, own_place);
      char* const parts = first == 0 ? sum_ : incoming_;
      if (!is_own)
        get(parts, slot(slot_of(first, own_place, begin)),
            static_cast<std::size_t>(last - first - 1) * segment_ + segment.bytes, self_);
      else if (first == 0)
        rcce_copy(sum_, own, segment.bytes);
      for (int i = std::max(first, 1); i < last; ++i) {
        const char* const operand = is_own ? own : parts + static_cast<std::size_t>(i - first) * segment_;
        if (const int error = combine_bytes(call_, sum_, operand, segment.bytes)) return error;
      }
    }
    if (end < senders_ || root_ >= 0) return RCCE_SUCCESS;
    put(slot(slots_ + self_ % shared_), sum_, segment.bytes, self_ / shared_ * shared_);
    return RCCE_SUCCESS;
  }

  /// Straight into the vector, where segments of neighbours lie side by side. Not all at one MPB at once.
  void get_results(std::size_t round) {
    const int count = (ranks_ + shared_ - 1) / shared_;
    for (int i = 0; i < count; ++i) {
      const int first = (self_ / shared_ + i) % count * shared_, last = std::min(first + shared_, ranks_) - 1;
      const std::size_t begin = segment_of(round, first).offset;
      const std::size_t end = std::min(segment_of(round, last).offset + segment_, call_.bytes);
      if (begin >= end) continue;
      if (shared_ == 1 && first == self_)
        rcce_copy(call_.buffer + begin, sum_, end - begin);
      else
        get(call_.buffer + begin, slot(slots_), end - begin, first);
    }
  }

  /// The root's: of `parts` equal parts of a round's results this one, out of the own MPB.
  int take_results(std::size_t round, std::size_t part, std::size_t parts) {
    const std::size_t begin = begin_of(round), share = static_cast<std::size_t>(owners_) * segment_;
    const std::size_t bytes = begin < call_.bytes ? std::min(share, call_.bytes - begin) : 0;
    const std::size_t lines = (bytes + line - 1) / line;
    const std::size_t from = lines * part / parts * line,
                      to = std::min(lines * (part + 1) / parts * line, bytes);
    if (from == to) return RCCE_SUCCESS;
    char* const target = call_.buffer + begin + from;
    get(target, RCCE_buff_ptr + from, to - from, self_);
    return root_last_ ? combine_bytes(call_, target, call_.source + begin + from, to - from) : RCCE_SUCCESS;
  }

  const rockcreek_call& call_;
  const int root_, ranks_, self_;
  const bool root_last_;
  const int senders_;
  int owners_ = 0;
  int group_ = 0;                        ///< senders that put at the same time
  int slots_ = 0;                        ///< for parts
  int shared_ = 1;                       ///< owners whose results stand in one MPB, the first one's
  int batch_ = 1;                        ///< parts that are got at once
  std::size_t rounds_ = 0, segment_ = 0; ///< segment_: bytes, whole lines
  char *incoming_ = nullptr, *sum_ = nullptr;
};

/// A call of either. `root`: as above; `by_rank`: operands are combined in the order of the ranks.
inline int reduce_by_owners(const rockcreek_call& call, int root, bool by_rank) {
  // Beyond that, vectors come from beyond the caches, and the root's time counts.
  constexpr std::size_t rounds_in_caches = 8;
  const bool root_last = !by_rank && call.bytes > rounds_in_caches * RCCE_chunk;
  if (call.bytes == 0) return RCCE_SUCCESS;
  if (RCCE_num_ues() > 1) return Owners(call, root, root_last).all();
  Reduction(call).copy(call.buffer, call.source);
  return RCCE_SUCCESS;
}

} // namespace algorithms
