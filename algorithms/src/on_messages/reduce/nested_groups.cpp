// SPDX-License-Identifier: Apache-2.0
// reduce/nested_groups
//
// Idea: no messages. All but the root stand in clusters, and clusters in groups of groups, as in
// allreduce/grouped_owners: all put their parts to those of a cluster who own them, then the ranks of several
// clusters that own the same share do so with their sums, and so on. A round is as much of the vector as fits
// into the root's MPB. Into that the owners put their results of a round, while all put their parts of the
// next one. The root takes them from there, straight into the vector, and combines them with its own operand,
// while the others combine.
//
// n = 5, root 4; two rounds, clusters 0 1 and 2 3 of two owners each; shares ab and cd, of which a, b, c, d
// are halves:
//
//     meet       0 1 2 3
//     put        0 -> 1:cd   1 -> 0:ab   2 -> 3:cd   3 -> 2:ab
//     meet       0 1 2 3
//     put        0 -> 2:b    2 -> 0:a    1 -> 3:d    3 -> 1:c      (each has added what it has got before)
//     meet       0 2   1 3
//     told       4 -> 0                                            (its MPB is free)
//     meet       0 1 2 3
//     put        the parts of round 1    0 -> 4:a   2 -> 4:b   1 -> 4:c   3 -> 4:d
//     meet       0 1 2 3
//     told       0 -> 4
//     get        4: a b c d              the others go on with round 1
//
// Cost: each rank but the root puts, gets and combines the vector's lines about once; beside them the root's
// get of all and its combining. Two meetings of all, ceil(log_2 n) flags each, and one of each further level,
// for each MPB full of the vector.
//
// Hops: none; all gets are from the own MPB.
//
// Restrictions: none; any n, any root. Operands are combined in an order that n, root and the length of the
// vector decide, the root's last.
//
// Buffers and flags: the payload area of every MPB; two flags for each step of a meeting, about 4 log_2 n,
// and two more; those of the barrier inside of algorithms; some pages of memory. Before another root all
// clear their flags and meet.
//
// Source: this project; reduce-scatter, then gather: Rabenseifner, Optimization of Collective Reduction
// Operations (ICCS 2004), with groups of more than two.
#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <RCCE.h>
#include <RCCE_lib.h>

#include "on_messages/nested_groups.hpp"

namespace algorithms {
namespace {

/// A UE's state. Everybody but the root has a number, from 0 on, and a group on each level.
class State {
 public:
  /// Collective.
  int prepare(int cluster) {
    const int others = RCCE_num_ues() - 1;
    sizes_ = others > 1 ? nested_groups::sizes_for(others, cluster) : std::vector<int>{1};
    const nested_groups::Shape all = shape();
    if (const int error = direct_meetings().allocate()) return error;
    if (const int error = others_.allocate(others)) return error;
    for (int level = 0; level < all.levels(); ++level) {
      slots_.push_back(static_cast<std::size_t>(all.most_members(level) - 1));
      if (const int error = levels_.emplace_back().allocate(all.most_members(level))) return error;
    }
    return allocate_flags(flags_, 2);
  }

  /// Groups for that root. Collective.
  int begin(int root) {
    if (root == root_) return RCCE_SUCCESS;
    root_ = root;
    if (RCCE_ue() != root) {
      const nested_groups::Shape all = shape();
      own_levels_ = all.owns(number()) ? all.levels() : 1;
      for (int level = 0; level < own_levels_; ++level) {
        nested_groups::Group group = all.group(number(), level);
        for (int& rank : group.ranks) rank = rank_of(rank);
        levels_[static_cast<std::size_t>(level)].assign(std::move(group));
      }
    }
    // Who has another place now has met less or more often than its mates.
    int error = others_.clear();
    for (GroupOfLevel& level : levels_)
      if (error == RCCE_SUCCESS) error = level.clear();
    for (RCCE_FLAG& flag : flags_)
      if (error == RCCE_SUCCESS) error = RCCE_flag_write(&flag, RCCE_FLAG_UNSET, RCCE_ue());
    turns_.clear();
    for (RCCE_FLAG& flag : flags_) turns_.emplace_back(flag);
    if (error == RCCE_SUCCESS) direct_meetings().meet();
    return error;
  }

