// SPDX-License-Identifier: Apache-2.0
// bcast/tagged
//
// Idea: a parent writes one line into its own MPB, data and the number that tells of them together. Its
// children look at that line again and again until they see the number: one put serves them all, and nobody
// passes news on. Up to 65 ranks are the root and its children; more are an f-nomial tree.
//
// n = 7, degree 3 (virtual ranks; the root is 0):
//
//     put     0 -> 0:line
//     get     1 2 3 6 <- 0                    (again and again)
//     put     3 -> 3:line    6 -> 6:line      get   4 5 <- 3    (nobody below 6)
//
// Who looks in vain as long as waking all takes goes to sleep. It says so in a flag at its parent, looks once
// more, and waits for a line of its own. The parent, once its line is written, reads those flags, and writes
// who sleeps into a second line. It wakes some of them, and each, when it has read who else sleeps, wakes
// others, along a tree of Fibonacci's numbers. Who said that it sleeps, and then saw the data after all,
// looks whether the parent heard of it: then it has others to wake, too. So no message is lost, and a root
// that never comes is told of as a deadlock.
//
// When may the line be written again? A child says in a flag at its parent when it has read. The parts of
// messages take turns in two sets of lines and flags, so nobody waits for that in time. It has woken others
// before it says so. Another root means another tree: all meet first.
//
// Cost: per level of the tree a put and two or three looks, if a part is up to 28 bytes: two levels up to
// 1,000 ranks. Longer ones: a put into the own MPB and a get from the parent's more. A root that comes late
// costs about 2 log_1.6 n puts beside.
//
// Hops: gets from the parent, whose distance in ranks is below the product of degrees below it.
//
// Restrictions: no flags of single bits; any n, any root. Children that read one after the other from the
// parent's MPB are what limits the degree. A message longer than a part goes in parts, one after the other.
//
// Buffers and flags: six lines; an area for two parts of up to 256 bytes; four flags for each child, bytes in
// RCCE 2.0, and lines in RCCE 1.0, where the degree is 4 therefore; those of the barrier inside of
// algorithms; a page of memory.
//
// Source: this project. Flags: Clauss and others: iRCCE user manual 2.0 (2013).
#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstring>
#include <optional>
#include <vector>

#include <RCCE.h>
#include <RCCE_lib.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/distance_tree.hpp"
#include "algorithms/shapes/f_nomial.hpp"
#include "algorithms/shapes/message.hpp"
#include "on_messages/gathered_flags.hpp"
#include "on_messages/meetings.hpp"
#include "on_messages/reduction.hpp"
#include "on_messages/tagged_lines.hpp"

namespace algorithms {
namespace {

constexpr std::size_t longest_part = 256;
constexpr std::size_t most_children = 192; ///< whom a message of a line has a bit for
constexpr int most_degree = 65;            ///< 143 children of 65,536 ranks' root
constexpr int own_children = 128;          ///< at most, where the degree is left to this row
enum Slot { wake_slot, data_slot, sleepers_slot, slots };

using Sleepers = std::bitset<most_children>; ///< by child
static_assert(sizeof(Sleepers) <= TaggedLines::most_tagged);

/// In private memory from the start of a page; the flags of the children follow.
struct Memory {
  TaggedLines::Message message, sleepers;
  [[nodiscard]] char* flags() { return reinterpret_cast<char*>(this + 1); }
};

/// One per UE, as every variable of a program.
struct State {
  explicit State(int degree) : shape(RCCE_num_ues(), degree) {}

