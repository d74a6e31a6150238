// SPDX-License-Identifier: Apache-2.0
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

/// The number of each event among those of its core in the order of the program, from 1. Stores act later
/// than what the core does next.
std::vector<std::uint32_t> program_numbers(const std::vector<Event>& events) {
  std::map<std::int32_t, std::vector<std::size_t>> by_core;
  for (std::size_t i = 0; i < events.size(); ++i) by_core[events[i].access->core].push_back(i);
  std::vector<std::uint32_t> numbers(events.size());
  for (auto& [core, own] : by_core) {
    std::ranges::stable_sort(own, {}, [&](std::size_t i) { return events[i].access->number; });
    for (std::size_t i = 0; i < own.size(); ++i) numbers[own[i]] = static_cast<std::uint32_t>(i + 1);
  }
  return numbers;
}

/// What each core knows when it sets out for its next event.
class Knowledge {
 public:
  /// For the event with this number. A store that acts late knows what its core knew when it sent it.
  [[nodiscard]] Clock at(std::int32_t core, std::uint32_t number) {
    Core& own = cores_[core];
    if (const auto sent = own.sent.find(number); sent != own.sent.end()) return sent->second;
    for (std::uint32_t skipped = own.next; skipped < number; ++skipped) own.sent[skipped] = own.clock;
    return own.clock;
  }
  /// Events go on from there, unless it was one that acts late.
  void learn(std::int32_t core, std::uint32_t number, const Clock& clock) {
    Core& own = cores_[core];
    own.clock.join(clock);
    own.sent.erase(number);
    own.next = std::max(own.next, number + 1);
  }

 private:
  struct Core {
    Clock clock;
    std::uint32_t next = 1;
    std::map<std::uint32_t, Clock> sent; ///< by number: what has not acted yet
  };
  std::map<std::int32_t, Core> cores_;
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

/// A write of all that the later event concerns: whatever conflicts with the event and acted before conflicts
/// with the write as well, so that its order follows.
bool covers(const Event& write, const Event& event) {
  const TracedAccess& access = *write.access;
  if (!access.write || on_lock(access.kind) || access.mask != UINT32_MAX) return false;
  if (access.core == event.access->core && access.number >= event.access->number) return false;
  return write.begin <= event.begin && event.end <= write.end;
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9fb21c651e98df25u;
  return hash ^ hash >> 29;
}

} // namespace

std::vector<mesh::Hold> reversals(const RunRecord& record) {
  std::vector<mesh::Hold> found;
  std::map<Place, std::vector<Past>> pasts;
  const std::vector<Event> events = events_of(record);
  const std::vector<std::uint32_t> numbers = program_numbers(events);
  Knowledge knowledge;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    const TracedAccess& access = *event.access;
    const std::uint32_t number = numbers[i];
    Clock before = knowledge.at(access.core,
                                number); // what is known to have happened, without the earlier one looked at
    Clock after = before;
    std::vector<Past>& past = pasts[event.place];
    bool first_cause = true;
    // Not a view: clang 14 cannot read those of libstdc++ 12.
    for (auto earlier = past.rbegin(); earlier != past.rend(); ++earlier) { // NOLINT(modernize-loop-convert)
      if (!related(earlier->event, event)) {
        if (covers(earlier->event, event)) break;
        continue;
      }
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
      if (covers(earlier->event, event)) break;
    }
    after.raise(access.core, number);
    knowledge.learn(access.core, number, after);
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
    for (auto earlier = past.rbegin(); earlier != past.rend(); ++earlier) { // NOLINT(modernize-loop-convert)
      if (related(earlier->event, event)) before += earlier->hash;
      if (covers(earlier->event, event)) break;
    }
    sum += mix(own, before);
    past.push_back({event, own});
  }
  return sum;
}

} // namespace rcce::explore
