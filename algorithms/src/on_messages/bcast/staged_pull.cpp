// SPDX-License-Identifier: Apache-2.0
// bcast/staged_pull
//
// Idea: the root puts the message, segment by segment, into the MPBs of a few cores in the middle of the chip
// (the stages), and everybody gets every byte straight from there: no core copies a byte for another. The
// stages halve the longest way, keep one MPB from serving all 47 readers at once (each tile begins with
// another stage) and together hold rounds so long that flags cost little; while a round is read, the next one
// is put into the other half.
//
// n = 7, 3 stages (s, t, u), one round of three blocks:
//
//     put         root -> s:0  root -> t:1  root -> u:2
//     announce    root -> root:line           each of 1..6 looks at that line until it sees the round
//     get         each of 1..6 from s, t, u, beginning with that of its tile's turn
//     receipts    1 2 3 4 5 6 -> root         a flag each, which the root looks at together
//
// News of a round are a line in the root's MPB that all look at (on_messages/polled_tree.hpp), so they cost
// one put. First rounds are short and grow as fast as gets take longer than puts, for all to begin early and
// the root to keep ahead. A round may follow when its places have been read, which the root asks at most
// twice in an area's size.
//
// Order: from the message's end to its start. A program that has walked through its buffer left the end in
// its cache, and one that is about to finds the start there; a buffer somewhat longer than the L2 cache saves
// a fifth of the time.
//
// Cost: one put of the first round and of a line, a look at that, a get of the whole message from MPBs 4 hops
// away at the mean, receipts of the last round; per round two looks, and a flag for each half of the areas.
// Puts overlap gets but for the first round.
//
// Bound at 533/800/800, where a core gets a line from its own tile's MPB in 141 ns (memory side in L1), 190
// ns (L2) or about 530 ns (DRAM, with the line that it displaces), from 4 hops away in 216, 265 or 610 ns,
// and puts one in 139, 188 or 360 ns. No broadcast is faster than the gets from the own tile: 36 us for 8192
// bytes, 1128 us for 190,000, 31 ms for 1,900,000 out of DRAM. Where every line passes through one MPB only,
// some corner of the 6 x 4 mesh is 4 hops or more away from it: 55 us, 1573 us, 36 ms. Copying lines on to
// nearer MPBs does not pay: it costs 139 ns a line and saves at most 75. Simulated: 68 us, 1624 us, 34.5 ms
// (an eighth of the largest buffer is still in L2). What is missing is the first round's put and its line,
// calls, looks and the last receipts.
//
// More stages (option `stages`, up to one per rank) are for hosts with more UEs than processors,
// where the switches of thread that each round costs every UE take the time. Above `most_stages` rounds are
// therefore as few as possible: a single one where the stages' whole areas hold the message, which takes 24
// stages for 190,000 bytes in RCCE 2.0. 48 threads on 2 processors then need 0.57 to 0.92 ms, with 4 stages
// 3.5 to 4.0 ms, with 8 stages 1.6 to 2.0 ms (threads engine, fastest of 10 blocks). On the chip more than 4
// do not pay, for a round that holds everything leaves nothing to put while others get: 190,000 bytes take
// 1.82 ms with 8 stages and 2.77 ms with 24 instead of 1.63, 8192 bytes 116 us with 24 instead of 75.
//
// Restrictions: no flags of single bits; any n, any root. Ranks are taken for core numbers when stages are
// chosen; another mapping is slower, not wrong. On meshes of some hundred cores the links around the middle
// fill up: long messages are then faster by bcast/clusters.
//
// Buffers and flags: the payload area of the stages' MPBs, or of the root's alone for short messages, from
// the start of the broadcast until the root, or the stage, returns. 17 lines, and one for 32 children; flags:
// two for each child, one per stage (4 at least), one more (bytes in RCCE 2.0, lines in 1.0, where ranks have
// fewer children). A stage lets the root know that it has entered, for until then its MPB may hold a message
// of its own, and waits until the root says that everybody has read.
//
// Source: this project; one-sided gets by all from one MPB as in iRCCE_mcast (Clauss et al., iRCCE 2.0,
// 2013), double buffering as in OC-Bcast (Petrovic et al., SPAA 2012).
#include <map>
#include <memory>

