// SPDX-License-Identifier: Apache-2.0
#include "explore/table.hpp"

#include <algorithm>
#include <stdexcept>

#include <boost/container_hash/hash.hpp>

namespace algorithms::explore {

namespace {

using Kind = Action::Kind;

[[nodiscard]] bool on_word(Kind kind) noexcept {
  return kind <= Kind::futex_wake || kind == Kind::peek;
}
[[nodiscard]] bool reads_only(Kind kind) noexcept {
  return kind == Kind::load || kind == Kind::wait || kind == Kind::peek;
}

[[nodiscard]] bool conflict(const Action& a, const Action& b) {
  if (a.kind == Kind::pause || b.kind == Kind::pause)
    return !reads_only(a.kind) && !reads_only(b.kind) && (on_word(a.kind) || on_word(b.kind));
  if (a.kind == Kind::blocks && b.kind == Kind::blocks) return overlap(a, b);
  if (!on_word(a.kind) || !on_word(b.kind) || a.word != b.word) return false;
  return !reads_only(a.kind) || !reads_only(b.kind);
}

[[nodiscard]] bool same(const Action& a, const Action& b) {
  const auto equal = [](const Range& x, const Range& y) {
    return x.from == y.from && x.to == y.to && x.write == y.write;
  };
  return a.kind == b.kind && a.word == b.word && a.operand == b.operand && a.expected == b.expected &&
      a.text == b.text &&
      std::equal(a.ranges.begin(), a.ranges.end(), b.ranges.begin(), b.ranges.end(), equal);
}

[[nodiscard]] std::uint64_t key_of(Node node, const Action& action, std::uint64_t value) {
  std::size_t key = node;
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(action.kind), static_cast<std::uint64_t>(action.word), value})
    boost::hash_combine(key, part);
  for (const Range& range : action.ranges)
    for (const std::size_t part : {range.from, range.to, std::size_t{range.write}})
      boost::hash_combine(key, part);
  return key;
}

} // namespace

bool overlap(const Action& a, const Action& b) {
  for (const Range& x : a.ranges)
    for (const Range& y : b.ranges)
      if ((x.write || y.write) && x.from < y.to && y.from < x.to) return true;
  return false;
}

Table::Table(int threads, bool forgets) : forgets_(forgets), nodes_(static_cast<std::size_t>(threads)) {}

Node Table::child(Node node, std::uint64_t given) const {
  for (const auto& [value, child] : nodes_[node].children)
    if (value == given) return child;
  return no_node;
}

std::optional<bool> Table::holds(Node node, std::uint64_t value) const {
  for (const auto& [known, holds] : nodes_[node].holds)
    if (known == value) return holds;
  return std::nullopt;
}

void Table::learn_holds(Node node, std::uint64_t value, bool holds) {
  nodes_[node].holds.emplace_back(value, holds);
  ++entries_;
}

void Table::check(Node node, const Action& action) const {
  if (same(nodes_[node].action, action)) return;
  throw std::logic_error("a thread acts differently after reading the same values: it gets information "
                         "outside of its words, or keeps state that it does not declare");
}

Node Table::add(Node parent, std::uint64_t given, const Action& action) {
  const Node known = child(parent, given);
  if (known != no_node) {
    check(known, action);
    return known;
  }
  const auto node = static_cast<Node>(nodes_.size());
  nodes_.push_back({action, {}, {}});
  nodes_.back().action.predicate = nullptr;
  nodes_[parent].children.emplace_back(given, node);
  ++entries_;
  return node;
}

Node Table::stage(int thread, Node parent, std::uint64_t given, const Action& action) {
  const auto known = stages_.find({thread, action.operand});
  if (known == stages_.end()) return stages_[{thread, action.operand}] = add(parent, given, action);
  if (child(parent, given) == no_node) {
    nodes_[parent].children.emplace_back(given, known->second);
    ++entries_;
  }
  return known->second;
}

void Table::learn(int thread, Node node, std::uint64_t given, const Run& run) {
  for (const auto& [action, value] : run.attached_to_last(thread)) {
    node = action.kind == Kind::forget && forgets_ ? stage(thread, node, given, action)
                                                   : add(node, given, action);
    given = value;
  }
  (void)add(node, given, run.next(thread));
}

bool Table::stays_clear(Node node, const Action& action, std::uint64_t value) {
  const Action& own = nodes_[node].action;
  if (own.kind == Kind::end || own.kind == Kind::fault) return true;
  const std::uint64_t key = key_of(node, action, value);
  if (const auto known = clear_.find(key); known != clear_.end()) return known->second;
  bool clear = true;
  const bool stuck = (own.kind == Kind::wait && holds(node, value) == std::optional(false)) ||
      (own.kind == Kind::take && value == own.expected);
  if (stuck && on_word(action.kind) && own.word == action.word) {
    // It cannot go on from here before somebody writes to the word.
  } else if (conflict(own, action)) {
    clear = false;
  } else {
    for (std::size_t i = 0; clear && i < nodes_[node].children.size(); ++i)
      clear = stays_clear(nodes_[node].children[i].second, action, value);
  }
  return clear_[key] = clear;
}

} // namespace algorithms::explore