  f_nomial::Shape shape;
  TaggedLines lines;
  std::array<GatheredFlags, TaggedLines::sets> asleep, read; ///< of the children
  int root = -1;                                             ///< of the last call
  int first_part = 0;                                        ///< of that root
  int self = 0, parent = -1;                                 ///< virtual ranks
};
std::optional<State> state;

/// Looks in vain before a rank sleeps: together they take about as long as waking 47 ranks.
int patience() {
  return 10 * state->shape.phases();
}

/// As few levels as there can be.
int own_choice(int ranks) {
  if constexpr (!GatheredFlags::of_bytes) return 4;
  for (int levels = 1;; ++levels)
    for (int degree = 2; degree <= most_degree && levels * (degree - 1) <= own_children; ++degree) {
      long reached = 1;
      for (int level = 0; level < levels; ++level) reached *= degree;
      if (reached >= ranks) return degree;
    }
}

/// Null where there is none.
Memory* memory_of_calls() {
  const std::size_t bytes = sizeof(Memory) + state->read[0].bytes(), pages = (bytes - 1) / page_bytes + 1;
  return reinterpret_cast<Memory*>(partial_results(pages * page_bytes));
}

int prepare(const rockcreek_call* call) {
  const auto asked = static_cast<int>(rockcreek_value(call, "degree"));
  State& fresh = state.emplace(asked != 0 ? asked : own_choice(RCCE_num_ues()));
  int error = fresh.lines.allocate(call->algorithm->name, slots, 1, longest_part);
  for (auto* const flags : {&fresh.asleep, &fresh.read})
    for (GatheredFlags& of_set : *flags)
      if (error == RCCE_SUCCESS) error = of_set.allocate(fresh.shape.children(0));
  if (error == RCCE_SUCCESS) error = direct_meetings().allocate();
  if (error != RCCE_SUCCESS) return error;
  // A first call finds its memory in the caches, as later ones do.
  if (Memory* const memory = memory_of_calls()) {
    fresh.lines.look(memory->message, 0, data_slot, RCCE_ue());
    fresh.lines.look(memory->sleepers, 0, sleepers_slot, RCCE_ue());
    fresh.read[0].look(memory->flags());
  }
  return RCCE_barrier(&RCCE_COMM_WORLD);
}

void set_root(int root) {
  if (root == state->root) return;
  if (state->root != -1) direct_meetings().meet();
  state->root = root;
  state->first_part = state->lines.number() + 1;
  state->self = virtual_rank(RCCE_ue(), root, RCCE_num_ues());
  state->parent = state->self == 0 ? -1 : state->shape.parent(state->self);
}

/// One part on one UE.
class Part {
 public:
  Part(char* data, std::size_t bytes, Memory& memory) : data_(data), bytes_(bytes), memory_(memory) {}

  void move() {
    if (state_.self == 0)
      load();
    else
      obtain();
    if (children() > 0) hand_out();
    if (state_.self != 0) read().tell(memory_.flags(), index(), number(), parent());
  }

 private:
  void load() {
    if (in_line()) rcce_copy(message().data, data_, bytes_);
  }

  void obtain() {
    int looks = 0;
    while (looks < patience() && !is_there()) ++looks;
    if (looks == patience()) sleep();
    lines().fetch(data_, bytes_, parent());
    if (in_line()) rcce_copy(data_, message().data, bytes_);
  }
  bool is_there() { return lines().look(message(), bytes_, data_slot, parent()); }

  void sleep() {
    asleep().tell(memory_.flags(), index(), number(), parent());
    RCCE_fence();
    if (!is_there()) {
      lines().take(memory_.sleepers, 0, wake_slot, parent());
      is_there();
    }
    // The parent writes the other line at once, to whoever may have come too late.
    while (!lines().look(memory_.sleepers, sizeof(Sleepers), sleepers_slot, parent())) {
    }
    wake_others(state_.parent, index());
    asleep().clear(memory_.flags(), index(), parent());
  }

  void hand_out() {
    if (const int before = number() - static_cast<int>(TaggedLines::sets); before >= state_.first_part) {
      read().look(memory_.flags());
      for (int child = 0; child < children(); ++child)
        if (!read().told(memory_.flags(), child, before)) read().await(child, before);
    }
    lines().stage(data_, bytes_);
    lines().put(message(), bytes_, data_slot, RCCE_ue());
    RCCE_fence();
    asleep().look(memory_.flags());
    Sleepers sleepers;
    for (int child = 0; child < children(); ++child)
      if (asleep().told(memory_.flags(), child, number())) sleepers.set(static_cast<std::size_t>(child));
    std::memcpy(memory_.sleepers.data, &sleepers, sizeof sleepers);
    lines().put(memory_.sleepers, sizeof sleepers, sleepers_slot, RCCE_ue());
    wake_others(state_.self, -1);
  }

