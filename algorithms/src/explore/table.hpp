// SPDX-License-Identifier: Apache-2.0
// What the threads of a scenario do, as tables: from what a thread has read so far to its next action. Filled
// from executions; the search walks them.
#pragma once

#include <deque>
#include <map>
#include <unordered_map>

#include "explore/run.hpp"

namespace algorithms::explore {

using Node = std::uint32_t;
inline constexpr Node no_node = UINT32_MAX;

class Table {
 public:
  Table(int threads, bool forgets);

  [[nodiscard]] const Action& action(Node node) const { return nodes_[node].action; }
  /// The node at which a thread begins, once learnt.
  [[nodiscard]] Node start(int thread) const { return child(static_cast<Node>(thread), 0); }
  /// The node of the thread after its action gives this value.
  [[nodiscard]] Node child(Node node, std::uint64_t given) const;
  /// The result of a wait's predicate; nothing if it has not been asked.
  [[nodiscard]] std::optional<bool> holds(Node node, std::uint64_t value) const;
  void learn_holds(Node node, std::uint64_t value, bool holds);
  /// Enters what a thread of an execution does after `node` has given a value. Throws std::logic_error where
  /// the table has something else.
  void learn(int thread, Node node, std::uint64_t given, const Run& run);
  /// Throws std::logic_error where the execution's thread does something else than the table says.
  void check(Node node, const Action& action) const;

  /// True if no action that can follow `node`, as far as is known, conflicts with `action` while its word or
  /// range is unchanged.
  [[nodiscard]] bool stays_clear(Node node, const Action& action, std::uint64_t value);
  /// To be called when a pass begins.
  void forget_conflicts() { clear_.clear(); }
  [[nodiscard]] std::size_t entries() const { return entries_; }

 private:
  struct Entry {
    Action action;
    std::vector<std::pair<std::uint64_t, Node>> children;
    std::vector<std::pair<std::uint64_t, bool>> holds;
  };

  Node add(Node parent, std::uint64_t given, const Action& action);
  Node stage(int thread, Node parent, std::uint64_t given, const Action& action);

  bool forgets_;
  std::deque<Entry>
      nodes_; ///< entries stay where they are; the first ones stand before the start of each thread
  std::map<std::pair<int, std::uint64_t>, Node> stages_;
  std::unordered_map<std::uint64_t, bool> clear_; ///< by node and action
  std::size_t entries_ = 0;                       ///< nodes, edges and answers of predicates
};

/// True if both are on buffers, touch the same bytes, and one writes.
[[nodiscard]] bool overlap(const Action& a, const Action& b);

} // namespace algorithms::explore