#include <RCCE.h>
#include <RCCE_lib.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/message.hpp"
#include "algorithms/shapes/staged_pull.hpp"
#include "on_messages/mpb_copy.hpp"
#include "on_messages/polled_tree.hpp"
#include "on_messages/tile_mesh.hpp"

namespace algorithms {
namespace {

using staged_pull::Round;

/// A UE's state between broadcasts.
struct State {
  PolledTree tree{PolledTree::own_degree(RCCE_num_ues())};
  int groups = 0;                 ///< groups of all broadcasts so far
  std::vector<int> stages;        ///< all that may be used
  std::vector<RCCE_FLAG> entered; ///< in the root's MPB: stage i may be written
  RCCE_FLAG left;                 ///< in a stage's MPB: everybody has read
  /// How often stage i has served a root, and any root: all UEs count alike, so that these flags need no
  /// clearing.
  std::map<int, std::vector<unsigned char>> served;
  std::vector<unsigned char> served_any;
};

std::unique_ptr<State> state;

/// 0: its own choice.
int asked_stages(const rockcreek_call& call) {
  return static_cast<int>(rockcreek_value(&call, "stages"));
}

/// One broadcast on one UE.
class Run {
 public:
  Run(State& flags, const rockcreek_call& call)
      : state_(flags), call_(call), self_(RCCE_ue()), served_(state_.served[call.root]) {
    served_.resize(state_.entered.size());
    const int count = staged_pull::stage_count(RCCE_num_ues(), call.bytes, asked_stages(call));
    if (count == 1)
      stages_ = {call.root};
    else
      stages_.assign(state_.stages.begin(), state_.stages.begin() + count);
    rounds_ = staged_pull::rounds(call.bytes, static_cast<int>(stages_.size()), RCCE_chunk);
  }

  void all() {
    count();
    if (self_ == call_.root)
      root();
    else
      other();
    state_.groups += rounds_.back().group + 1;
  }

 private:
  /// All UEs count which stage has served whom.
  void count() {
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
      if (stages_[stage] == call_.root) continue;
      served_[stage] ^= 1;
      state_.served_any[stage] ^= 1;
    }
  }

  void root() {
    bool may_write = false;
    for (const Round& round : rounds_) {
      if (round.opens_group && round.group >= 2) collect(round.group - 2);
      for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        const Round::Block block = round.block(static_cast<int>(stage));
        if (block.bytes == 0) continue;
        if (!may_write && stages_[stage] != self_) await_stages(), may_write = true;
        put(RCCE_buff_ptr + round.place, call_.buffer + block.offset, block.bytes, stages_[stage]);
      }
      announce();
    }
    if (!may_write) await_stages();
    collect(rounds_.back().group);
    for (std::size_t stage = 0; stage < stages_.size(); ++stage)
      if (stages_[stage] != self_) RCCE_flag_write(&state_.left, served_any(stage), stages_[stage]);
  }

  void other() {
    for (std::size_t stage = 0; stage < stages_.size(); ++stage)
      if (stages_[stage] == self_) RCCE_flag_write(&state_.entered[stage], served(stage), call_.root);
    const int last_group = rounds_.back().group;
    for (std::size_t i = 0; i < rounds_.size(); ++i) {
      const Round& round = rounds_[i];
      state_.tree.next();
      state_.tree.obtain(nullptr, 0);
      state_.tree.hand_out(nullptr, 0);
      // Each tile begins with another stage, so that no MPB serves all at once.
      const auto turn = static_cast<std::size_t>(self_ / 2);
      for (std::size_t k = 0; k < stages_.size(); ++k) {
        const std::size_t stage = (turn + k) % stages_.size();
        const Round::Block block = round.block(static_cast<int>(stage));
        if (block.bytes > 0)
          get(call_.buffer + block.offset, RCCE_buff_ptr + round.place, block.bytes, stages_[stage]);
      }
      // The root asks for groups whose places it writes again, and for the last one.
      const bool ends_group = i + 1 == rounds_.size() || rounds_[i + 1].opens_group;
      if (ends_group && (round.group == last_group || round.group + 2 <= last_group)) collect(round.group);
    }
    for (std::size_t stage = 0; stage < stages_.size(); ++stage)
      if (stages_[stage] == self_) RCCE_wait_until(state_.left, served_any(stage));
  }

