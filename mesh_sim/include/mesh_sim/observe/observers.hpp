// SPDX-License-Identifier: Apache-2.0
// Those who watch one run, and the sums that machine and library keep for them: for whoever tells. Whoever
// watches needs observer.hpp alone.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mesh_sim/observe/observer.hpp"

namespace mesh {

class PacketCounts;
class Queues;

/// The time of a core's accesses and waits. Machines add it up themselves, which is less work than an event
/// for each.
struct AccessTimes {
  Picoseconds putting = 0, getting = 0;
  Picoseconds accessing = 0; ///< single accesses, with waits in the midst of them
  Picoseconds waiting = 0;
  Picoseconds waiting_in_access = 0; ///< part of waiting: in the midst of an access

  /// How far away what is accessed lies.
  struct Distance {
    std::uint64_t hops = 0, accesses = 0; ///< in all; those whose distance is known

    /// The mean over accesses.
    [[nodiscard]] double mean() const noexcept {
      return accesses == 0 ? 0 : static_cast<double>(hops) / static_cast<double>(accesses);
    }
  };
  Distance copies, singles;          ///< distances of puts and gets, and of single accesses
  std::span<const std::uint16_t> to; ///< by core: hops from this one; empty: not known

  void ended(const Access& access, Picoseconds begin, Picoseconds end) noexcept {
    Picoseconds& spent = access.kind == Access::Kind::put ? putting
        : access.kind == Access::Kind::get                ? getting
                                                          : accessing;
    spent += end - begin;
    if (access.kind == Access::Kind::counter || access.target < 0 || to.empty()) return;
    Distance& distance = &spent == &accessing ? singles : copies;
    distance.hops += to[static_cast<std::size_t>(access.target)];
    ++distance.accesses;
  }
  void waited(Wait::Target on, Picoseconds time) noexcept {
    waiting += time;
    // Who waits for a lock or a counter makes an access before and after.
    if (on == Wait::Target::word || on == Wait::Target::words) waiting_in_access += time;
  }
};

/// The time of one core in the library above, which adds it up itself.
struct LibraryTimes {
  struct CallTotals {
    std::uint64_t count = 0;      ///< that have returned
    std::uint64_t unfinished = 0; ///< that have not when the run is over
    Picoseconds time = 0;         ///< in all of these, with the calls that they make
  };
  std::vector<CallTotals> calls; ///< by number; grows as numbers are met first
  std::uint64_t sent = 0, bytes_sent = 0, received = 0, bytes_received = 0; ///< messages

  void returned(int kind, Picoseconds time) noexcept {
    CallTotals& one = calls[static_cast<std::size_t>(kind)];
    ++one.count;
    one.time += time;
  }
  void not_returned(int kind, Picoseconds time) noexcept {
    CallTotals& one = calls[static_cast<std::size_t>(kind)];
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
  Observers();
  ~Observers();
  Observers(const Observers&) = delete;
  Observers& operator=(const Observers&) = delete;

  /// Before the run.
  void add(Observer& observer) {
    const EventMask wants = observer.wants();
    all_.push_back(&observer);
    wanted_ = wanted_ | wants;
    for (std::size_t kind = 0; kind < by_kind_.size(); ++kind)
      if (has(wants, static_cast<EventMask>(1U << kind))) by_kind_[kind].push_back(&observer);
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
  /// The events that at least one of the observers wants.
  [[nodiscard]] EventMask wanted() const noexcept { return wanted_; }
  [[nodiscard]] bool want(EventMask events) const noexcept { return has(wanted_, events); }

  /// notify(&Observer::acted, EventMask::acts, access): calls that function of all who want such events, of
  /// one kind. For machines, whose cores take turns.
  template <class Function, class... Event>
  void notify(Function function, EventMask kind, const Event&... event) const {
    for (Observer* const observer :
         by_kind_[static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(kind)))])
      (observer->*function)(event...);
  }
  /// The same for the library above, whose cores may be threads: one event at a time.
  template <class Function, class... Event>
  void notify_alone(Function function, EventMask kind, const Event&... event) {
    if (!alone_) return notify(function, kind, event...);
    const Alone guard(*this);
    notify(function, kind, event...);
  }

  /// After the run, to all of them.
  void tell_unfinished(const Unfinished& core) const {
    for (Observer* const observer : all_) observer->unfinished(core);
  }

  /// The cores are threads: before the run.
  void be_told_concurrently();

  /// The number of a call by its name; the same for equal names, in the order in which they are first asked
  /// for.
  [[nodiscard]] int call_kind(std::string_view name);
  /// Names of calls by their numbers.
  [[nodiscard]] const std::vector<std::string>& call_names() const noexcept { return call_names_; }

 private:
  struct Mutex;
  /// Keeps others out while it lives, where cores are threads.
  class Alone {
   public:
    explicit Alone(const Observers& observers);
    ~Alone();
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;

   private:
    Mutex* mutex_;
  };

  std::vector<Observer*> all_;
  std::array<std::vector<Observer*>, std::bit_width(static_cast<unsigned>(all_events))> by_kind_;
  std::span<AccessTimes> times_;
  std::span<LibraryTimes> library_times_;
  PacketCounts* packets_ = nullptr;
  Queues* queues_ = nullptr;
  EventMask wanted_ = no_events;
  std::unique_ptr<Mutex> alone_; ///< there where cores are threads
  std::map<std::string, int, std::less<>> call_kinds_;
  std::vector<std::string> call_names_; ///< the keys of `call_kinds_` by their values
};

} // namespace mesh
