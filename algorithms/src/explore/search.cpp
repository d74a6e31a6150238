#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include <boost/container_hash/hash.hpp>
#include <fmt/format.h>

#include "explore/fingerprints.hpp"
#include "explore/table.hpp"
#include "explore/tell.hpp"

namespace algorithms::explore {

namespace {

/// All threads at some instant.
struct Situation {
  State state;
  std::vector<Node> nodes;
};

struct Frame {
  Situation situation;
  std::vector<std::uint8_t> tries;
  std::size_t tried = 0;
};

class Searching {
 public:
  Searching(int threads, const Scenario& scenario, const Limits& limits)
      : threads_(threads),
        scenario_(scenario),
        limits_(limits),
        stacks_(static_cast<std::size_t>(threads), Run::stack_bytes),
        table_(threads) {}

  Result go() {
    for (;;) {
      const std::size_t entries = table_.entries();
      table_.forget_conflicts();
      result_ = {};
      pass();
      // Only a pass that has learnt nothing has made each of its decisions with complete tables.
      if (result_.fault || !result_.complete || !limits_.reduce || table_.entries() == entries)
        return result_;
    }
  }

 private:
  void pass();
  [[nodiscard]] const Action& action_of(const Situation& at, int thread) const {
    return table_.action(at.nodes[static_cast<std::size_t>(thread)]);
  }
  [[nodiscard]] Situation begin();
  [[nodiscard]] Run& run_to(const Schedule& path);
  [[nodiscard]] bool ready(const Situation& at, int thread);
  /// The situation after the thread's step; `made` gets the actions of it.
  [[nodiscard]] Situation after(const Situation& at, int thread, std::vector<const Action*>* made = nullptr);
  void move(Situation& at, int thread, std::uint64_t given, std::vector<const Action*>* made);
  [[nodiscard]] std::vector<std::uint8_t> choose(const Situation& at);
  void make_prologues(Situation& at);
  void leave_out_alike(const Situation& at, std::vector<std::uint8_t>& able) const;
  /// Those who can still do something that conflicts with the thread's next step, or, where it waits, that
  /// may let it go on; bit by bit. Nothing where that cannot be said.
  [[nodiscard]] std::optional<std::uint32_t> opponents(const Situation& at, int thread, bool able);
  [[nodiscard]] std::uint64_t fingerprint(const Situation& at) const;
  void found(std::string what) { result_.fault = {std::move(what), path_}; }
  /// Looks for faults in a situation that is entered; returns whether there is one.
  bool faulty(const Situation& at);

