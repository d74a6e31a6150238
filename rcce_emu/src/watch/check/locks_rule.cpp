// SPDX-License-Identifier: Apache-2.0
// A lock is released by a UE that does not hold it, or while nobody does, or is kept to the end of the run.
// Examples: lock-of-another, lock-of-nobody and lock-kept of tests/misuse/checked.c.
//
// A lock may also be a signal: its holder takes it once more, and so waits for another to release it. Whether
// a release by another was one shows when the lock is taken next.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <utility>

#include "watch/check/rule.hpp"

namespace rcce::check {
namespace {

class Locks final : public Rule {
 public:
  using Rule::Rule;

  void lock(const Ue& ue, int core, bool taken) override {
    Lock& lock = locks_[core];
    Side side = side_of(ue);
    side.words = fmt::format(", the lock of core {:02d}", core);
    if (taken) {
      if (lock.by_another && lock.taken.rank == ue.rank)
        lock.signals = true;
      else
        tell_release_by_another(lock);
      lock.by_another.reset();
      lock.taken = side;
    } else {
      tell_release_by_another(lock);
      const bool told = std::exchange(lock.by_another, {}).has_value(); // its holder's own release is right
      if (lock.held && lock.taken.rank != ue.rank)
        lock.by_another = side;
      else if (!lock.held && !told && !lock.signals)
        job_.findings.add("a lock is released that nobody holds", lock.released, side,
                          "release a lock once for each time that it is taken; at the start it is free");
      lock.released = side;
    }
    lock.held = taken;
  }

  void ends(std::span<const BlockedCore> blocked) override {
    for (const auto& [core, lock] : locks_) {
      tell_release_by_another(lock);
      // In a deadlock only what others wait for is a cause.
      const bool waited_for = std::ranges::any_of(
          blocked, [of = core](const BlockedCore& one) { return one.on_lock && one.waits_on_core == of; });
      if (lock.held && !lock.signals && (blocked.empty() || waited_for))
        job_.findings.add("a lock is held at the end of the run", lock.taken, {},
                          "release each lock before RCCE_finalize");
    }
  }

 private:
  struct Lock {
    bool held = false;
    bool signals = false;           ///< it has been one
    Side taken, released;           ///< the last call that did
    std::optional<Side> by_another; ///< the last release, where it may be wrong
  };

  void tell_release_by_another(const Lock& lock) {
    if (lock.by_another)
      job_.findings.add("a lock is released by a UE that does not hold it", lock.taken, *lock.by_another,
                        "release a lock by the UE that has taken it");
  }

  std::map<int, Lock> locks_; ///< by core
};

} // namespace

constinit const MakeRule locks_rule = make<Locks>;

} // namespace rcce::check
