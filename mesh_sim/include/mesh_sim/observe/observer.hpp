// SPDX-License-Identifier: Apache-2.0
// Who watches a run: hears of what happens, one event after the other, and changes nothing. Several may watch
// one run. Each says which events it wants; the others are not told of, and where nobody wants any the run
// pays for one look at a flag.
//
// Order. Events of one core come in the order of its clock. Of different cores those of accesses, when they
// act, come in simulated order; all others when their core comes to them, since a core may run ahead of
// others until it accesses what they share.
#pragma once

#include "mesh_sim/observe/events.hpp"
#include "mesh_sim/observe/facts.hpp"

namespace mesh {

class Observers; // those of one run: observers.hpp

/// Kinds of events, as bits of a set.
enum class EventMask : unsigned {
  cores = 1U << 0,     ///< start, end and change of the core that runs
  calls = 1U << 1,     ///< calls of the library above
  messages = 1U << 2,  ///< messages of the library above
  issues = 1U << 3,    ///< accesses as their cores set out for them
  acts = 1U << 4,      ///< accesses as they act, in segments
  ends = 1U << 5,      ///< accesses as their cores go on
  waits = 1U << 6,     ///< waits of cores, with their causes
  resources = 1U << 7, ///< links, MPB ports, memory controllers
  own = 1U << 8,       ///< the program's accesses past the machine, as far as it notifies of them
  facts = 1U << 9,     ///< that the library above alone knows
  code = 1U << 10,     ///< time of the program's own code
};
constexpr EventMask operator|(EventMask a, EventMask b) noexcept {
  return static_cast<EventMask>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has(EventMask set, EventMask some) noexcept {
  return (static_cast<unsigned>(set) & static_cast<unsigned>(some)) != 0;
}
constexpr bool covers(EventMask set, EventMask all) noexcept {
  return (static_cast<unsigned>(all) & ~static_cast<unsigned>(set)) == 0;
}
inline constexpr EventMask no_events{0};
/// All that a simulated machine tells; where cores are threads of the host, calls and messages are left.
inline constexpr EventMask all_events{0x7ff}, library_events = EventMask::calls | EventMask::messages;

/// It is told on the stack of the core that acts, in a job with that core's heap at hand: while the run lasts
/// it keeps numbers, and makes no texts.
class Observer {
 public:
  virtual ~Observer() = default;
  /// The events that it wants to hear of; constant.
  [[nodiscard]] virtual EventMask wants() const = 0;

  virtual void core_starts(int /*core*/, Picoseconds /*at*/) {}
  virtual void core_ends(int /*core*/, Picoseconds /*at*/) {}
  /// The host leaves one core for another; -1: for the scheduler.
  virtual void switches(int /*from*/, int /*to*/) {}
  virtual void call_begins(const Call&) {}
  virtual void call_ends(const Call&) {}
  virtual void message(const Message&) {}
  /// The program's own code has run for so long since it was told last, or since the last call; on its stack.
  virtual void ran(int /*core*/, Picoseconds /*time*/) {}
  /// The core sets out: `access.at` is its clock.
  virtual void issued(const Access&) {}
  /// The access, or a segment of it, acts at `access.at`: now, or where it is delivered, later. A copy acts
  /// in as many segments as the machine makes of it. A wait acts when it ends.
  virtual void acted(const Access&) {}
  /// The core goes on at `access.at`; it has set out at `begin`.
  virtual void ended(const Access& /*access*/, Picoseconds /*begin*/) {}
  virtual void wait_begins(const Wait&) {}
  virtual void wait_ends(const Wait&) {}
  virtual void served(const Service&) {}
  virtual void touched(const Touch&) {}
  /// A loop of the program's own has gone round again: it may have looked at any memory.
  virtual void looped(int /*core*/, Picoseconds /*at*/) {}
  virtual void fact(const Fact&) {}
  /// Once the run is over, of each such core, to all observers whatever they want: the last event of it.
  virtual void unfinished(const Unfinished&) {}
};

} // namespace mesh
