// SPDX-License-Identifier: Apache-2.0
#include "process/run/positions.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "mesh_sim/counted.hpp"
#include "mesh_sim/observe/call_traits.hpp"

namespace rcce::run {

bool receives(const UeView& ue) {
  return has(ue.activity.traits, mesh::CallTraits::receives) || ue.flag == "sent";
}
bool sends(const UeView& ue) {
  return has(ue.activity.traits, mesh::CallTraits::sends) || ue.flag == "ready";
}

int writer_of_flag(const UeView& ue) {
  return ue.flag_rank == ue.rank || ue.flag_rank == ue.activity.peer ? -1 : ue.flag_rank;
}

namespace {

/// "any of: iRCCE_irecv from rank 1, 64 bytes; iRCCE_isend to rank 2, 64 bytes".
std::string awaited_text(const UeView& ue) {
  std::string text = ue.awaits_any ? "any of: " : "all of: ";
  for (std::size_t i = 0; i < std::min(ue.awaited.size(), named_in_line); ++i)
    text += (i > 0 ? "; " : "") + ue.awaited[i];
  if (ue.awaited.size() > named_in_line) text += fmt::format("; ... ({} in all)", ue.awaited.size());
  return text;
}

} // namespace

std::string position_text(const UeView& ue, const std::string& peer) {
  std::string text = ue.activity.call.empty() ? "in the program's own code" : ue.activity.call;
  if (!ue.host_call.empty()) text = (ue.activity.call.empty() ? "in " : text + ", in ") + ue.host_call;
  if (ue.state == UeView::State::waiting && !ue.awaited.empty())
    return text + ", waiting for " + awaited_text(ue);
  if (ue.activity.peer >= 0)
    text += fmt::format(" {} {}", receives(ue) ? "from" : sends(ue) ? "to" : "with", peer);
  if (ue.activity.bytes > 0) text += ", " + mesh::counted(ue.activity.bytes, "byte");
  if (ue.state == UeView::State::polling) {
    text += fmt::format(", polls {}", ue.flag);
    if (ue.flag_owner >= 0) text += fmt::format(" of rank {}", ue.flag_owner);
    text += ue.for_good ? ", which nobody can change any more" : ", which has stayed as it is";
    return ue.place.empty() ? text : text + ", " + ue.place;
  }
  if (ue.state != UeView::State::waiting) return ue.place.empty() ? text : text + ", " + ue.place;
  if (ue.lock_core >= 0) {
    text += fmt::format(", waiting for the lock of core {:02d}", ue.lock_core);
    if (ue.lock_holder >= 0) text += fmt::format(", held by rank {}", ue.lock_holder);
    return text;
  }
  if (!ue.word.empty()) return text + ", waiting for " + ue.word;
  text += ue.flag.empty() ? ", waiting for a flag" : fmt::format(", waiting for flag {}", ue.flag);
  if (writer_of_flag(ue) >= 0) text += fmt::format(" from rank {}", writer_of_flag(ue));
  return text;
}

namespace {

std::string since_text(Picoseconds first, Picoseconds last) {
  if (first == last) return fmt::format(" since {}", microseconds(first));
  return fmt::format(" since {:.3f} to {}", mesh::microseconds(first), microseconds(last));
}

/// UEs in the same position, told in one line.
struct Group {
  std::vector<const UeView*> members;
  std::string position;
};

std::string group_text(const Group& group) {
  std::vector<int> ranks;
  Picoseconds first = group.members.front()->since, last = first;
  for (const UeView* ue : group.members) {
    ranks.push_back(ue->rank);
    first = std::min(first, ue->since);
    last = std::max(last, ue->since);
  }
  std::string who = group.members.size() == 1 ? place_name(*group.members.front()) : rank_list(ranks);
  std::string text = fmt::format("  {}: {}", who, group.position);
  const UeView& one = *group.members.front();
  if (one.state != UeView::State::running || !one.host_call.empty()) text += since_text(first, last);
  if (one.or_later) text += " or later";
  return text + '\n';
}

/// Distance from a UE to its peer around the ring of ranks, 0 where there is none.
int distance(const UeView& ue, int size) {
  if (ue.activity.peer < 0 || writer_of_flag(ue) >= 0) return 0;
  return (ue.activity.peer - ue.rank + size) % size;
}

std::string distance_name(int distance, int size) {
  if (distance == 1) return "the next rank";
  if (distance == size - 1) return "the rank before";
  return distance <= size / 2 ? fmt::format("rank + {}", distance)
                              : fmt::format("rank - {}", size - distance);
}

/// Identical positions grouped: first those that name the same peer, then what is left by the distance to the
/// peer.
std::vector<Group> group_positions(const std::vector<const UeView*>& ues, int size) {
  std::vector<Group> groups;
  const auto add = [&groups](const UeView* ue, std::string position) {
    for (Group& group : groups) {
      if (group.position == position) {
        group.members.push_back(ue);
        return;
      }
    }
    groups.push_back({{ue}, std::move(position)});
  };
  for (const UeView* ue : ues) add(ue, position_text(*ue, fmt::format("rank {}", ue->activity.peer)));

  // A ring: every UE names another peer, at the same distance.
  std::vector<Group> absolute = std::move(groups);
  groups.clear();
  for (Group& group : absolute) {
    const UeView* only = group.members.front();
    const int step = distance(*only, size);
    std::size_t alike = 0;
    std::string position;
    if (group.members.size() == 1 && step != 0) {
      position = position_text(*only, distance_name(step, size));
      for (const Group& other : absolute)
        if (other.members.size() == 1 && distance(*other.members.front(), size) == step &&
            position_text(*other.members.front(), distance_name(step, size)) == position)
          ++alike;
    }
    if (alike >= 3)
      add(only, std::move(position));
    else
      groups.push_back(std::move(group));
  }
  return groups;
}

} // namespace

std::string positions_text(const RunView& run, UeView::State state) {
  std::vector<const UeView*> ues;
  for (const UeView& ue : run.ues)
    if (ue.state == state) ues.push_back(&ue);
  std::string text;
  for (const Group& group : group_positions(ues, static_cast<int>(run.ues.size()))) text += group_text(group);
  return text;
}

} // namespace rcce::run