  int threads_;
  const Scenario& scenario_;
  Limits limits_;
  mesh::StackPool stacks_;
  Table table_;
  Schedule path_;
  std::unique_ptr<Run> run_;
  Schedule run_path_;
  std::vector<Node> fresh_; ///< where threads stand when they first read
  Result result_;
};

Run& Searching::run_to(const Schedule& path) {
  const bool goes_on =
      run_ && run_path_.size() <= path.size() && std::equal(run_path_.begin(), run_path_.end(), path.begin());
  if (!goes_on) {
    run_.reset(); // before the next one takes its stacks
    run_ = std::make_unique<Run>(threads_, scenario_, stacks_);
    run_path_.clear();
  }
  for (std::size_t step = run_path_.size(); step < path.size(); ++step) {
    (void)run_->step(path[step]);
    run_path_.push_back(path[step]);
  }
  return *run_;
}

Situation Searching::begin() {
  const Run& run = run_to({});
  Situation at{run.state(), {}};
  for (int thread = 0; thread < threads_; ++thread) {
    table_.learn(thread, static_cast<Node>(thread), 0, run);
    at.nodes.push_back(static_cast<Node>(thread));
    move(at, thread, 0, nullptr);
  }
  return at;
}

/// Lets every thread write what it writes before it first reads.
void Searching::make_prologues(Situation& at) {
  const auto writes = [&](int thread) {
    const Action& next = action_of(at, thread);
    return next.kind == Action::Kind::store || (next.kind == Action::Kind::blocks && next.change);
  };
  for (int thread = 0; thread < threads_; ++thread)
    while (writes(thread)) {
      Situation next = after(at, thread);
      path_.push_back(static_cast<std::uint8_t>(thread));
      at = std::move(next);
    }
  fresh_ = at.nodes;
}

bool Searching::ready(const Situation& at, int thread) {
  const Node node = at.nodes[static_cast<std::size_t>(thread)];
  const Action& action = table_.action(node);
  bool holds = false;
  if (action.kind == Action::Kind::wait) {
    const std::uint64_t value = at.state.contents.words[action.word];
    auto known = table_.holds(node, value);
    if (!known) {
      const Action& real = run_to(path_).next(thread);
      table_.check(node, real);
      known = (*real.predicate)(value);
      table_.learn_holds(node, value, *known);
    }
    holds = *known;
  }
  return at.state.allows(thread, action, holds);
}

void Searching::move(Situation& at, int thread, std::uint64_t given, std::vector<const Action*>* made) {
  Node& node = at.nodes[static_cast<std::size_t>(thread)];
  for (;;) {
    Node next = table_.child(node, given);
    if (next == no_node) {
      // Nothing but the thread's own step can have led here: path_ ends with it.
      table_.learn(thread, node, given, run_to(path_));
      next = table_.child(node, given);
    }
    node = next;
    const Action& action = table_.action(node);
    if (!attached(action.kind)) return;
    if (made != nullptr) made->push_back(&action);
    given = action.kind == Action::Kind::peek ? at.state.contents.words[action.word] : 0;
  }
}

Situation Searching::after(const Situation& at, int thread, std::vector<const Action*>* made) {
  Situation next = at;
  const Action& action = action_of(at, thread);
  if (made != nullptr) made->push_back(&action);
  std::vector<std::uint8_t> woken;
  path_.push_back(static_cast<std::uint8_t>(thread));
  const auto given =
      next.state.make(thread, action, woken, [&](int sleeper) { return action_of(at, sleeper).word; });
  if (given) move(next, thread, *given, made);
  for (const std::uint8_t sleeper : woken) move(next, sleeper, 1, made);
  path_.pop_back();
  return next;
}

std::optional<std::uint32_t> Searching::opponents(const Situation& at, int thread, bool able) {
  const Action& next = action_of(at, thread);
  if (next.kind == Action::Kind::futex_wait || next.kind == Action::Kind::futex_wake ||
      next.kind == Action::Kind::pause || at.state.sleeps(thread))
    return std::nullopt;
  std::vector<const Action*> made{&next};
  if (able) {
    made.clear();
    (void)after(at, thread, &made);
  }
  std::uint32_t found = 0;
  for (int other = 0; other < threads_; ++other) {
    if (other == thread) continue;
    const bool clear = std::all_of(made.begin(), made.end(), [&](const Action* action) {
      if (action->kind == Action::Kind::forget) return true;
      const bool on_word = action->kind != Action::Kind::blocks;
      const std::uint64_t value = on_word ? at.state.contents.words[action->word] : 0;
      return table_.stays_clear(at.nodes[static_cast<std::size_t>(other)], *action, value);
    });
    if (!clear) found |= 1U << other;
  }
  return found;
}

/// The smallest set of threads such that nothing that the others can do before one of them moves conflicts
/// with what they can do now: it is enough to try these.
std::vector<std::uint8_t> Searching::choose(const Situation& at) {
  std::vector<std::uint8_t> able;
  std::uint32_t able_set = 0;
  std::vector<std::optional<std::uint32_t>> opponents_of(static_cast<std::size_t>(threads_));
  std::uint32_t known = 0, alive = 0;
  for (int thread = 0; thread < threads_; ++thread) {
    if (action_of(at, thread).kind != Action::Kind::end) alive |= 1U << thread;
    if (!ready(at, thread)) continue;
    able.push_back(static_cast<std::uint8_t>(thread));
    able_set |= 1U << thread;
  }
  if (!limits_.reduce || able.size() <= 1) return able;
  const auto closure = [&](int first, std::size_t most) -> std::uint32_t {
    std::uint32_t set = 1U << first;
    for (std::uint32_t rest = set; rest != 0;) {
      const int thread = std::countr_zero(rest);
      rest &= rest - 1;
      const auto at_thread = static_cast<std::size_t>(thread);
      if ((known >> thread & 1) == 0) {
        opponents_of[at_thread] = opponents(at, thread, (able_set >> thread & 1) != 0);
        known |= 1U << thread;
      }
      if (!opponents_of[at_thread]) return alive;
      const std::uint32_t more = *opponents_of[at_thread] & alive & ~set;
      set |= more;
      rest |= more;
      if (static_cast<std::size_t>(std::popcount(set & able_set)) >= most) return alive;
    }
    return set;
  };
  std::uint32_t best = able_set;
  for (const std::uint8_t thread : able) {
    const std::uint32_t set = closure(thread, static_cast<std::size_t>(std::popcount(best))) & able_set;
    if (std::popcount(set) < std::popcount(best)) best = set;
    if (std::popcount(best) == 1) break;
  }
  std::erase_if(able, [best](std::uint8_t thread) { return (best >> thread & 1) == 0; });
  return able;
}

/// Threads that have not read anything yet are alike but for their numbers: the first of them is tried.
void Searching::leave_out_alike(const Situation& at, std::vector<std::uint8_t>& able) const {
  bool met = false;
  std::erase_if(able, [&](std::uint8_t thread) {
    return at.nodes[thread] == fresh_[thread] && std::exchange(met, true);
  });
}

std::uint64_t Searching::fingerprint(const Situation& at) const {
  std::size_t print = boost::hash_range(at.nodes.begin(), at.nodes.end());
  for (const std::uint64_t word : at.state.contents.words) boost::hash_combine(print, word);
  const auto& buffers = at.state.contents.buffers;
  for (std::size_t i = 0; i < buffers.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t eight;
    std::copy_n(buffers.data() + i, sizeof eight, reinterpret_cast<std::byte*>(&eight));
    if (eight == 0) continue;
    boost::hash_combine(print, i);
    boost::hash_combine(print, eight);
  }
  boost::hash_combine(print, at.state.asleep.size());
  for (const std::uint8_t sleeper : at.state.asleep) boost::hash_combine(print, sleeper);
  for (std::size_t thread = 0; thread < at.nodes.size(); ++thread)
    if (table_.action(at.nodes[thread]).kind == Action::Kind::pause)
      boost::hash_combine(print, at.state.changed[thread]);
  return print;
}

bool Searching::faulty(const Situation& at) {
  for (const Node node : at.nodes)
    if (table_.action(node).kind == Action::Kind::fault) {
      found(table_.action(node).text);
      return true;
    }
  if (auto race = race_text(threads_, [&](int thread) -> const Action& { return action_of(at, thread); });
      !race.empty()) {
    found(std::move(race));
    return true;
  }
  if (path_.size() > limits_.steps) {
    found(fmt::format("no end after {} steps", limits_.steps));
    return true;
  }
  return false;
}

void Searching::pass() {
  Fingerprints met;
  std::vector<Frame> frames;
  path_.clear();
  // Returns false where the search ends.
  const auto enter = [&](Situation&& at) {
    ++result_.steps;
    if (faulty(at)) return false;
    if (!met.insert(fingerprint(at))) {
      if (!path_.empty()) path_.pop_back();
      return true;
    }
    if (++result_.states > limits_.states) return false;
    result_.longest = std::max(result_.longest, path_.size());
    auto tries = choose(at);
    if (limits_.symmetric && tries.size() > 1) leave_out_alike(at, tries);
    if (tries.empty()) {
      const bool ended = std::all_of(at.nodes.begin(), at.nodes.end(), [&](Node node) {
        return table_.action(node).kind == Action::Kind::end;
      });
      std::string wrong = ended
          ? run_to(run_path_).program().at_end(at.state.contents)
          : deadlock_text(at.state, [&](int thread) -> const Action& { return action_of(at, thread); });
      if (!wrong.empty()) {
        found(std::move(wrong));
        return false;
      }
      ++result_.ends;
    }
    frames.push_back({std::move(at), std::move(tries), 0});
    return true;
  };
  Situation start = begin();
  if (limits_.symmetric) make_prologues(start);
  if (!enter(std::move(start))) return;
  while (!frames.empty()) {
    Frame& top = frames.back();
    if (top.tried == top.tries.size()) {
      frames.pop_back();
      if (!path_.empty()) path_.pop_back();
      continue;
    }
    const int thread = top.tries[top.tried++];
    Situation next = after(top.situation, thread);
    path_.push_back(static_cast<std::uint8_t>(thread));
    if (!enter(std::move(next))) return;
  }
  result_.complete = true;
}

} // namespace

Result search(int threads, const Scenario& scenario, const Limits& limits) {
  return Searching(threads, scenario, limits).go();
}

} // namespace algorithms::explore
