// SPDX-License-Identifier: Apache-2.0
// Reductions without messages in groups of groups, each of which works on its share of a round.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <RCCE.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/nested_groups.hpp"
#include "on_messages/meetings.hpp"
#include "on_messages/mpb_copy.hpp"
#include "on_messages/reduction.hpp"
#include "on_messages/tile_mesh.hpp"

namespace algorithms {

inline constexpr rockcreek_parameter owners_of_cluster{
    .name = "cluster",
    .least = 2,
    .most = 128,
    .default_value = 8,
    .fixed = 1,
    .help = "ranks that own shares in a cluster, or some more"};

/// A UE's group of a level, and the flags by which its members meet.
class GroupOfLevel {
 public:
  /// Collective, also for those who have no group; returns RCCE_SUCCESS or the library's error.
  int allocate(int most_members) { return meetings_.allocate(most_members); }
  void assign(nested_groups::Group group) { group_ = std::move(group); }
  /// As Meetings::clear().
  int clear() { return meetings_.clear(); }

  [[nodiscard]] int owners() const { return group_.owners; }
  [[nodiscard]] std::size_t others() const { return group_.ranks.size() - 1; }
  [[nodiscard]] bool owns() const { return group_.self < group_.owners; }
  [[nodiscard]] int self() const { return group_.self; }
  [[nodiscard]] int rank(int member) const { return group_.ranks[static_cast<std::size_t>(member)]; }
  void meet() {
    meetings_.meet(static_cast<int>(group_.ranks.size()), self(),
                   [this](int member) { return rank(member); });
  }
  /// visit(owner) for all owners but this UE, the next one first: not all at one MPB at once.
  template <class Visit>
  void for_other_owners(Visit&& visit) const {
    const int first = owns() ? self() + 1 : self();
    for (int i = 0; i < owners() - (owns() ? 1 : 0); ++i) visit((first + i) % owners());
  }

 private:
  nested_groups::Group group_;
  Meetings meetings_;
};

/// The steps that reductions in groups consist of, on one UE. Ranges are of lines of the vector, and `at` is
/// a line of the payload area.
class NestedSteps {
 public:
  using Range = nested_groups::Range;
  static constexpr std::size_t line = 32;
  /// Lines of parts that are got at once: many share a call, and they stay in the first-level cache.
  static constexpr std::size_t batch_lines = 32;

  explicit NestedSteps(const rockcreek_call& call)
      : call_(call),
        room_(static_cast<std::size_t>(RCCE_chunk) / line),
        lines_((call.bytes + line - 1) / line) {}

  [[nodiscard]] const rockcreek_call& call() const { return call_; }
  [[nodiscard]] std::size_t room() const { return room_; }   ///< lines of a payload area
  [[nodiscard]] std::size_t lines() const { return lines_; } ///< lines of the vector
  /// The vector's last line need not be whole.
  [[nodiscard]] std::size_t bytes(Range range) const {
    return std::min(call_.bytes, range.end * line) - std::min(call_.bytes, range.begin * line);
  }
  [[nodiscard]] static t_vcharp place(std::size_t at) { return RCCE_buff_ptr + at * line; }
  [[nodiscard]] char* target(std::size_t of_line) const { return call_.buffer + of_line * line; }
  [[nodiscard]] static Range share_of(const GroupOfLevel& level, Range range, int owner) {
    return nested_groups::share(range, owner, level.owners());
  }
  [[nodiscard]] static std::size_t longest_share(const GroupOfLevel& level, std::size_t all) {
    return nested_groups::longest_share(all, level.owners());
  }
  [[nodiscard]] int refuse_room(std::size_t lines) const {
    return rockcreek_refuse("%s: %zu bytes are left for messages in an MPB, "
                            "and it needs %zu; prepare fewer algorithms",
                            call_.algorithm->name, static_cast<std::size_t>(RCCE_chunk), lines * line);
  }
  [[nodiscard]] int refuse_memory() const {
    return rockcreek_refuse("%s: no memory for partial results", call_.algorithm->name);
  }

