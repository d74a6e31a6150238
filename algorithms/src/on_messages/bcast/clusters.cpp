// SPDX-License-Identifier: Apache-2.0
// bcast/clusters
//
// Idea: eight trees of one-sided gets, each over an eighth of the ranks, for meshes of any size. Ranks stand
// in clusters of eight cores on two by two tiles, and the clusters form a tree. In each round every member
// of a cluster hosts an eighth of the data: it gets that from its counterpart in the parent cluster, puts it
// into its own MPB, and gets the other seven eighths from its mates, at most two hops away. The root puts
// the eighths into its mates' MPBs.
//
// 4 clusters of 2 hosts (0 1, 2 3, 4 5, 6 7), fan-out 2, root 0; one round:
//
//     put     0 -> 0, 1
//     get     2 <- 0   3 <- 1      4 <- 0   5 <- 1      then   6 <- 4   7 <- 5      (then put into the own
//     MPB) get     1 <- 0               2 <-> 3   4 <-> 5           6 <-> 7
//
// The next round is handed down as soon as it has been told, between two gets from mates, so that its way
// down the tree hides behind them. First rounds are short, for the last cluster to begin early, and grow
// until a third of the MPB is full: while mates read a round, the next one and the one after it come in.
//
// Order: from the message's end to its start. A program that has walked through its buffer left the end in
// its cache.
//
// Cost: a get of the whole message from MPBs one to two hops away, a put of an eighth; per round a flag to
// each mate and each child; once, per level of the tree, a get and a put of the first round's segment.
//
// Bound at 533/800/800, where a get from the own tile, from one hop and from two hops away takes 143, 188
// and 198 ns a line into L1, or 191, 236 and 246 into L2, and a put 140: seven eighths from mates, one from
// one hop away at least, and its put are 202 or 251 ns a line. That is 52 us for 8192 bytes and 1,490 us for
// 190,000, whatever the mesh.
//
// Restrictions: no flags of single bits; any n, any root. Needs a third of a payload area that holds a line,
// three lines. On the 6 x 4 mesh bcast/staged_pull is as fast, and faster for short messages: the meetings of
// a cluster before and after take some 5 us.
//
// Buffers and flags: the payload area of every MPB, from the start of the broadcast until mates and children
// have read what is there. Flags: three per distance in the tree of clusters for news, three for receipts,
// three per member of a cluster.
//
// Source: this project; trees of gets as in OC-Bcast (Petrovic et al., SPAA 2012), a tree for every part of
// the message as in SplitStream (Castro et al., SOSP 2003).
#include <array>
#include <memory>
#include <span>
#include <vector>

#include <RCCE.h>
#include <RCCE_lib.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/clusters.hpp"
#include "algorithms/shapes/oc_tree.hpp"
#include "on_messages/distance_flags.hpp"
#include "on_messages/fan_out.hpp"
#include "on_messages/gathered_flags.hpp"
#include "on_messages/mpb_copy.hpp"
#include "on_messages/reduction.hpp"
#include "on_messages/tile_mesh.hpp"

namespace algorithms {
namespace {

constexpr int parts = 3; ///< parts of an MPB, used by the rounds in turn
/// Meetings whose flags may be set and not seen: the root begins the second round when it knows only that all
/// have come.
constexpr int turns = 3;

struct State {
  State(std::span<const int> cores, int fan_out)
      : clusters(cores, tile_mesh()), tree(clusters.count(), fan_out) {}

  clusters::Clusters clusters;
  oc_tree::Shape tree;                    ///< tree of clusters
  DistanceFlags told;                     ///< by part: the parent has the segment
  DistanceFlags got;                      ///< by part: a child has it, too
  std::array<GatheredFlags, turns> there; ///< by member, for every third meeting: its segment is there
  int meetings = turns;                   ///< all UEs count alike; 0 stands for none
};

std::unique_ptr<State> state;

/// One broadcast on one UE. Meeting r says that a member's segment of round r is there and that it has read
/// all of round r - 2. Meeting -1 tells the root that the MPB may be written, the one after the last round
/// says that everything has been read.
class Run {
 public:
  Run(State& kept, const rockcreek_call& call)
      : state_(kept),
        call_(call),
        cluster_(kept.clusters.cluster(RCCE_ue())),
        self_(kept.clusters.member(RCCE_ue())),
        members_(kept.clusters.members(cluster_)),
        root_cluster_(kept.clusters.cluster(call.root)),
        root_(kept.clusters.member(call.root)),
        v_((cluster_ - root_cluster_ + kept.clusters.count()) % kept.clusters.count()),
        node_(kept.tree.node(v_)),
        part_bytes_(static_cast<std::size_t>(RCCE_chunk) / parts / clusters::line * clusters::line),
        rounds_(clusters::rounds(call.bytes, kept.clusters.hosts(),
                                 static_cast<std::size_t>(rockcreek_value(&call, "first")), part_bytes_)),
        memory_(partial_results(page_bytes)),
        met_before_(kept.meetings + 1),
        heard_(static_cast<std::size_t>(members_), -2) {
    const clusters::Clusters& all = kept.clusters;
    for (int member = 0; member < members_; ++member) ranks_.push_back(all.rank(cluster_, member));
    if (!hosts(self_)) return; // trees are of hosts
    if (!at_top()) parent_ = counterpart(node_.parent);
    for (const int child : node_.children) children_.push_back({to_child(child), counterpart(child)});
  }

