// SPDX-License-Identifier: Apache-2.0
// Which threads' next steps are tried in a situation: not those that nothing conflicts with, nor those that
// are like others.
#include <algorithm>
#include <bit>

#include "explore/searching.hpp"

namespace algorithms::explore {

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

} // namespace algorithms::explore
