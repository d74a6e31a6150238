// SPDX-License-Identifier: Apache-2.0
// One execution of a scenario: its threads are fibers, and the caller says who makes the next step. And
// the state that steps change, which the search (search.cpp) walks without executions.
#pragma once

#include "algorithms/explore/search.hpp"
#include "mesh_sim/kernel/fiber.hpp"
#include "mesh_sim/kernel/own_stack.hpp"

namespace algorithms::explore {

/// The state that steps change, and the threads that sleep.
struct State {
  Contents contents;
  std::vector<std::uint8_t> asleep;  ///< threads asleep on futexes, first come first
  std::vector<std::uint8_t> changed; ///< by thread: another one has changed a word since its last step

  [[nodiscard]] bool sleeps(int thread) const;
  /// True if the action can be made; `holds` says so for waits.
  [[nodiscard]] bool allows(int thread, const Action& action, bool holds) const;
  /// Makes the action. Returns what it gives; nothing where the thread has fallen asleep. `woken` gets the
  /// threads that it wakes. `word_of` tells for a sleeping thread the word it sleeps on.
  std::optional<std::uint64_t> make(int thread, const Action& action, std::vector<std::uint8_t>& woken,
                                    const std::function<std::uint32_t(int)>& word_of);
};

class Run final : public Steps {
 public:
  static constexpr std::size_t stack_bytes = 64 * 1024; ///< stack of each thread, in the caller's pool

  Run(int threads, const Scenario& scenario, mesh::StackPool& stacks);
  ~Run() override;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] const Action& next(int thread) const { return fiber(thread).next; }
  /// The actions since its last step, which belong to that step, with their results.
  [[nodiscard]] const std::vector<std::pair<Action, std::uint64_t>>& attached_to_last(int thread) const {
    return fiber(thread).attached;
  }
  /// True if the thread can make a step.
  [[nodiscard]] bool ready(int thread) const;
  /// Makes the thread's next action and what belongs to the same step; returns what the action gave.
  /// `ready(thread)` holds.
  std::uint64_t step(int thread);

  std::uint64_t act(int thread, Action action) override;
  [[nodiscard]] std::span<const std::byte> buffers() const override { return state_.contents.buffers; }

 private:
  struct Cancelled {};
  struct Fiber {
    std::optional<mesh::OwnStack> stack;
    Action next;
    std::uint64_t given = 0;
    std::vector<std::pair<Action, std::uint64_t>> attached;
    std::exception_ptr thrown;
  };

  [[nodiscard]] const Fiber& fiber(int thread) const { return fibers_[static_cast<std::size_t>(thread)]; }
  [[nodiscard]] Fiber& fiber(int thread) { return fibers_[static_cast<std::size_t>(thread)]; }
  /// Lets the thread run to its next action.
  void go_on(int thread, std::uint64_t given);
  /// Makes those of its actions that belong to the step before.
  void commit(int thread);
  /// The function that a thread runs on its stack.
  void body(int thread);

  int threads_;
  Memory memory_;
  Program program_;
  State state_;
  std::vector<Fiber> fibers_;
  bool cancelling_ = false;
};

/// Belongs to the step before it.
[[nodiscard]] constexpr bool attached(Action::Kind kind) noexcept {
  return kind == Action::Kind::peek || kind == Action::Kind::forget;
}

} // namespace algorithms::explore
