// bcast/staged_pull with puts, gets and flags.
#include "algorithms/bcast/staged_pull.hpp"

#include <map>
#include <memory>
#include <utility>

#include <RCCE.h>
#include <RCCE_lib.h>

#include "algorithms/distance_tree.hpp"
#include "algorithms/message.hpp"
#include "distance_flags.hpp"
#include "mpb_copy.hpp"
#include "runner.hpp"

namespace algorithms {
namespace {

using staged_pull::Round;

/// What a UE keeps between broadcasts, as much as its own part takes.
struct State {
  explicit State(int ranks)
      : announcements(DistanceTree::fibonacci(ranks)), receipts(DistanceTree::two_levels(ranks)) {}

  DistanceTree announcements, receipts;
  int ordered_for = -1;           ///< virtual rank
  std::vector<int> receipt_order; ///< its own
  DistanceFlags announced;        ///< slots: those of the rounds
  DistanceFlags received;         ///< slots: the halves of the area
  std::vector<int> stages;        ///< all that may be used
  std::vector<RCCE_FLAG> entered; ///< in the root's MPB: stage i may be written
  RCCE_FLAG left;                 ///< in a stage's MPB: everybody has read
  /// How often stage i has served a root, and any root: all UEs count alike, so that these flags need no
  /// clearing either.
  std::map<int, std::vector<unsigned char>> served;
  std::vector<unsigned char> served_any;
  int last_root = -1;
  RCCE_FLAG handed_over; ///< in the root's MPB: the broadcast before, from another root, is over
  std::map<int, unsigned char> handed; ///< to a root: how often, likewise

  const std::vector<int>& order_for(int virtual_rank) {
    if (std::exchange(ordered_for, virtual_rank) != virtual_rank)
      receipt_order = staged_pull::receipts_of(virtual_rank, announcements, receipts).order;
    return receipt_order;
  }
};

std::unique_ptr<State> state;

/// One broadcast on one UE.
class Run {
 public:
  Run(State& flags, const Broadcast& call)
      : state_(flags),
        call_(call),
        ranks_(RCCE_num_ues()),
        self_(RCCE_ue()),
        virtual_self_(virtual_rank(self_, call.root, ranks_)),
        up_announced_(state_.announcements.up(virtual_self_)),
        up_received_(state_.receipts.up(virtual_self_)),
        announce_to_(state_.announcements.down(virtual_self_)),
        await_from_(state_.order_for(virtual_self_)),
        served_(state_.served[call.root]) {
    served_.resize(state_.entered.size());
    const int count = staged_pull::stage_count(ranks_, call.bytes, call.options.stages);
    if (count == 1)
      stages_ = {call.root};
    else
      stages_.assign(state_.stages.begin(), state_.stages.begin() + count);
    rounds_ = staged_pull::rounds(call.bytes, static_cast<int>(stages_.size()), RCCE_chunk);
  }

  void root() {
    bool may_write = false;
    for (std::size_t i = 0; i < rounds_.size(); ++i) {
      const Round& round = rounds_[i];
      if (round.opens_group && round.group >= 2) collect(round.group - 2);
      for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        const Round::Block block = round.block(static_cast<int>(stage));
        if (block.bytes == 0) continue;
        if (!may_write && stages_[stage] != self_) await_stages(), may_write = true;
        put(RCCE_buff_ptr + round.place, call_.buffer + block.offset, block.bytes, stages_[stage]);
      }
      announce(i);
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
      state_.announced.wait(slot(i), up_announced_);
      announce(i);
      // Each tile begins with another stage, so that no MPB serves all at once.
      const std::size_t turn = static_cast<std::size_t>(self_ / 2);
      for (std::size_t k = 0; k < stages_.size(); ++k) {
        const std::size_t stage = (turn + k) % stages_.size();
        const Round::Block block = round.block(static_cast<int>(stage));
        if (block.bytes > 0)
          get(call_.buffer + block.offset, RCCE_buff_ptr + round.place, block.bytes, stages_[stage]);
        // Not before the first get: those who were told later are ready later.
        if (k == 0 && round.opens_group && round.group > 0 && round.group < last_group)
          collect(round.group - 1);
      }
    }
    collect(last_group);
    for (std::size_t stage = 0; stage < stages_.size(); ++stage)
      if (stages_[stage] == self_) RCCE_wait_until(state_.left, served_any(stage));
  }

