// SPDX-License-Identifier: Apache-2.0
// The state of a search: where the threads are, what is known of their actions, which way led there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/explore/search.hpp"
#include "explore/run.hpp"
#include "explore/table.hpp"

namespace algorithms::explore {

/// All threads at some instant.
struct Situation {
  State state;
  std::vector<Node> nodes;
};

/// A situation on the way to the present one, and the threads whose steps are tried from it.
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
        table_(threads, limits.forgets) {}

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
  std::vector<Node> fresh_; ///< nodes of threads at their first read
  Result result_;
};

} // namespace algorithms::explore