  [[nodiscard]] std::span<GroupOfLevel> levels() {
    return {levels_.data(), static_cast<std::size_t>(own_levels_)};
  }
  [[nodiscard]] const std::vector<int>& sizes() const { return sizes_; }
  /// For parts, by level: as many as the largest group needs, so that they stand at the same place
  /// everywhere.
  [[nodiscard]] const std::vector<std::size_t>& slots() const { return slots_; }
  void meet_others() {
    others_.meet(RCCE_num_ues() - 1, number(), [this](int other) { return rank_of(other); });
  }
  [[nodiscard]] bool is_first() const { return number() == 0; }
  [[nodiscard]] int first() const { return rank_of(0); }
  Turn& free() { return turns_[0]; }  ///< told the first one by the root: its MPB is free
  Turn& there() { return turns_[1]; } ///< told the root: its MPB is full

 private:
  [[nodiscard]] nested_groups::Shape shape() const {
    const std::span<const int> cores(RC_COREID + 1, static_cast<std::size_t>(RCCE_num_ues() - 1));
    return {cores, tile_mesh(), sizes_};
  }
  // Rank 0 has the root's place among the others.
  [[nodiscard]] int number() const { return (RCCE_ue() == 0 ? root_ : RCCE_ue()) - 1; }
  [[nodiscard]] int rank_of(int number) const { return number + 1 == root_ ? 0 : number + 1; }

  std::vector<int> sizes_; ///< owners in a group, by level
  std::vector<std::size_t> slots_;
  std::vector<GroupOfLevel> levels_;
  int own_levels_ = 0; ///< on which this UE has a group
  Meetings others_;    ///< meetings of all but the root
  std::vector<RCCE_FLAG> flags_;
  std::vector<Turn> turns_;
  int root_ = -1; ///< for whom the groups are
};

State state;

/// One call on one UE, 2 UEs at least.
class Run : NestedSteps {
 public:
  explicit Run(const rockcreek_call& call) : NestedSteps(call) {
    std::size_t most = room();
    while (most > 0 && slots_for(most) > room()) --most;
    if (most == 0) return;
    rounds_ = (lines() + most - 1) / most;
    round_ = (lines() + rounds_ - 1) / rounds_;
  }
  int all() {
    if (rounds_ == 0) return refuse_room(slots_for(1));
    return RCCE_ue() == call().root ? take() : work();
  }

 private:
  /// Lines of an MPB for the parts of a round of so many lines, on all levels.
  [[nodiscard]] static std::size_t slots_for(std::size_t round) {
    std::size_t all = 0, share = round;
    for (std::size_t level = 0; level < state.sizes().size(); ++level) {
      share = nested_groups::longest_share(share, state.sizes()[level]);
      all += share * state.slots()[level];
    }
    return all;
  }
  /// From the vector's end to its start: a program that has walked through its buffer left the end in its
  /// cache.
  [[nodiscard]] Range lines_of(std::size_t round) const {
    return nested_groups::segment({0, lines()}, round, round_);
  }

  /// By the root.
  int take() {
    state.free().tell(state.first());
    for (std::size_t round = 0; round < rounds_; ++round) {
      const Range window = lines_of(round);
      state.there().await();
      char* const to = target(window.begin);
      get(to, place(0), bytes(window), RCCE_ue());
      if (round + 1 < rounds_) state.free().tell(state.first());
      if (const int error = combine_bytes(call(), to, call().source + window.begin * line, bytes(window)))
        return error;
    }
    return RCCE_SUCCESS;
  }