  /// Puts the segment of that turn, `lines` long, of each share of a range into a slot of its owner. The
  /// range begins at `operand`.
  void put_parts(const GroupOfLevel& level, Range range, const char* operand, std::size_t at,
                 std::size_t turn, std::size_t lines) const {
    level.for_other_owners([&](int owner) {
      const auto slot = static_cast<std::size_t>(level.self() < owner ? level.self() : level.self() - 1);
      const Range part = nested_groups::segment(share_of(level, range, owner), turn, lines);
      if (part.size() > 0)
        put(place(at + slot * lines), operand + (part.begin - range.begin) * line, bytes(part),
            level.rank(owner));
    });
  }
  /// Combines the slots with the own part, in their order. `sum`: where the own share's sum stands, which
  /// may be its place in `operand`. `incoming`: memory of batch_lines and of `lines`.
  int combine_parts(const GroupOfLevel& level, Range range, const char* operand, std::size_t at,
                    std::size_t turn, std::size_t lines, char* sum, char* incoming) const {
    if (!level.owns()) return RCCE_SUCCESS;
    const Range share = share_of(level, range, level.self()),
                part = nested_groups::segment(share, turn, lines);
    const std::size_t length = bytes(part), slots = level.others();
    if (length == 0) return RCCE_SUCCESS;
    sum += (part.begin - share.begin) * line;
    const char* const own = operand + (part.begin - range.begin) * line;
    std::size_t first = 0;
    if (sum != own) {
      get(sum, place(at), length, RCCE_ue());
      if (const int error = combine_bytes(call_, sum, own, length)) return error;
      first = 1;
    }
    const std::size_t at_once = std::max(batch_lines / lines, std::size_t{1});
    for (std::size_t end = first; first < slots; first = end) {
      end = std::min(first + at_once, slots);
      get(incoming, place(at + first * lines), (end - first - 1) * lines * line + length, RCCE_ue());
      for (std::size_t i = 0; i < end - first; ++i)
        if (const int error = combine_bytes(call_, sum, incoming + i * lines * line, length)) return error;
    }
    return RCCE_SUCCESS;
  }

 private:
  const rockcreek_call& call_;
  const std::size_t room_, lines_;
};

/// One allreduce on one UE, 2 UEs at least. In rounds: first the operands of all rounds are combined, then
/// all results are gathered. So the operand is read before the target, which would drive it out of the
/// second-level cache. Of long vectors partial results stand in memory of their own: they are of a round
/// alone, and stay in the first-level cache. Those of others stand in the target.
class NestedAllreduce : NestedSteps {
 public:
  /// `most_slots`: members of the largest group of any level, but for one.
  NestedAllreduce(const rockcreek_call& call, std::vector<GroupOfLevel>& levels, std::size_t most_slots)
      : NestedSteps(call), levels_(levels), most_slots_(most_slots) {
    const std::size_t most =
        std::max(static_cast<std::size_t>(rockcreek_value(&call, "round")) / line, std::size_t{1});
    rounds_ = (lines() + most - 1) / most;
    round_ = (lines() + rounds_ - 1) / rounds_;
  }

  int all() {
    if (room() < most_slots_) return refuse_room(most_slots_);
    if (!take_memory()) return refuse_memory();
    for (std::size_t round = 0; round < rounds_; ++round)
      if (const int error = reduce(round)) return error;
    for (std::size_t round = 0; round < rounds_; ++round) gather(round, 0, lines_of(round));
    return RCCE_SUCCESS;
  }

 private:
  /// From the vector's end to its start: a program that has walked through its buffers left their ends in
  /// its caches.
  [[nodiscard]] Range lines_of(std::size_t round) const {
    return nested_groups::segment({0, lines()}, round, round_);
  }

