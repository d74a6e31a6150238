// SPDX-License-Identifier: Apache-2.0
// One run by a given schedule, told step by step.
#include <stdexcept>

#include <fmt/format.h>

#include "explore/run.hpp"
#include "explore/tell.hpp"

namespace algorithms::explore {

Replay replay(int threads, const Scenario& scenario, const Schedule& schedule) {
  mesh::StackPool stacks(static_cast<std::size_t>(threads), Run::stack_bytes);
  Run run(threads, scenario, stacks);
  Replay replay;
  const auto next = [&](int thread) -> const Action& { return run.next(thread); };
  const auto fault = [&]() -> std::string {
    if (auto race = race_text(threads, next); !race.empty()) return race;
    bool ended = true, stuck = true;
    for (int thread = 0; thread < threads; ++thread) {
      if (run.next(thread).kind == Action::Kind::fault) return run.next(thread).text;
      ended = ended && run.next(thread).kind == Action::Kind::end;
      stuck = stuck && !run.ready(thread);
    }
    if (ended) return run.program().at_end(run.state().contents);
    return stuck ? deadlock_text(run.state(), next) : "";
  };
  for (const std::uint8_t thread : schedule) {
    if (!run.ready(thread))
      throw std::invalid_argument(fmt::format("step {} of the schedule cannot be made: thread {} {}",
                                              replay.steps.size() + 1, thread,
                                              waiting_text(run.state(), thread, run.next(thread))));
    const Action action = run.next(thread);
    const std::uint64_t given = run.step(thread);
    replay.steps.push_back({thread, action_text(action, given)});
  }
  replay.fault = fault();
  return replay;
}

} // namespace algorithms::explore