  /// A root knows when everybody is done; the next one has to be told, for everything but the flag for this
  /// is used again.
  void hand_over() {
    const int before = std::exchange(state_.last_root, call_.root);
    if (before == -1 || before == call_.root) return;
    const RCCE_FLAG_STATUS value = state_.handed[call_.root] ^= 1;
    if (self_ == before) RCCE_flag_write(&state_.handed_over, value, call_.root);
    if (self_ == call_.root) RCCE_wait_until(state_.handed_over, value);
  }

  /// All UEs count which stage has served whom.
  void count() {
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
      if (stages_[stage] == call_.root) continue;
      served_[stage] ^= 1;
      state_.served_any[stage] ^= 1;
    }
  }

 private:
  [[nodiscard]] static int slot(std::size_t round) { return static_cast<int>(round % staged_pull::slots); }
  [[nodiscard]] RCCE_FLAG_STATUS served(std::size_t stage) const { return served_[stage]; }
  [[nodiscard]] RCCE_FLAG_STATUS served_any(std::size_t stage) const { return state_.served_any[stage]; }

  void announce(std::size_t round) {
    for (const int index : announce_to_)
      state_.announced.signal(slot(round), index, at_distance(state_.announcements, index));
  }

  /// Waits until those below have read the group, and tells the one above.
  void collect(int group) {
    for (const int index : await_from_) state_.received.wait(group % 2, index);
    if (up_received_ >= 0)
      state_.received.signal(group % 2, up_received_, at_distance(state_.receipts, up_received_, -1));
  }

  void await_stages() {
    for (std::size_t stage = 0; stage < stages_.size(); ++stage)
      if (stages_[stage] != self_) RCCE_wait_until(state_.entered[stage], served(stage));
  }

  [[nodiscard]] int at_distance(const DistanceTree& tree, int index, int sign = 1) const {
    const int distance = tree.distances()[static_cast<std::size_t>(index)];
    return (self_ + sign * distance + ranks_) % ranks_;
  }

  State& state_;
  const Broadcast& call_;
  int ranks_, self_, virtual_self_;
  int up_announced_, up_received_;
  std::vector<int> announce_to_;
  const std::vector<int>& await_from_;
  std::vector<unsigned char>& served_; ///< by stage, for this root
  std::vector<int> stages_;
  std::vector<Round> rounds_;
};

} // namespace

int prepare_staged_pull(const rockcreek_options& options) {
  const int ranks = RCCE_num_ues();
  auto fresh = std::make_unique<State>(ranks);
  const int most = staged_pull::flagged_stages(ranks, options.stages);
  fresh->stages = staged_pull::stages(ranks, most);
  fresh->entered.resize(static_cast<std::size_t>(most));
  fresh->served_any.assign(static_cast<std::size_t>(most), 0);
  int error = fresh->announced.allocate(staged_pull::slots, fresh->announcements.distances().size());
  if (error == RCCE_SUCCESS) error = fresh->received.allocate(2, fresh->receipts.distances().size());
  const auto allocate = [&](RCCE_FLAG& flag) {
    if (error == RCCE_SUCCESS) error = RCCE_flag_alloc(&flag);
    if (error == RCCE_SUCCESS) error = RCCE_flag_write(&flag, RCCE_FLAG_UNSET, RCCE_ue());
  };
  for (RCCE_FLAG& flag : fresh->entered) allocate(flag);
  allocate(fresh->left);
  allocate(fresh->handed_over);
  if (error != RCCE_SUCCESS) return error;
  state = std::move(fresh);
  return RCCE_barrier(&RCCE_COMM_WORLD);
}

int bcast_staged_pull(const Broadcast& call) {
  if (call.bytes == 0 || RCCE_num_ues() == 1) return RCCE_SUCCESS;
  const int wanted = staged_pull::stage_count(RCCE_num_ues(), call.bytes, call.options.stages);
  if (wanted > static_cast<int>(state->stages.size()))
    return refuse("bcast/staged_pull: " + std::to_string(wanted) +
                  " stages are asked for, and flags prepared for " + std::to_string(state->stages.size()) +
                  "; give rockcreek_prepare an option `stages` as large as any that will be asked for");
  if (RCCE_chunk < 2 * staged_pull::line)
    return refuse("bcast/staged_pull: " + std::to_string(RCCE_chunk) +
                  " bytes are left for messages in an MPB, and it needs " +
                  std::to_string(2 * staged_pull::line) +
                  "; prepare fewer algorithms, or this one with fewer stages");
  Run run(*state, call);
  run.hand_over();
  run.count();
  if (RCCE_ue() == call.root)
    run.root();
  else
    run.other();
  return RCCE_SUCCESS;
}

} // namespace algorithms
