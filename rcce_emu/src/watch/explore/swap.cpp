// SPDX-License-Identifier: Apache-2.0
#include "watch/explore/swap.hpp"

#include <algorithm>
#include <compare>
#include <fmt/format.h>
#include <list>
#include <map>
#include <tuple>

#include "engine/host/symbols.hpp"
#include "mesh_sim/counted.hpp"
#include "process/run/report.hpp"
#include "watch/explore/accesses.hpp"

namespace rcce::explore {
namespace {

using Kind = TracedAccess::Kind;

/// Names the same access in every run: the how-manieth of its kind that its core makes there. Numbers in the
/// order of the program would not do: how often a loop has to look is different in each run.
struct Identity {
  std::int32_t core;
  Kind kind;
  bool write;
  std::int32_t target;
  std::uint32_t begin;
  std::uint32_t count;
  auto operator<=>(const Identity&) const = default;
};

struct Named {
  Event event;
  Identity identity;
};

bool same_spot(const Event& a, const Event& b) {
  return a.place == b.place && a.begin == b.begin && a.access->core == b.access->core;
}

/// The events without failed attempts. Of polls that follow each other, only the last at each spot stays:
/// they may belong to a polling loop.
std::vector<Event> without_polls(std::vector<Event> events) {
  std::map<std::int32_t, std::vector<std::size_t>> looks; // by core: since it last did anything else
  std::vector<bool> dropped(events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    const TracedAccess& access = *events[i].access;
    if (access.kind == Kind::lock_try && !access.done) {
      dropped[i] = true;
      continue;
    }
    std::vector<std::size_t>& since = looks[access.core];
    if (access.kind != Kind::load) {
      since.clear();
      continue;
    }
    for (std::size_t& earlier : since) {
      if (!same_spot(events[earlier], events[i])) continue;
      dropped[earlier] = true;
      earlier = since.back();
      since.pop_back();
      break;
    }
    since.push_back(i);
  }
  std::size_t i = 0;
  std::erase_if(events, [&](const Event&) { return dropped[i++]; });
  return events;
}

std::vector<Named> named_events(const RunRecord& record) {
  std::map<Identity, std::uint32_t> counts;
  std::vector<Named> named;
  for (const Event& event : without_polls(events_of(record))) {
    const TracedAccess& access = *event.access;
    Identity identity{access.core, access.kind, access.write, access.target, event.begin, 0};
    identity.count = counts[identity]++;
    named.push_back({event, identity});
  }
  return named;
}

int rank_on(const RunRecord& record, int core) {
  const auto found = std::ranges::find(record.ues, core, &UeRecord::core);
  return found == record.ues.end() ? -1 : static_cast<int>(found - record.ues.begin());
}

std::string core_name(const RunRecord& record, int core) {
  const int rank = rank_on(record, core);
  return rank < 0 ? fmt::format("core {:02d}", core) : fmt::format("rank {} (core {:02d})", rank, core);
}

std::string place_text(const TracedAccess& access, const RunRecord& record) {
  if (access.kind == Kind::counter) return fmt::format("atomic counter {}", access.target);
  if (on_lock(access.kind)) return fmt::format("the lock of {}", core_name(record, access.target));
  if (access.target == mesh::shared_memory)
    return fmt::format("{} at offset {} of shared memory", mesh::counted(access.bytes, "byte"),
                       access.offset);
  return fmt::format("{} at offset {} of the buffer of {}", mesh::counted(access.bytes, "byte"),
                     access.offset, core_name(record, access.target));
}

const char* deed(const TracedAccess& access) {
  switch (access.kind) {
  case Kind::put:
  case Kind::store:
  case Kind::update:
    return "writes";
  case Kind::get:
  case Kind::load:
    return "reads";
  case Kind::wait:
    return "sees what it waits for in";
  case Kind::look:
    return access.done ? "sees what it waits for in" : "finds nothing yet in";
  case Kind::lock_try:
    return "takes";
  case Kind::lock_release:
    return "releases";
  case Kind::counter:
    return access.write ? "changes" : "reads";
  }
  return "accesses";
}

std::string access_text(const TracedAccess& access, const RunRecord& record) {
  std::string text = core_name(record, access.core) + ": ";
  const std::string& call = record.names[access.call];
  text += call.empty() ? "in the program's own code" : call;
  if (access.code != 0)
    text += ", " + host::describe_offsets(record.program, {static_cast<std::uintptr_t>(access.code)}).front();
  if (access.peer >= 0) text += fmt::format(" with rank {}", access.peer);
  if (access.message_bytes > 0) text += ", " + mesh::counted(access.message_bytes, "byte");
  text += fmt::format(": {} {}", deed(access), place_text(access, record));
  const std::string& flag = record.names[access.flag];
  return flag.empty() ? text : text + fmt::format(" (flag {})", flag);
}

std::string time_text(const TracedAccess* access) {
  return access == nullptr ? "never" : "at " + run::microseconds(access->at);
}

} // namespace

std::optional<Swap> find_swap(const RunRecord& run, const RunRecord& other) {
  struct UnmatchedEvent { // not yet seen in the other run
    const Named* named;
    std::size_t position;
  };
  const std::vector<Named> ours = named_events(run), theirs = named_events(other);
  std::map<Identity, std::size_t> positions;
  std::map<AccessedLine, std::list<UnmatchedEvent>> open; // in our order
  std::map<Identity, std::list<UnmatchedEvent>::iterator> entries;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    positions[ours[i].identity] = i;
    auto& list = open[ours[i].event.place];
    entries[ours[i].identity] = list.insert(list.end(), {&ours[i], i});
  }
  for (const Named& second : theirs) {
    const auto found = positions.find(second.identity);
    if (found == positions.end()) continue;
    auto& list = open[second.event.place];
    for (const UnmatchedEvent& candidate : list) {
      if (candidate.position >= found->second) break;
      const Named& first = *candidate.named;
      if (!conflict(first.event, ours[found->second].event)) continue;
      const auto later = std::ranges::find(theirs, first.identity, &Named::identity);
      return Swap{first.event.access, ours[found->second].event.access,
                  later == theirs.end() ? nullptr : later->event.access, second.event.access};
    }
    list.erase(entries.at(second.identity));
  }
  return std::nullopt;
}

std::optional<Swap> swap_of(const mesh::Hold& order, const RunRecord& run, const RunRecord& other) {
  const auto in = [](const RunRecord& record, int core, std::uint64_t number) {
    const auto found = std::ranges::find_if(record.trace, [&](const TracedAccess& access) {
      return access.core == core && access.number == number;
    });
    return found == record.trace.end() ? nullptr : &*found;
  };
  const Swap swap{in(run, order.core, order.access), in(run, order.other, order.other_access),
                  in(other, order.core, order.access), in(other, order.other, order.other_access)};
  if (swap.first == nullptr || swap.second == nullptr) return std::nullopt;
  return swap;
}

std::string swap_text(const Swap& swap, const RunRecord& run, const std::string& run_name,
                      const std::string& name) {
  return fmt::format("the first accesses that swapped:\n"
                     "  {}\n    {} first, {}; {} {}\n"
                     "  {}\n    {} second, {}; {} {}\n",
                     access_text(*swap.first, run), run_name, time_text(swap.first), name,
                     time_text(swap.first_in_other), access_text(*swap.second, run), run_name,
                     time_text(swap.second), name, time_text(swap.second_in_other));
}

} // namespace rcce::explore