  void all() {
    if (RCCE_ue() == call_.root) {
      for (int i = 1; i < members_; ++i) await_mate(-1, mate(i));
      feed();
    } else {
      if (at_top()) there(-1).tell(self_, number(-1), call_.root);
      take();
    }
    await_children(rounds() - 1);
    await_mates(rounds() - 1);
    say_there(rounds());
    await_mates(rounds());
    state_.meetings = met_before_ + rounds() + 1;
  }

 private:
  void feed() {
    for (int round = 0; round < rounds(); ++round) {
      await_mates(round < parts ? round - 2 : round - 1);
      await_children(round - parts);
      put_segment(round, self_);
      tell(round);
      for (int i = 1; i < members_; ++i) {
        put_segment(round, mate(i));
        there(round).tell(self_, number(round), rank_of(mate(i)));
      }
    }
  }

  void take() {
    int handed = 0; // rounds down the tree
    for (int round = 0; round < rounds(); ++round) {
      if (handed == round) {
        await_segment(round);
        hand_down(handed++);
      }
      for (int i = 0; i < members_; ++i) {
        if (i > 0) await_mate(round, mate(i));
        if (i > 0 || at_top()) get_segment(round, mate(i), rank_of(mate(i)));
        if (hosts(self_) && handed == round + 1 && handed < rounds() && i + 1 < members_ && is_told(handed))
          hand_down(handed++);
      }
    }
  }

  /// The own segment is there for children and mates.
  void hand_down(int round) {
    await_mates(round - 1);
    if (at_top()) {
      await_children(round - parts + 1); // this member's next word lets the root put the round after the next
      tell(round);
    } else if (hosts(self_)) {
      await_children(round - parts);
      get_segment(round, self_, parent_);
      state_.got.signal(part(round), from_parent(), parent_);
      put_segment(round, self_);
      tell(round);
    }
    say_there(round);
  }

  // Those that host nothing follow their mates.
  void await_segment(int round) {
    if (at_top())
      await_mate(round, root_);
    else if (hosts(self_))
      state_.told.wait(part(round), from_parent());
  }
  bool is_told(int round) {
    if (!at_top()) return state_.told.test(part(round), from_parent());
    int& heard = heard_[static_cast<std::size_t>(root_)];
    if (heard < round && there(round).test(root_, number(round))) heard = round;
    return heard >= round;
  }

  void say_there(int meeting) {
    for (int i = 1; i < members_; ++i) there(meeting).tell(self_, number(meeting), rank_of(mate(i)));
  }
  /// All meetings up to this one.
  void await_mates(int meeting) {
    for (; met_ < meeting; ++met_)
      for (int i = 1; i < members_; ++i) await_mate(met_ + 1, mate(i));
  }
  /// The meetings before it have been waited for.
  void await_mate(int meeting, int member) {
    if (!has_heard(meeting, member)) look(meeting);
    if (has_heard(meeting, member)) return;
    there(meeting).await(member, number(meeting));
    heard_[static_cast<std::size_t>(member)] = meeting;
  }
  /// Takes note of all mates together.
  void look(int meeting) {
    GatheredFlags& flags = there(meeting);
    flags.look(memory_);
    for (int member = 0; member < members_; ++member)
      if (member != self_ && !has_heard(meeting, member) && flags.told(memory_, member, number(meeting)))
        heard_[static_cast<std::size_t>(member)] = meeting;
  }
  [[nodiscard]] bool has_heard(int meeting, int member) const {
    return heard_[static_cast<std::size_t>(member)] >= meeting;
  }

  void tell(int round) {
    for (const Child& child : children_) state_.told.signal(part(round), child.distance, child.rank);
  }
  void await_children(int round) {
    for (; received_ < round; ++received_)
      for (const Child& child : children_) state_.got.wait(part(received_ + 1), child.distance);
  }

  void put_segment(int round, int member) {
    const clusters::Block block = block_of(round, member);
    if (block.bytes > 0) put(place(round), call_.buffer + block.offset, block.bytes, rank_of(member));
  }
  void get_segment(int round, int member, int from) {
    const clusters::Block block = block_of(round, member);
    if (block.bytes > 0) get(call_.buffer + block.offset, place(round), block.bytes, from);
  }