  /// A parent's sleeping children are woken along a tree over the parent and them, in the order of children.
  /// `child` is one of them, -1 the parent itself.
  void wake_others(int from, int child) {
    Sleepers sleepers;
    std::memcpy(&sleepers, memory_.sleepers.data, sizeof sleepers);
    std::vector<int> members{-1};
    for (std::size_t i = 0; i < most_children; ++i)
      if (sleepers[i]) members.push_back(static_cast<int>(i));
    const auto place = std::find(members.begin(), members.end(), child) - members.begin();
    if (place == std::ssize(members)) return;
    const DistanceTree tree = DistanceTree::fibonacci(static_cast<int>(members.size()));
    for (const int index : tree.down(static_cast<int>(place))) {
      const auto other = place + tree.distances()[static_cast<std::size_t>(index)];
      const int sleeper = state_.shape.child(from, members[static_cast<std::size_t>(other)]);
      lines().put(memory_.sleepers, 0, wake_slot, real_rank(sleeper, state_.root, RCCE_num_ues()));
    }
  }

  [[nodiscard]] bool in_line() const { return bytes_ <= TaggedLines::most_tagged; }
  [[nodiscard]] int number() const { return state_.lines.number(); }
  [[nodiscard]] int children() const { return state_.shape.children(state_.self); }
  [[nodiscard]] int index() const { return state_.shape.child_index(state_.self); }
  [[nodiscard]] int parent() const { return real_rank(state_.parent, state_.root, RCCE_num_ues()); }
  [[nodiscard]] TaggedLines& lines() { return state_.lines; }
  [[nodiscard]] TaggedLines::Message& message() { return memory_.message; }
  [[nodiscard]] GatheredFlags& asleep() { return state_.asleep[set()]; }
  [[nodiscard]] GatheredFlags& read() { return state_.read[set()]; }
  [[nodiscard]] std::size_t set() const { return static_cast<std::size_t>(number()) % TaggedLines::sets; }

  State& state_ = *state;
  char* data_;
  std::size_t bytes_;
  Memory& memory_;
};

int run(const rockcreek_call* call) {
  if (call->bytes == 0 || RCCE_num_ues() == 1) return RCCE_SUCCESS;
  set_root(call->root);
  const std::size_t room = sizeof(Memory) + state->read[0].bytes(), pages = (room - 1) / page_bytes + 1;
  auto* const memory = reinterpret_cast<Memory*>(partial_results(pages * page_bytes));
  if (memory == nullptr) return rockcreek_refuse("bcast/tagged: no memory for %zu bytes", pages * page_bytes);
  return state->lines.for_parts(call->bytes, 1, [&](std::size_t offset, std::size_t bytes) {
    Part(call->buffer + offset, bytes, *memory).move();
    return RCCE_SUCCESS;
  });
}

} // namespace

ROCKCREEK_ALGORITHM(
    bcast_tagged, .name = "bcast/tagged", .operation = ROCKCREEK_BCAST,
    .summary = "children look at a line of their parent's MPB until data and number are there; for up to "
               "some hundred bytes",
    .cost = "per level of the tree a put and two or three looks per 28 bytes, or those and a put and a get "
            "per 256",
    .source = "this project",
    .parameters = {{.name = "degree",
                    .least = 2,
                    .most = most_degree,
                    .tried = "4-64:x2",
                    .fixed = 1,
                    .help =
                        "of the tree: a parent serves up to degree - 1 ranks in a phase; own choice: as "
                        "few phases as there can be"}},
    .needs = ROCKCREEK_NEEDS_TAGS | ROCKCREEK_OWN_COPIES, .prepare = prepare, .run = run);

} // namespace algorithms