  /// For what is got, and for sums that do not stand in the target: those of a round on each level, and the
  /// results of all rounds.
  bool take_memory() {
    std::size_t all = batch_lines, share = round_;
    for (const GroupOfLevel& level : levels_) all = std::max(all, room() / level.others());
    sums_.clear();
    for (const GroupOfLevel& level : levels_) {
      sums_.push_back(all);
      share = longest_share(level, share);
      if (!in_target()) all += share;
    }
    result_ = share;
    if (!in_target()) all = sums_.back() + rounds_ * result_;
    incoming_ = partial_results((all * line + page_bytes - 1) / page_bytes * page_bytes);
    return incoming_ != nullptr;
  }
  /// Operand and target fit into the second-level cache together.
  [[nodiscard]] bool in_target() const { return call().bytes <= std::size_t{96} * 1024; }
  /// The place of the own share's sum on a level.
  [[nodiscard]] char* sum_of(std::size_t round, std::size_t level, Range share) const {
    if (in_target()) return target(share.begin);
    const bool is_last = level + 1 == levels_.size();
    return incoming_ + (sums_[level] + (is_last ? round * result_ : 0)) * line;
  }

  int reduce(std::size_t round) {
    Range range = lines_of(round);
    const char* operand = call().source + range.begin * line;
    for (std::size_t number = 0; number < levels_.size(); ++number) {
      GroupOfLevel& level = levels_[number];
      const Range own = level.owns() ? share_of(level, range, level.self()) : Range{};
      char* const sum = sum_of(round, number, own);
      if (const int error = reduce(level, range, operand, sum)) return error;
      range = own;
      operand = sum;
    }
    return RCCE_SUCCESS;
  }

  /// In turns of as many lines of each share as an MPB has room for from all others.
  int reduce(GroupOfLevel& level, Range range, const char* operand, char* sum) {
    const std::size_t longest = longest_share(level, range.size()), most = room() / level.others(),
                      turns = (longest + most - 1) / most;
    for (std::size_t turn = 0; turn < turns; ++turn) {
      const std::size_t lines = (longest + turns - 1) / turns;
      level.meet(); // the MPBs of all are free
      put_parts(level, range, operand, 0, turn, lines);
      level.meet();
      if (const int error = combine_parts(level, range, operand, 0, turn, lines, sum, incoming_))
        return error;
    }
    return RCCE_SUCCESS;
  }

  /// From the last level to the first: each puts what it has of the range into its own MPB, and gets the
  /// others' from theirs.
  void gather(std::size_t round, std::size_t number, Range range) {
    GroupOfLevel& level = levels_[number];
    const bool is_last = number + 1 == levels_.size();
    const Range own = level.owns() ? share_of(level, range, level.self()) : Range{};
    if (!is_last) gather(round, number + 1, own);
    const char* const result = is_last && level.owns() ? sum_of(round, number, own) : target(own.begin);
    const std::size_t longest = longest_share(level, range.size()), turns = (longest + room() - 1) / room();
    for (std::size_t turn = 0; turn < turns; ++turn) {
      const auto part_of = [&](Range share) {
        return nested_groups::segment(share, turn, (longest + turns - 1) / turns);
      };
      const auto get_part = [&](Range part, int owner) {
        if (part.size() > 0) get(target(part.begin), place(0), bytes(part), level.rank(owner));
      };
      const Range own_part = part_of(own);
      if (own_part.size() > 0)
        put(place(0), result + (own_part.begin - own.begin) * line, bytes(own_part), RCCE_ue());
      level.meet();
      if (result != target(own.begin)) get_part(own_part, level.self());
      level.for_other_owners([&](int owner) { get_part(part_of(share_of(level, range, owner)), owner); });
      level.meet(); // all have read
    }
  }

  std::vector<GroupOfLevel>& levels_;
  const std::size_t most_slots_;
  std::size_t rounds_ = 0, round_ = 0; ///< how many, lines of each
  std::size_t result_ = 0;             ///< most lines of a round that this UE owns
  std::vector<std::size_t> sums_;      ///< by level: first line in the memory
  char* incoming_ = nullptr;
};

} // namespace algorithms