  [[nodiscard]] RCCE_FLAG_STATUS served(std::size_t stage) const { return served_[stage]; }
  [[nodiscard]] RCCE_FLAG_STATUS served_any(std::size_t stage) const { return state_.served_any[stage]; }

  void announce() {
    state_.tree.next();
    state_.tree.hand_out(nullptr, 0);
  }

  /// Waits until those below have read the group, and tells the one above.
  void collect(int group) {
    const int number = state_.groups + group + 1;
    state_.tree.await_read(number, state_.tree.children());
    if (self_ != call_.root) state_.tree.tell_read(number);
  }

  void await_stages() {
    for (std::size_t stage = 0; stage < stages_.size(); ++stage)
      if (stages_[stage] != self_) RCCE_wait_until(state_.entered[stage], served(stage));
  }

  State& state_;
  const rockcreek_call& call_;
  int self_;
  std::vector<unsigned char>& served_; ///< by stage, for this root
  std::vector<int> stages_;
  std::vector<Round> rounds_;
};

int prepare(const rockcreek_call* call) {
  const int ranks = RCCE_num_ues();
  auto fresh = std::make_unique<State>();
  const int most = staged_pull::flagged_stages(ranks, asked_stages(*call));
  fresh->stages = staged_pull::stages(ranks, most, tile_mesh());
  fresh->entered.resize(static_cast<std::size_t>(most));
  fresh->served_any.assign(static_cast<std::size_t>(most), 0);
  int error = fresh->tree.allocate(call->algorithm->name, staged_pull::slots);
  const auto allocate = [&](RCCE_FLAG& flag) {
    if (error == RCCE_SUCCESS) error = RCCE_flag_alloc(&flag);
    if (error == RCCE_SUCCESS) error = RCCE_flag_write(&flag, RCCE_FLAG_UNSET, RCCE_ue());
  };
  for (RCCE_FLAG& flag : fresh->entered) allocate(flag);
  allocate(fresh->left);
  if (error != RCCE_SUCCESS) return error;
  state = std::move(fresh);
  return RCCE_barrier(&RCCE_COMM_WORLD);
}

int run(const rockcreek_call* call) {
  if (call->bytes == 0 || RCCE_num_ues() == 1) return RCCE_SUCCESS;
  const int wanted = staged_pull::stage_count(RCCE_num_ues(), call->bytes, asked_stages(*call));
  if (wanted > static_cast<int>(state->stages.size()))
    return rockcreek_refuse(
        "bcast/staged_pull: %d stages are asked for, and flags prepared for %zu; give rockcreek_prepare "
        "an option `stages` as large as any that will be asked for",
        wanted, state->stages.size());
  if (!state->tree.set_root(call->root)) return rockcreek_refuse("bcast/staged_pull: no memory");
  Run(*state, *call).all();
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    bcast_staged_pull, .name = "bcast/staged_pull", .operation = ROCKCREEK_BCAST,
    .summary = "the root puts the message into a few MPBs in the middle, everybody gets it from there",
    .cost = "a put of the first round, a look at its number, a get of the whole message from 4 hops away at "
            "the mean; two looks per round",
    .source = "this project",
    .parameters = {{.name = "stages",
                    .least = 1,
                    .most = ROCKCREEK_MOST_RANKS,
                    .help =
                        "MPBs that hold the message on its way, one per UE at most; own choice: up to 4"}},
    .needs = ROCKCREEK_NEEDS_TAGS | ROCKCREEK_OWN_COPIES, .lines = 2, .prepare = prepare, .run = run);

} // namespace algorithms