  /// By the others. Results go to the root a round later.
  int work() {
    if (!take_memory()) return refuse_memory();
    for (std::size_t round = 0; round <= rounds_; ++round) {
      if (round > 0 && state.is_first()) state.free().await();
      state.meet_others(); // everybody's MPB is free, and the root's, too
      const Range range = round < rounds_ ? lines_of(round) : Range{};
      GroupOfLevel& clusters = state.levels().front();
      put_parts(clusters, range, operand(range), 0, 0, longest_share(clusters, range.size()));
      if (result_.size() > 0)
        put(place(result_.begin - lines_of(round - 1).begin), result_at_, bytes(result_), call().root);
      state.meet_others();
      if (round > 0 && state.is_first()) state.there().tell(call().root);
      if (round < rounds_)
        if (const int error = combine(range)) return error;
    }
    return RCCE_SUCCESS;
  }

  [[nodiscard]] const char* operand(Range range) const { return call().source + range.begin * line; }

  /// For what is got, and for the sums of a round on each level.
  bool take_memory() {
    std::size_t all = std::max(batch_lines, round_), share = round_;
    for (const int size : state.sizes()) {
      share = nested_groups::longest_share(share, size);
      sums_.push_back(all);
      all += share;
    }
    memory_ = partial_results((all * line + page_bytes - 1) / page_bytes * page_bytes);
    return memory_ != nullptr;
  }

  /// The parts of level 0 have come. Parts of each level have a place of their own: the meeting before the
  /// round has told that all are free.
  int combine(Range range) {
    const char* from = operand(range);
    std::size_t at = 0;
    result_ = {};
    for (std::size_t number = 0; number < state.levels().size(); ++number) {
      GroupOfLevel& level = state.levels()[number];
      if (level.others() == 0) { // 2 UEs
        result_ = range;
        result_at_ = from;
        break;
      }
      const std::size_t longest = longest_share(level, range.size());
      if (number > 0) {
        put_parts(level, range, from, at, 0, longest);
        level.meet();
      }
      if (!level.owns()) break;
      char* const sum = memory_ + sums_[number] * line;
      if (const int error = combine_parts(level, range, from, at, 0, longest, sum, memory_)) return error;
      at += longest * state.slots()[number];
      range = share_of(level, range, level.self());
      from = sum;
      result_ = range;
      result_at_ = sum;
    }
    return RCCE_SUCCESS;
  }

  std::size_t rounds_ = 0, round_ = 0; ///< how many, lines of each
  std::vector<std::size_t> sums_;      ///< by level: first line in the memory
  char* memory_ = nullptr;
  Range result_; ///< that this UE has of the round before, at result_at_
  const char* result_at_ = nullptr;
};

int prepare(const rockcreek_call* call) {
  if (RCCE_num_ues() == 1) return RCCE_SUCCESS;
  state = State();
  return state.prepare(static_cast<int>(rockcreek_value(call, "cluster")));
}

int run(const rockcreek_call* call) {
  if (call->bytes == 0) return RCCE_SUCCESS;
  if (RCCE_num_ues() == 1) {
    rcce_copy(call->buffer, call->source, call->bytes);
    return RCCE_SUCCESS;
  }
  if (const int error = state.begin(call->root)) return error;
  return Run(*call).all();
}

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_nested_groups, .name = "reduce/nested_groups", .operation = ROCKCREEK_REDUCE,
    .summary =
        "all but the root combine shares in clusters, then in groups of clusters; the root takes results "
        "meanwhile; no messages",
    .cost =
        "the vector is put, got and combined once; beside them the root's gets; two dissemination barriers "
        "and some of groups for each MPB full",
    .source = "this project; as Rabenseifner: Optimization of Collective Reduction Operations (2004)",
    .parameters = {owners_of_cluster}, .needs = ROCKCREEK_OWN_COPIES | ROCKCREEK_FIXED_ORDER,
    .prepare = prepare, .run = run);

} // namespace algorithms
