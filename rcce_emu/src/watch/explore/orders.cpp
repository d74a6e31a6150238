// SPDX-License-Identifier: Apache-2.0
#include "watch/explore/orders.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "mesh_sim/units.hpp"
#include "watch/explore/accesses.hpp"

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

/// The knowledge of each core when it begins its next event.
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

/// True if the order of two accesses can matter. At a register it decides who takes it: a failed attempt
/// changes nothing, but would have succeeded earlier.
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

Spot spot_of(const Event& event) {
  return {event.place, event.access->kind};
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9fb21c651e98df25u;
  return hash ^ hash >> 29;
}

/// The known bytes of a buffer's line, which are 0 when a run begins.
class Line {
 public:
  void write(const Event& event) {
    const TracedAccess& access = *event.access;
    for (std::uint32_t at = event.begin; at < event.end; ++at) {
      const std::uint32_t from = at - access.offset;
      Byte& byte = bytes_[at % bytes_.size()];
      const bool known = from < access.valued, whole = access.kind != Kind::update || access.code != 0;
      const auto bits = whole ? 0xffu : access.mask >> 8 * from & 0xffu;
      const auto value = static_cast<unsigned>(access.value >> 8 * (from % sizeof access.value)) & 0xffu;
      byte.known = known && (whole || byte.known);
      byte.value = static_cast<std::uint8_t>((byte.value & ~bits) | (value & bits));
    }
  }
  /// True if a wait or poll of the library would find what it waits for; nothing if unknown.
  [[nodiscard]] std::optional<bool> satisfies(const Event& wait) const {
    const TracedAccess& access = *wait.access;
    if (access.code != 0 || (access.kind != Kind::wait && access.kind != Kind::look)) return {};
    std::uint32_t word = 0;
    for (std::uint32_t at = wait.begin; at < wait.end; ++at) {
      const Byte& byte = bytes_[at % bytes_.size()];
      if (!byte.known) return {};
      word |= static_cast<std::uint32_t>(byte.value) << 8 * (at - access.offset);
    }
    return ((word & access.mask) == access.wanted) != access.unequal;
  }

 private:
  struct Byte {
    std::uint8_t value = 0;
    bool known = true;
  };
  std::array<Byte, mesh::line_bytes> bytes_{};
};

/// An access that looks until it sees what it waits for, maybe at several words: all its events of its last
/// round.
struct WaitEvents {
  std::vector<std::size_t> events;    ///< in the order in which they acted
  std::vector<std::size_t> satisfied; ///< writes whose words satisfy the wait, or may do so
};
using Waits = std::map<std::pair<std::int32_t, std::uint64_t>, WaitEvents>;

Waits waits_of(const std::vector<Event>& events) {
  Waits waits;
  std::map<AccessedLine, Line> lines;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const TracedAccess& access = *events[i].access;
    Line& line = lines[events[i].place];
    if (access.write) line.write(events[i]);
    if (!access.waits) continue;
    WaitEvents& wait = waits[{access.core, access.number}];
    wait.events.push_back(i);
    if (access.done && line.satisfies(events[i]).value_or(true))
      wait.satisfied.push_back(i);
    else if (!access.done && line.satisfies(events[i]).value_or(false))
      wait.satisfied.push_back(i);
  }
  return waits;
}

bool is_copy(const Event& event) {
  return event.access->kind == Kind::put || event.access->kind == Kind::get;
}

struct Past {
  Event event;
  std::uint32_t number; ///< number among its core's events
  Clock clock;
  Line before; ///< a write: what its line has held until then
};

class Search {
 public:
  explicit Search(const RunRecord& record)
      : events_(events_of(record)), numbers_(program_numbers(events_)), waits_(waits_of(events_)) {}

  Races races() {
    for (std::size_t i = 0; i < events_.size(); ++i) consider(i);
    return std::move(found_);
  }

