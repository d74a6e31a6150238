#include "explore/orders.hpp"

#include <algorithm>
#include <map>

#include "explore/accesses.hpp"

namespace rcce::explore {
namespace {

using Kind = TracedAccess::Kind;

/// How much of each core's events has happened before an event: by core, numbers counted from 1.
class Clock {
 public:
  void join(const Clock& other) {
    for (const auto& [core, number] : other.numbers_) raise(core, number);
  }
  void raise(std::int32_t core, std::uint32_t number) {
    std::uint32_t& mine = numbers_[core];
    mine = std::max(mine, number);
  }
  [[nodiscard]] bool covers(std::int32_t core, std::uint32_t number) const {
    const auto found = numbers_.find(core);
    return found != numbers_.end() && found->second >= number;
  }

 private:
  std::map<std::int32_t, std::uint32_t> numbers_;
};

struct Past {
  Event event;
  std::uint32_t number; ///< of its core's events
  Clock clock;
};

/// A wait that has ended cannot have ended before the write that ended it, nor an attempt to lock have won
/// before the register was free.
bool caused(const Past& cause, const Event& effect) {
  const TracedAccess& then = *effect.access;
  if (on_lock(then.kind)) return cause.event.access->kind == Kind::lock_release;
  const bool waits = then.kind == Kind::wait || (then.kind == Kind::look && then.done);
  return waits && cause.event.access->write;
}

/// What is decided at a register is who takes it. A failed attempt changes nothing but would have won before.
bool may_race(const TracedAccess& a, const TracedAccess& b) {
  if (!on_lock(a.kind)) return true;
  return a.kind == Kind::lock_try && a.done && b.kind == Kind::lock_try;
}

/// Who came first at a register orders nothing; only what its holder has done before it gave it back.
bool orders(const TracedAccess& a, const TracedAccess& b) {
  if (!on_lock(a.kind)) return true;
  return a.kind == Kind::lock_release && b.kind == Kind::lock_try && b.done;
}

/// Conflicts of registers include failed attempts.
bool related(const Event& a, const Event& b) {
  if (on_lock(a.access->kind) && a.place == b.place) return a.access->core != b.access->core;
  return conflict(a, b);
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9fb21c651e98df25u;
  return hash ^ hash >> 29;
}

} // namespace

std::vector<mesh::Hold> reversals(const RunRecord& record) {
  std::vector<mesh::Hold> found;
  std::map<Place, std::vector<Past>> pasts;
  std::map<std::int32_t, Clock> clocks;
  std::map<std::int32_t, std::uint32_t> numbers;
  for (const Event& event : events_of(record)) {
    const TracedAccess& access = *event.access;
    Clock before = clocks[access.core]; // what is known to have happened, without the earlier one looked at
    Clock after = before;
    std::vector<Past>& past = pasts[event.place];
    bool first_cause = true;
    // Not a view: clang 14 cannot read those of libstdc++ 12.
    for (auto earlier = past.rbegin(); earlier != past.rend(); ++earlier) { // NOLINT(modernize-loop-convert)
      if (!related(earlier->event, event)) continue;
      const TracedAccess& other = *earlier->event.access;
      const bool known = before.covers(other.core, earlier->number);
      const bool cause = first_cause && caused(*earlier, event);
      if (!known && !cause && may_race(other, access)) {
        const mesh::Hold hold{other.core, other.number, access.core, access.number};
        if (std::ranges::find(found, hold) == found.end()) found.push_back(hold);
      }
      if (cause) first_cause = false;
      if (orders(other, access)) after.join(earlier->clock);
      if (!on_lock(access.kind)) before.join(earlier->clock);
    }
    const std::uint32_t number = ++numbers[access.core];
    after.raise(access.core, number);
    clocks[access.core] = after;
    past.push_back({event, number, std::move(after)});
  }
  return found;
}

std::uint64_t order_hash(const RunRecord& record) {
  struct Hashed {
    Event event;
    std::uint64_t hash;
  };
  std::map<Place, std::vector<Hashed>> pasts;
  std::uint64_t sum = 0;
  for (const Event& event : events_of(record)) {
    const TracedAccess& access = *event.access;
    if (access.kind == Kind::lock_try && !access.done) continue;
    std::uint64_t own = mix(mix(mix(0, static_cast<std::uint64_t>(access.core)), access.number),
                            event.place << 12 ^ event.begin);
    std::uint64_t before = 0; // whatever their order among each other
    std::vector<Hashed>& past = pasts[event.place];
    for (const Hashed& earlier : past)
      if (related(earlier.event, event)) before += earlier.hash;
    sum += mix(own, before);
    past.push_back({event, own});
  }
  return sum;
}

} // namespace rcce::explore
