// SPDX-License-Identifier: Apache-2.0
// Who watches a run: hears of what happens, one event after the other, and changes nothing. Several may watch
// one run. Each says which events it wants; the others are not told of, and where nobody wants any the run
// pays for one look at a flag.
//
// Order. Events of one core come in the order of its clock. Of different cores those of accesses, when they
// act, come in simulated order; all others when their core comes to them, since a core may run ahead of
// others until it accesses what they share.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mesh_sim/observe/events.hpp"
#include "mesh_sim/observe/facts.hpp"
#include "mesh_sim/observe/packet_counts.hpp"
#include "mesh_sim/observe/queues.hpp"

namespace mesh {

/// Kinds of events, as bits of a set.
enum class Told : unsigned {
  cores = 1U << 0,     ///< start, end and change of the core that runs
  calls = 1U << 1,     ///< of the library above
  messages = 1U << 2,  ///< of the library above
  issues = 1U << 3,    ///< accesses as their cores set out for them
  acts = 1U << 4,      ///< accesses as they act, in segments
  ends = 1U << 5,      ///< accesses as their cores go on
  waits = 1U << 6,     ///< of cores, with their causes
  resources = 1U << 7, ///< links, MPB ports, memory controllers
  own = 1U << 8,       ///< what the program does past the machine, as far as it tells
  facts = 1U << 9,     ///< that the library above alone knows
};
constexpr Told operator|(Told a, Told b) noexcept {
  return static_cast<Told>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has(Told set, Told some) noexcept {
  return (static_cast<unsigned>(set) & static_cast<unsigned>(some)) != 0;
}
constexpr bool covers(Told set, Told all) noexcept {
  return (static_cast<unsigned>(all) & ~static_cast<unsigned>(set)) == 0;
}
inline constexpr Told nothing_told{0};
/// All that a simulated machine tells; where cores are threads of the host, calls and messages are left.
inline constexpr Told all_told{0x3ff}, library_told = Told::calls | Told::messages;

/// It is told on the stack of the core that acts, in a job with that core's heap at hand: while the run lasts
/// it keeps numbers, and makes no texts.
class Observer {
 public:
  virtual ~Observer() = default;
  /// The events that it wants to hear of; constant.
  [[nodiscard]] virtual Told wants() const = 0;

  virtual void core_starts(int /*core*/, Picoseconds /*at*/) {}
  virtual void core_ends(int /*core*/, Picoseconds /*at*/) {}
  /// The host leaves one core for another; -1: for the scheduler.
  virtual void switches(int /*from*/, int /*to*/) {}
  virtual void call_begins(const Call&) {}
  virtual void call_ends(const Call&) {}
  virtual void message(const Message&) {}
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

/// What a core's accesses and waits have taken, which machines add up themselves: less work than an event for
/// each.
struct AccessTimes {
  Picoseconds putting = 0, getting = 0;
  Picoseconds accessing = 0; ///< single accesses, with waits in the midst of them
  Picoseconds waiting = 0;
  Picoseconds waiting_in_access = 0; ///< of that, in the midst of an access

  void ended(const Access& access, Picoseconds begin, Picoseconds end) noexcept {
    Picoseconds& spent = access.kind == Access::Kind::put ? putting
        : access.kind == Access::Kind::get                ? getting
                                                          : accessing;
    spent += end - begin;
  }
  void waited(Wait::On on, Picoseconds time) noexcept {
    waiting += time;
    // Who waits for a lock or a counter makes an access before and after.
    if (on == Wait::On::word || on == Wait::On::words) waiting_in_access += time;
  }
};

/// What one core does with the library above, which adds that up itself.
struct LibraryTimes {
  struct OfOne {
    std::uint64_t count = 0;      ///< that have returned
    std::uint64_t unfinished = 0; ///< that have not when the run is over
    Picoseconds time = 0;         ///< in all of these, with the calls that they make
  };
  std::vector<OfOne> calls; ///< by number; grows as numbers are met first
  std::uint64_t sent = 0, bytes_sent = 0, received = 0, bytes_received = 0; ///< messages

  void returned(int kind, Picoseconds time) noexcept {
    OfOne& one = calls[static_cast<std::size_t>(kind)];
    ++one.count;
    one.time += time;
  }
  void not_returned(int kind, Picoseconds time) noexcept {
    OfOne& one = calls[static_cast<std::size_t>(kind)];
    ++one.unfinished;
    one.time += time;
  }
  void message(bool is_received, std::size_t bytes) noexcept {
    ++(is_received ? received : sent);
    (is_received ? bytes_received : bytes_sent) += bytes;
  }
};

/// Those who watch one run. They outlive it.
class Observers {
 public:
  /// Before the run.
  void add(Observer& observer) {
    const Told wants = observer.wants();
    all_.push_back(&observer);
    wanted_ = wanted_ | wants;
    for (std::size_t kind = 0; kind < by_kind_.size(); ++kind)
      if (has(wants, static_cast<Told>(1U << kind))) by_kind_[kind].push_back(&observer);
  }
  /// Before the run: the machine adds up there, by core. Outlives the run.
  void add_up(std::span<AccessTimes> times) noexcept { times_ = times; }
  /// Empty: nobody wants it.
  [[nodiscard]] std::span<AccessTimes> times() const noexcept { return times_; }
  /// Before the run: the library above adds up there, by core. Outlives the run.
  void add_up(std::span<LibraryTimes> times) noexcept { library_times_ = times; }
  /// Empty: nobody wants it.
  [[nodiscard]] std::span<LibraryTimes> library_times() const noexcept { return library_times_; }
  /// Before the run: a machine whose packets contend counts them there, and tells who waits. Outlive the run.
  void add_up(PacketCounts& packets, Queues& queues) noexcept {
    packets_ = &packets;
    queues_ = &queues;
  }
  // Null, both: nobody wants them.
  [[nodiscard]] PacketCounts* packets() const noexcept { return packets_; }
  [[nodiscard]] Queues* queues() const noexcept { return queues_; }
  /// What at least one of them wants to hear of.
  [[nodiscard]] Told wanted() const noexcept { return wanted_; }
  [[nodiscard]] bool want(Told events) const noexcept { return has(wanted_, events); }

  /// tell(&Observer::acted, Told::acts, access): calls that function of all who want such events, of one
  /// kind. For machines, whose cores take turns.
  template <class Function, class... Event>
  void tell(Function function, Told kind, const Event&... event) const {
    for (Observer* const observer :
         by_kind_[static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(kind)))])
      (observer->*function)(event...);
  }
  /// The same for the library above, whose cores may be threads: one event at a time.
  template <class Function, class... Event>
  void tell_alone(Function function, Told kind, const Event&... event) {
    if (!concurrent_) return tell(function, kind, event...);
    const std::lock_guard guard(mutex_);
    tell(function, kind, event...);
  }

  /// After the run, to all of them.
  void tell_unfinished(const Unfinished& core) const {
    for (Observer* const observer : all_) observer->unfinished(core);
  }

  /// The cores are threads: before the run.
  void be_told_concurrently() noexcept { concurrent_ = true; }

  /// The number of a call by its name; the same for equal names, in the order in which they are first asked
  /// for.
  [[nodiscard]] int call_kind(std::string_view name);
  /// Names of calls by their numbers.
  [[nodiscard]] const std::vector<std::string>& call_names() const noexcept { return call_names_; }

 private:
  [[nodiscard]] std::unique_lock<std::mutex> alone() {
    return concurrent_ ? std::unique_lock(mutex_) : std::unique_lock<std::mutex>();
  }

  std::vector<Observer*> all_;
  std::array<std::vector<Observer*>, std::bit_width(static_cast<unsigned>(all_told))> by_kind_;
  std::span<AccessTimes> times_;
  std::span<LibraryTimes> library_times_;
  PacketCounts* packets_ = nullptr;
  Queues* queues_ = nullptr;
  bool concurrent_ = false;
  Told wanted_ = nothing_told;
  std::mutex mutex_;
  std::map<std::string, int, std::less<>> call_kinds_;
  std::vector<std::string> call_names_; ///< the keys of `call_kinds_` by their values
};

} // namespace mesh