 private:
  void consider(std::size_t i) {
    const Event& event = events_[i];
    const TracedAccess& access = *event.access;
    Clock before = known_at_start(i), after = knowledge_.at(access.core, numbers_[i]);
    const Clock start = before;
    std::vector<Past>& past = pasts_[event.place];
    // Not a view: clang 14 cannot read those of libstdc++ 12.
    for (auto earlier = past.rbegin(); earlier != past.rend(); ++earlier) { // NOLINT(modernize-loop-convert)
      const TracedAccess& other = *earlier->event.access;
      const bool known = before.covers(other.core, earlier->number);
      if (related(earlier->event, event)) {
        if (!known && may_race(other, access) && could_come_before(*earlier, i)) add(earlier->event, event);
        if (orders(other, access)) after.join(earlier->clock);
        // Of what a wait has seen nothing has to come first: it may have gone on by something else.
        if (!on_lock(access.kind) && !access.waits) before.join(earlier->clock);
      }
      if (covers(earlier->event, event) && (!access.waits || start.covers(other.core, earlier->number)))
        break;
    }
    after.raise(access.core, numbers_[i]);
    knowledge_.learn(access.core, numbers_[i], after);
    Line& line = lines_[event.place];
    past.push_back({event, numbers_[i], std::move(after), access.write ? line : Line()});
    if (access.write) line.write(event);
  }

  /// The knowledge of the core when it begins the access. All polls of a wait begin at once.
  Clock known_at_start(std::size_t i) {
    const TracedAccess& access = *events_[i].access;
    if (!access.waits) return knowledge_.at(access.core, numbers_[i]);
    const auto [found, added] = starts_.try_emplace({access.core, access.number});
    if (added) found->second = knowledge_.at(access.core, numbers_[i]);
    return found->second;
  }

  /// A wait that comes before a write must find what it waits for without it.
  [[nodiscard]] bool could_come_before(const Past& write, std::size_t wait) const {
    const TracedAccess& access = *events_[wait].access;
    if (!access.waits || write.before.satisfies(events_[wait]).value_or(true)) return true;
    const WaitEvents& all = waits_.at({access.core, access.number});
    return std::ranges::any_of(all.satisfied, [wait](std::size_t one) { return one != wait; });
  }

  void add(const Event& first, const Event& second) {
    const mesh::Hold hold{first.access->core, first.access->number, second.access->core,
                          second.access->number};
    if (std::ranges::find(found_.reversals, hold, &Reversal::hold) == found_.reversals.end())
      found_.reversals.push_back({hold, spot_of(first), spot_of(second)});
    else if (is_copy(first) || is_copy(second))
      found_.torn = true; // they meet at several lines, and only the whole of them is turned round
  }

  std::vector<Event> events_;
  std::vector<std::uint32_t> numbers_;
  Waits waits_;
  Knowledge knowledge_;
  std::map<std::pair<std::int32_t, std::uint64_t>, Clock> starts_; ///< by wait: what its core knew
  std::map<AccessedLine, std::vector<Past>> pasts_;
  std::map<AccessedLine, Line> lines_;
  Races found_;
};

} // namespace

Races races_of(const RunRecord& record) {
  return Search(record).races();
}

bool misses_one(const RunRecord& record, std::span<const Reversal> wanted) {
  const std::vector<Event> events = events_of(record);
  const auto find = [&events](std::int32_t core, std::uint64_t number) {
    return std::ranges::find_if(events, [=](const Event& event) {
      const TracedAccess& access = *event.access;
      return access.core == core && access.number == number && (!on_lock(access.kind) || access.done);
    });
  };
  const auto has_spot = [&events](auto event, const Spot& spot) {
    return std::any_of(event, events.end(), [&](const Event& one) {
      return one.access->core == event->access->core && one.access->number == event->access->number &&
          spot_of(one) == spot;
    });
  };
  return std::ranges::any_of(wanted, [&](const Reversal& one) {
    const auto second = find(one.hold.other, one.hold.other_access),
               first = find(one.hold.core, one.hold.access);
    if (second == events.end()) return false;
    return !has_spot(second, one.second) ||
        (first != events.end() && (first < second || !has_spot(first, one.first)));
  });
}

std::uint64_t order_hash(const RunRecord& record) {
  struct Hashed {
    Event event;
    std::uint64_t hash;
  };
  std::map<AccessedLine, std::vector<Hashed>> pasts;
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
