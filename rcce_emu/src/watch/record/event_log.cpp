// SPDX-License-Identifier: Apache-2.0
#include "watch/record/event_log.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace rcce::record {
namespace {

using mesh::Picoseconds;

/// When its core tells of it, and which core that is.
template <class Event>
std::pair<Picoseconds, int> moment(const Event& event) {
  if constexpr (std::is_same_v<Event, mesh::Message>)
    return {event.received ? event.end : event.begin, event.received ? event.receiver : event.sender};
  else
    return {event.call.at, event.call.core};
}

} // namespace

/// The names of the calls by their numbers, each behind a line's end, then the events.
std::string EventLog::bytes() const {
  static_assert(std::is_trivially_copyable_v<Event>);
  std::string names;
  for (const std::string& name : told_by_.call_names()) names += name + '\n';
  const std::uint64_t length = names.size();
  std::string bytes(sizeof length + names.size() + events_.size() * sizeof(Event), '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  std::memcpy(bytes.data() + sizeof length, names.data(), names.size());
  if (!events_.empty())
    std::memcpy(bytes.data() + sizeof length + names.size(), events_.data(), events_.size() * sizeof(Event));
  return bytes;
}

void EventLog::replay(std::span<const std::string> logs, const mesh::Observers& to) const {
  struct TimedEvent {
    Picoseconds at; ///< the latest that its core has told of
    int core;
    Event event;
  };
  std::vector<TimedEvent> all;
  for (const std::string& log : logs) {
    std::uint64_t length = 0;
    std::memcpy(&length, log.data(), sizeof length);
    std::vector<int> kinds;
    const char* name = log.data() + sizeof length;
    for (const char* const end = name + length; name < end;) {
      const char* const behind = std::find(name, end, '\n');
      kinds.push_back(told_by_.call_kind({name, behind}));
      name = behind + 1;
    }
    Picoseconds latest = 0;
    for (; name < log.data() + log.size(); name += sizeof(Event)) {
      Event event;
      std::memcpy(&event, name, sizeof event);
      std::visit(
          [&](auto& one) {
            if constexpr (requires { one.call; })
              one.call.kind = kinds[static_cast<std::size_t>(one.call.kind)];
            const auto [at, core] = moment(one);
            latest = std::max(latest, at);
            all.push_back({latest, core, one});
          },
          event);
    }
  }
  std::ranges::stable_sort(all, {}, [](const TimedEvent& one) { return std::pair(one.at, one.core); });
  for (const TimedEvent& one : all) {
    if (const auto* const begin = std::get_if<Begin>(&one.event))
      to.notify(&mesh::Observer::call_begins, mesh::EventMask::calls, begin->call);
    else if (const auto* const end = std::get_if<End>(&one.event))
      to.notify(&mesh::Observer::call_ends, mesh::EventMask::calls, end->call);
    else
      to.notify(&mesh::Observer::message, mesh::EventMask::messages, std::get<mesh::Message>(one.event));
  }
}

} // namespace rcce::record
