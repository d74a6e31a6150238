// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <boost/container_hash/hash.hpp>
#include <fmt/format.h>

#include "explore/fingerprints.hpp"
#include "explore/searching.hpp"
#include "explore/tell.hpp"

namespace algorithms::explore {

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

Result search(int threads, const Scenario& scenario, const Limits& limits) {
  return Searching(threads, scenario, limits).go();
}

} // namespace algorithms::explore
