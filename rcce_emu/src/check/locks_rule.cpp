// SPDX-License-Identifier: Apache-2.0
// A lock is released by a UE that does not hold it, or while nobody does, or is kept to the end of the run.
// Examples: lock-of-another, lock-of-nobody and lock-kept of tests/misuse/checked.c.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "check/rule.hpp"

namespace rcce::check {
namespace {

class Locks final : public Rule {
 public:
  using Rule::Rule;

  void lock(const Ue& ue, int core, bool taken) override {
    Side side = side_of(ue);
    side.words = fmt::format(", the lock of core {:02d}", core);
    if (taken) {
      held_[core] = side;
      return;
    }
    const auto held = held_.find(core);
    if (held == held_.end()) {
      const auto before = released_.find(core);
      job_.findings.add("a lock is released that nobody holds",
                        before == released_.end() ? Side{} : before->second, side,
                        "release a lock once for each time that it is taken; at the start it is free");
    } else if (held->second.rank != ue.rank) {
      job_.findings.add("a lock is released by a UE that does not hold it", held->second, side,
                        "release a lock by the UE that has taken it");
    }
    if (held != held_.end()) held_.erase(held);
    released_[core] = side;
  }

  void ends(std::span<const BlockedCore> blocked) override {
    for (const auto& [core, side] : held_) {
      // In a deadlock only what others wait for is a cause.
      const bool waited_for = std::ranges::any_of(
          blocked, [of = core](const BlockedCore& one) { return one.on_lock && one.waits_on_core == of; });
      if (blocked.empty() || waited_for)
        job_.findings.add("a lock is held at the end of the run", side, {},
                          "release each lock before RCCE_finalize");
    }
  }

 private:
  std::map<int, Side> held_, released_; ///< by core: the call that has taken it; that has released it last
};

} // namespace

constinit const MakeRule locks_rule = make<Locks>;

} // namespace rcce::check