  [[nodiscard]] int rounds() const { return static_cast<int>(rounds_.size()); }
  [[nodiscard]] bool at_top() const { return v_ == 0; }
  [[nodiscard]] bool hosts(int member) const { return member < state_.clusters.hosts(); }
  /// The i-th one after this one.
  [[nodiscard]] int mate(int i) const { return (self_ + i) % members_; }
  [[nodiscard]] int rank_of(int member) const { return ranks_[static_cast<std::size_t>(member)]; }
  [[nodiscard]] int counterpart(int v) const {
    return state_.clusters.rank((v + root_cluster_) % state_.clusters.count(), self_);
  }
  [[nodiscard]] int from_parent() const {
    return oc_tree::index_of(state_.tree.parent_distances(), v_ - node_.parent);
  }
  [[nodiscard]] int to_child(int v) const {
    return oc_tree::index_of(state_.tree.parent_distances(), v - v_);
  }
  [[nodiscard]] static int part(int round) { return round % parts; }
  [[nodiscard]] int number(int meeting) const { return met_before_ + meeting; }
  [[nodiscard]] GatheredFlags& there(int meeting) const {
    return state_.there[static_cast<std::size_t>(number(meeting) % turns)];
  }
  [[nodiscard]] clusters::Block block_of(int round, int member) const {
    return hosts(member) ? rounds_[static_cast<std::size_t>(round)].block(member) : clusters::Block{0, 0};
  }
  [[nodiscard]] t_vcharp place(int round) const {
    return RCCE_buff_ptr + static_cast<std::size_t>(part(round)) * part_bytes_;
  }

  State& state_;
  const rockcreek_call& call_;
  int cluster_, self_, members_; ///< self_: its number among the members
  int root_cluster_, root_;      ///< root_: a member of its cluster
  int v_;                        ///< number of the cluster, counted from the root's
  const oc_tree::Node node_;
  struct Child {
    int distance, rank; ///< index of its distance, its counterpart
  };
  std::vector<int> ranks_; ///< by member
  std::vector<Child> children_;
  int parent_ = -1; ///< the counterpart there
  std::size_t part_bytes_;
  std::vector<clusters::Round> rounds_;
  char* memory_; ///< for flags that are looked at together
  int met_before_;
  int met_ = -1;           ///< last meeting at which all mates were
  int received_ = -1;      ///< last round that all children have got
  std::vector<int> heard_; ///< by member: its last meeting
};

int prepare(const rockcreek_call* call) {
  const std::span<const int> cores(RC_COREID, static_cast<std::size_t>(RCCE_num_ues()));
  auto fresh = std::make_unique<State>(cores, fan_out_of(*call));
  const std::size_t distances = fresh->tree.parent_distances().size();
  int error = fresh->told.allocate(parts, distances);
  if (error == RCCE_SUCCESS) error = fresh->got.allocate(parts, distances);
  for (GatheredFlags& flags : fresh->there)
    if (error == RCCE_SUCCESS) error = flags.allocate(call->algorithm->name, fresh->clusters.most_members());
  if (error != RCCE_SUCCESS) return error;
  char* const memory = partial_results(page_bytes);
  if (memory == nullptr) return rockcreek_refuse("bcast/clusters: no memory");
  // A first call finds it in the caches, as later ones do.
  for (GatheredFlags& flags : fresh->there) flags.look(memory);
  state = std::move(fresh);
  return RCCE_barrier(&RCCE_COMM_WORLD);
}

int run(const rockcreek_call* call) {
  if (call->bytes == 0 || RCCE_num_ues() == 1) return RCCE_SUCCESS;
  Run(*state, *call).all();
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    bcast_clusters, .name = "bcast/clusters", .operation = ROCKCREEK_BCAST,
    .summary = "eight trees over clusters of eight cores; each gets an eighth from afar, the rest from mates",
    .cost = "a get of the whole message from one to two hops away, a put of an eighth; on any mesh",
    .source = "this project",
    .parameters = {{.name = "first",
                    .unit = "bytes",
                    .least = 1,
                    .most = ROCKCREEK_MOST_BYTES,
                    .default_value = 256,
                    .tried = "64-1024:x2",
                    .help = "bytes that each host has in the first round; later rounds grow"},
                   {.name = "fan_out",
                    .least = 1,
                    .most = ROCKCREEK_MOST_RANKS,
                    .default_value = 4,
                    .tried = "2-8:1",
                    .fixed = 1,
                    .help = "children of a cluster"}},
    .needs = ROCKCREEK_NEEDS_TAGS | ROCKCREEK_OWN_COPIES, .lines = parts, .prepare = prepare, .run = run);

} // namespace algorithms
