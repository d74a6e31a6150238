#include "run/report.hpp"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <optional>

namespace rcce::run {
namespace {

/// Ranks of a cycle that are named in its line; the rest is counted.
constexpr std::size_t named_in_cycle = 12;
/// Cycles, mismatches and the like that are told, each kind.
constexpr std::size_t told_of_a_kind = 8;

/// What a UE is in the middle of: by its call, or where that does both by the flag it waits for.
bool receives(const UeView& ue) {
  return ue.activity.traits.receives || ue.flag == "sent";
}
bool sends(const UeView& ue) {
  return ue.activity.traits.sends || ue.flag == "ready";
}

std::string size_text(std::size_t bytes) {
  return bytes == 1 ? "1 byte" : fmt::format("{} bytes", bytes);
}

bool is_finalize(const UeView& ue) {
  return ue.activity.traits.ends;
}

/// Who writes the flag that a UE waits for, where that is known and not its peer; else -1.
int writer_of_flag(const UeView& ue) {
  return ue.flag_rank == ue.rank || ue.flag_rank == ue.activity.peer ? -1 : ue.flag_rank;
}

/// Whom a waiting UE waits for; -1 where that is nobody in particular.
int waits_for(const UeView& ue) {
  if (ue.state == UeView::State::polling) return ue.flag_rank;
  if (ue.state != UeView::State::waiting || ue.awaits_any) return -1;
  if (ue.lock_core >= 0) return ue.lock_holder;
  if (ue.missing >= 0) return ue.missing;
  return writer_of_flag(ue) >= 0 ? writer_of_flag(ue) : ue.activity.peer;
}

/// "any of: iRCCE_irecv from rank 1, 64 bytes; iRCCE_isend to rank 2, 64 bytes".
std::string awaited_text(const UeView& ue) {
  std::string text = ue.awaits_any ? "any of: " : "all of: ";
  for (std::size_t i = 0; i < std::min(ue.awaited.size(), named_in_cycle); ++i)
    text += (i > 0 ? "; " : "") + ue.awaited[i];
  if (ue.awaited.size() > named_in_cycle) text += fmt::format("; ... ({} in all)", ue.awaited.size());
  return text;
}

/// "RCCE_recv from rank 0, 8192 bytes, waiting for flag sent"; `peer` in the words of the group.
std::string position_text(const UeView& ue, const std::string& peer) {
  std::string text = ue.activity.call.empty() ? "in the program's own code" : ue.activity.call;
  if (!ue.host_call.empty()) text = (ue.activity.call.empty() ? "in " : text + ", in ") + ue.host_call;
  if (ue.state == UeView::State::waiting && !ue.awaited.empty())
    return text + ", waiting for " + awaited_text(ue);
  if (ue.activity.peer >= 0)
    text += fmt::format(" {} {}", receives(ue) ? "from" : sends(ue) ? "to" : "with", peer);
  if (ue.activity.bytes > 0) text += ", " + size_text(ue.activity.bytes);
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

std::string since_text(Picoseconds first, Picoseconds last) {
  if (first == last) return fmt::format(" since {}", microseconds(first));
  return fmt::format(" since {:.3f} to {}", static_cast<double>(first) / mesh::picoseconds_per_microsecond,
                     microseconds(last));
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

/// The cycles of the graph "waits for", each begun at its lowest rank.
std::vector<std::vector<int>> cycles(const RunView& run) {
  const auto size = run.ues.size();
  std::vector<int> visit(size, -1); // number of the walk that came by
  std::vector<std::vector<int>> found;
  for (std::size_t start = 0; start < size; ++start) {
    std::vector<int> path;
    int at = static_cast<int>(start);
    while (at >= 0 && static_cast<std::size_t>(at) < size && visit[static_cast<std::size_t>(at)] < 0) {
      visit[static_cast<std::size_t>(at)] = static_cast<int>(start);
      path.push_back(at);
      at = waits_for(run.ues[static_cast<std::size_t>(at)]);
    }
    if (at < 0 || static_cast<std::size_t>(at) >= size ||
        visit[static_cast<std::size_t>(at)] != static_cast<int>(start))
      continue;
    std::vector<int> cycle(std::find(path.begin(), path.end(), at), path.end());
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    found.push_back(std::move(cycle));
  }
  return found;
}

std::string cycle_text(const RunView& run, const std::vector<int>& cycle) {
  if (cycle.size() == 1) {
    const UeView& ue = run.ues[static_cast<std::size_t>(cycle.front())];
    if (ue.lock_core >= 0) return fmt::format("  rank {} waits for a lock that it holds itself\n", ue.rank);
    return fmt::format(
        "  rank {} waits for itself: {} does not return before its counterpart is called, which the same "
        "rank cannot do\n",
        ue.rank, ue.activity.call.empty() ? "the call" : ue.activity.call);
  }
  std::string text = fmt::format("  cycle: rank {}", cycle.front());
  for (std::size_t i = 1; i < std::min(cycle.size(), named_in_cycle); ++i)
    text += fmt::format(" -> {}", cycle[i]);
  if (cycle.size() > named_in_cycle) text += fmt::format(" -> ... ({} ranks)", cycle.size());
  return text + fmt::format(" -> {}\n", cycle.front());
}

std::string mismatch_line(int sender, std::size_t sent, int receiver, std::size_t received,
                          Picoseconds returned) {
  std::string text = fmt::format("  size mismatch: rank {} sends {} to rank {}, which receives {} from it",
                                 sender, size_text(sent), receiver, size_text(received));
  if (returned >= 0) text += fmt::format(" (that call has returned at {})", microseconds(returned));
  return text + '\n';
}

/// Of a UE that is stuck in a transfer: the other half with another size, under way or already completed.
std::optional<std::string> mismatch(const RunView& run, const UeView& ue) {
  if (ue.state != UeView::State::waiting || ue.activity.peer < 0 || ue.activity.peer == ue.rank ||
      static_cast<std::size_t>(ue.activity.peer) >= run.ues.size())
    return {};
  const UeView& peer = run.ues[static_cast<std::size_t>(ue.activity.peer)];
  const std::size_t mine = ue.activity.bytes;
  if (sends(ue)) {
    if (peer.state == UeView::State::waiting && receives(peer) && peer.activity.peer == ue.rank)
      return peer.activity.bytes == mine
          ? std::nullopt
          : std::optional(mismatch_line(ue.rank, mine, peer.rank, peer.activity.bytes, -1));
    if (peer.last_receive.peer == ue.rank && peer.last_receive.bytes != mine &&
        peer.last_receive.end > ue.activity.begin)
      return mismatch_line(ue.rank, mine, peer.rank, peer.last_receive.bytes, peer.last_receive.end);
  } else if (receives(ue) && !ue.activity.untouched) {
    // A peer that is still sending has been told from its side.
    if (peer.state == UeView::State::waiting && sends(peer) && peer.activity.peer == ue.rank) return {};
    if (peer.last_send.peer == ue.rank && peer.last_send.bytes != mine &&
        peer.last_send.end > ue.activity.begin)
      return fmt::format(
          "  size mismatch: rank {} receives {} from rank {}, which sent {} to it (that call has returned at "
          "{})\n",
          ue.rank, size_text(mine), peer.rank, size_text(peer.last_send.bytes),
          microseconds(peer.last_send.end));
  }
  return {};
}

bool waits_or_polls(const UeView& ue) {
  return ue.state == UeView::State::waiting || ue.state == UeView::State::polling;
}

/// Whether a UE waits in a barrier of the same group; of RCCE_finalize, whether it waits there or has ended.
bool has_come(const UeView& ue, const UeView& waiting) {
  if (is_finalize(waiting) && ue.state == UeView::State::ended) return true;
  return waits_or_polls(ue) && ue.members == waiting.members &&
      is_finalize(ue) == is_finalize(waiting);
}

std::vector<int> missing_members(const RunView& run, const UeView& waiting) {
  std::vector<int> missing;
  for (const int member : waiting.members)
    if (member >= 0 && static_cast<std::size_t>(member) < run.ues.size() &&
        !has_come(run.ues[static_cast<std::size_t>(member)], waiting))
      missing.push_back(member);
  return missing;
}

/// Who has not come to a barrier that others wait in; each barrier once.
std::string missing_text(const RunView& run) {
  std::string text;
  std::vector<const UeView*> told;
  for (const UeView& ue : run.ues) {
    if (!waits_or_polls(ue) || ue.members.empty() || told.size() >= told_of_a_kind) continue;
    if (std::ranges::any_of(told, [&](const UeView* other) { return has_come(ue, *other); })) continue;
    told.push_back(&ue);
    const std::vector<int> missing = missing_members(run, ue);
    if (missing.empty()) continue;
    text += fmt::format("  {} waits for {}, which {} not come to it\n", ue.activity.call, rank_list(missing),
                        missing.size() == 1 ? "has" : "have");
  }
  return text;
}

std::string end_text(const UeView& ue) {
  if (ue.signal != 0) return fmt::format("ended by signal {} ({})", ue.signal, signal_name(ue.signal));
  return fmt::format("ended with status {}", ue.status);
}

/// UEs that have ended although others still wait for them.
std::string ended_peers_text(const RunView& run) {
  std::string text;
  std::size_t told = 0;
  for (const UeView& ended : run.ues) {
    if (ended.state != UeView::State::ended) continue;
    std::vector<int> waiting;
    for (const UeView& ue : run.ues)
      if (ue.rank != ended.rank && waits_for(ue) == ended.rank) waiting.push_back(ue.rank);
    if (waiting.empty() || told++ >= told_of_a_kind) continue;
    text +=
        fmt::format("  {} {} at {}; {} still {} for it\n", place_name(ended), end_text(ended),
                    microseconds(ended.clock), rank_list(waiting), waiting.size() == 1 ? "waits" : "wait");
  }
  return text;
}

std::string positions_text(const RunView& run, UeView::State state) {
  std::vector<const UeView*> ues;
  for (const UeView& ue : run.ues)
    if (ue.state == state) ues.push_back(&ue);
  std::string text;
  for (const Group& group : group_positions(ues, static_cast<int>(run.ues.size()))) text += group_text(group);
  return text;
}

std::string causes_text(const RunView& given) {
  RunView run = given;
  for (UeView& ue : run.ues)
    if (const std::vector<int> missing = missing_members(given, ue); !missing.empty())
      ue.missing = missing.front();
  std::string text;
  std::size_t told = 0;
  for (const std::vector<int>& cycle : cycles(run))
    if (told++ < told_of_a_kind) text += cycle_text(run, cycle);
  told = 0;
  for (const UeView& ue : run.ues)
    if (const auto line = mismatch(run, ue); line && told++ < told_of_a_kind) text += *line;
  return text + missing_text(run) + ended_peers_text(run);
}

std::size_t count(const RunView& run, UeView::State state) {
  return static_cast<std::size_t>(
      std::count_if(run.ues.begin(), run.ues.end(), [state](const UeView& ue) { return ue.state == state; }));
}

/// "1 of 3 UEs polls what stays as it is, 2 wait".
std::string stuck_text(const RunView& run) {
  const std::size_t waiting = count(run, UeView::State::waiting);
  const std::size_t polling = count(run, UeView::State::polling);
  const auto verb = [](std::size_t n, const char* base) { return base + std::string(n == 1 ? "s" : ""); };
  if (polling == 0) return fmt::format("{} of {} UEs {}", waiting, run.ues.size(), verb(waiting, "wait"));
  std::string text =
      fmt::format("{} of {} UEs {} what stays as it is", polling, run.ues.size(), verb(polling, "poll"));
  if (waiting > 0) text += fmt::format(", {} {}", waiting, verb(waiting, "wait"));
  return text;
}

std::string stuck_positions_text(const RunView& run) {
  return positions_text(run, UeView::State::polling) + positions_text(run, UeView::State::waiting);
}

Picoseconds latest(const RunView& run) {
  Picoseconds time = 0;
  for (const UeView& ue : run.ues) time = std::max(time, ue.clock);
  return time;
}

} // namespace

std::string microseconds(Picoseconds time) {
  return fmt::format("{:.3f} us", static_cast<double>(time) / mesh::picoseconds_per_microsecond);
}

std::string rank_list(const std::vector<int>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    if (i > 0) text += ", ";
    text += fmt::format("{}", ranks[i]);
    if (end - i == 2) text += fmt::format(", {}", ranks[i + 1]);
    if (end - i > 2) text += fmt::format("-{}", ranks[end - 1]);
    i = end;
  }
  return text;
}

std::string place_name(const UeView& ue) {
  return fmt::format("rank {} (core {:02d}, tile {})", ue.rank, ue.core, ue.tile);
}

std::string mismatch_text(int sender, std::size_t sent, int receiver, std::size_t received) {
  return fmt::format("size mismatch: rank {} sends {} to rank {}, which receives {} from it", sender,
                     size_text(sent), receiver, size_text(received));
}

std::string deadlock_text(const RunView& run) {
  return fmt::format("rccerun: deadlock at {}: {} and none of them can ever go on\n",
                     microseconds(latest(run)), stuck_text(run)) +
      stuck_positions_text(run) + causes_text(run);
}

std::string suspicion_text(const RunView& run) {
  return fmt::format("rccerun: perhaps a deadlock, at {} of {} time: {}, and nothing else has happened for "
                     "long; the run goes on, --timeout sets it a limit\n",
                     microseconds(latest(run)), run.host_time ? "host" : "simulated", stuck_text(run)) +
      stuck_positions_text(run) + causes_text(run);
}

std::string state_text(const RunView& run, const std::string& cause) {
  std::string text = fmt::format("rccerun: the run was ended by {} at {} of {} time\n", cause,
                                 microseconds(latest(run)), run.host_time ? "host" : "simulated");
  text += positions_text(run, UeView::State::running) + positions_text(run, UeView::State::waiting);
  std::vector<int> ended;
  for (const UeView& ue : run.ues)
    if (ue.state == UeView::State::ended) ended.push_back(ue.rank);
  if (!ended.empty()) text += fmt::format("  {}: ended\n", rank_list(ended));
  return text + causes_text(run);
}

std::string crash_text(const CrashView& crash) {
  const UeView& ue = crash.ue;
  std::string text =
      fmt::format("rccerun: {} crashed at {}: {}\n", place_name(ue), microseconds(ue.clock), crash.what);
  if (!ue.activity.call.empty())
    text += fmt::format("  during {}\n", position_text(ue, fmt::format("rank {}", ue.activity.peer)));
  for (std::size_t i = 0; i < crash.places.size(); ++i)
    text += fmt::format("  {} {}\n", i == 0 ? "in" : "called from", crash.places[i]);
  text += crash.ends_run
      ? fmt::format("  the run is ended with status {}; with --keep-going only this rank is\n",
                    128 + crash.signal)
      : fmt::format("  this rank is ended with status {}, the others go on\n", 128 + crash.signal);
  return text;
}

std::string silence_text(const UeView& ue, int host_seconds, const std::string& place, bool loops_yield) {
  std::string text =
      fmt::format("rccerun: {} has not called the library for {} s of host time; it is at {} of simulated "
                  "time",
                  place_name(ue), host_seconds, microseconds(ue.clock));
  if (!place.empty()) text += ", in " + place;
  text += ", and no other rank can run meanwhile";
  if (!loops_yield)
    text += "; if it waits there for another rank's store, compile with clang (rccecc's default) or with "
            "rccecc --spin-hooks";
  return text + "\n";
}

std::string signal_name(int signal) {
  switch (signal) {
  case SIGSEGV:
    return "segmentation fault";
  case SIGBUS:
    return "bus error";
  case SIGFPE:
    return "arithmetic error";
  case SIGILL:
    return "illegal instruction";
  case SIGABRT:
    return "aborted";
  case SIGINT:
    return "interrupted";
  case SIGTERM:
    return "terminated";
  case SIGHUP:
    return "hang-up";
  case SIGKILL:
    return "killed";
  case SIGALRM:
    return "alarm clock";
  case SIGPIPE:
    return "broken pipe";
  default:
    return fmt::format("signal {}", signal);
  }
}

} // namespace rcce::run
