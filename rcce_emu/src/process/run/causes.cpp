// SPDX-License-Identifier: Apache-2.0
#include "process/run/causes.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <vector>

#include "mesh_sim/counted.hpp"
#include "mesh_sim/observe/call_traits.hpp"
#include "process/run/positions.hpp"

namespace rcce::run {
namespace {

/// Cycles, mismatches and the like that are told, each kind.
constexpr std::size_t told_of_a_kind = 8;

bool is_finalize(const UeView& ue) {
  return has(ue.activity.traits, mesh::CallTraits::ends);
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
  for (std::size_t i = 1; i < std::min(cycle.size(), named_in_line); ++i)
    text += fmt::format(" -> {}", cycle[i]);
  if (cycle.size() > named_in_line) text += fmt::format(" -> ... ({} ranks)", cycle.size());
  return text + fmt::format(" -> {}\n", cycle.front());
}

std::string mismatch_line(int sender, std::size_t sent, int receiver, std::size_t received,
                          Picoseconds returned) {
  std::string text =
      fmt::format("  size mismatch: rank {} sends {} to rank {}, which receives {} from it", sender,
                  mesh::counted(sent, "byte"), receiver, mesh::counted(received, "byte"));
  if (returned >= 0) text += fmt::format(" (that call has returned at {})", microseconds(returned));
  return text + '\n';
}

/// For a UE that is stuck in a transfer: the other half with another size, under way or already completed.
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
          ue.rank, mesh::counted(mine, "byte"), peer.rank, mesh::counted(peer.last_send.bytes, "byte"),
          microseconds(peer.last_send.end));
  }
  return {};
}

bool waits_or_polls(const UeView& ue) {
  return ue.state == UeView::State::waiting || ue.state == UeView::State::polling;
}

/// True if a UE waits in a barrier of the same group. For RCCE_finalize also true if it has ended.
bool has_come(const UeView& ue, const UeView& waiting) {
  if (is_finalize(waiting) && ue.state == UeView::State::ended) return true;
  return waits_or_polls(ue) && ue.members == waiting.members && is_finalize(ue) == is_finalize(waiting);
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
    std::vector<int> missing = missing_members(run, ue);
    // A call of all that ends in a barrier: a member can be in it, and still wait for its message.
    std::erase_if(missing, [&](int rank) {
      const UeView& other = run.ues[static_cast<std::size_t>(rank)];
      const bool inside = other.state == UeView::State::waiting && other.activity.call == ue.activity.call &&
          other.activity.peer >= 0;
      if (inside)
        text += fmt::format(
            "  {} waits for rank {}, which is in it and waits for rank {}'s message: another receive of rank "
            "{} may have taken that\n",
            ue.activity.call, rank, other.activity.peer, rank);
      return inside;
    });
    if (missing.empty()) continue;
    const bool of_all = ue.members.size() == run.ues.size();
    text += fmt::format("  {}{} waits for {}, which {} not come to it\n", ue.activity.call,
                        of_all ? "" : " of " + rank_list(ue.members), rank_list(missing),
                        missing.size() == 1 ? "has" : "have");
  }
  return text;
}

/// Messages to or from a UE that waits in a barrier or another call of all.
std::string elsewhere_text(const RunView& run) {
  std::string text;
  std::size_t told = 0;
  for (const UeView& ue : run.ues) {
    const int peer = ue.activity.peer;
    if (ue.state != UeView::State::waiting || !ue.members.empty() || peer < 0 || peer == ue.rank) continue;
    if (static_cast<std::size_t>(peer) >= run.ues.size()) continue;
    const UeView& other = run.ues[static_cast<std::size_t>(peer)];
    if (!waits_or_polls(other) || other.members.empty() || told++ >= told_of_a_kind) continue;
    text += fmt::format("  {} of rank {} waits for rank {}, which is in {}\n", ue.activity.call, ue.rank,
                        peer, other.activity.call);
  }
  return text;
}

/// Why the call of a waiting UE leaves sends unfinished that it does not wait for; null where it advances
/// them.
const char* advances_too_little(const UeView& ue) {
  const std::string_view call = ue.activity.call;
  if (call.starts_with("iRCCE_wait_a")) {
    const auto sending = [](const std::string& one) { return one.find("send") != std::string::npos; };
    return sends(ue) || std::ranges::any_of(ue.awaited, sending)
        ? nullptr
        : "advances only the requests of its list; add that one, or wait for it before";
  }
  const bool blocking = call == "iRCCE_barrier" || (call.starts_with("RCCE_") && !call.ends_with("_wait"));
  return blocking ? "advances no requests; wait for it before" : nullptr;
}

/// Messages that a UE has posted, another waits for, and the present call of the first does not advance.
std::string not_advanced_text(const RunView& run) {
  std::string text;
  std::size_t told = 0;
  for (const UeView& ue : run.ues) {
    const int peer = ue.activity.peer;
    if (!waits_or_polls(ue) || !receives(ue) || peer < 0 || peer == ue.rank) continue;
    if (static_cast<std::size_t>(peer) >= run.ues.size()) continue;
    const UeView& sender = run.ues[static_cast<std::size_t>(peer)];
    const char* const lack = sender.state == UeView::State::waiting ? advances_too_little(sender) : nullptr;
    const auto posted = std::ranges::find(sender.posted_sends, ue.rank, &TransferView::peer);
    if (lack == nullptr || posted == sender.posted_sends.end() || told++ >= told_of_a_kind) continue;
    text += fmt::format("  rank {} waits for {} of rank {}, {}, which is unfinished: {} {}\n", ue.rank,
                        posted->call, peer, mesh::counted(posted->bytes, "byte"), sender.activity.call, lack);
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

} // namespace

int waits_for(const UeView& ue) {
  if (ue.state == UeView::State::polling) return ue.flag_rank;
  if (ue.state != UeView::State::waiting || ue.awaits_any) return -1;
  if (ue.lock_core >= 0) return ue.lock_holder;
  if (ue.missing >= 0) return ue.missing;
  return writer_of_flag(ue) >= 0 ? writer_of_flag(ue) : ue.activity.peer;
}

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

RunView with_missing(RunView run) {
  for (UeView& ue : run.ues)
    if (const std::vector<int> missing = missing_members(run, ue); !missing.empty())
      ue.missing = missing.front();
  return run;
}

std::string causes_text(const RunView& given) {
  const RunView run = with_missing(given);
  std::string text;
  std::size_t told = 0;
  for (const std::vector<int>& cycle : cycles(run))
    if (told++ < told_of_a_kind) text += cycle_text(run, cycle);
  told = 0;
  for (const UeView& ue : run.ues)
    if (const auto line = mismatch(run, ue); line && told++ < told_of_a_kind) text += *line;
  for (const UeView& ue : run.ues)
    if (!ue.unlike.empty() && text.find(ue.unlike) == std::string::npos)
      text += fmt::format("  {}\n", ue.unlike);
  return text + missing_text(run) + elsewhere_text(run) + not_advanced_text(run) + ended_peers_text(run);
}

} // namespace rcce::run
