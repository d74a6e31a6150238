// SPDX-License-Identifier: Apache-2.0
#include "process/run/report.hpp"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>

#include "mesh_sim/counted.hpp"
#include "process/run/causes.hpp"
#include "process/run/positions.hpp"
#include "rcce_emu/statuses.hpp"

namespace rcce::run {
namespace {

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

/// Those that could act, but for one that is asleep on the thread of all.
std::string held_text(const RunView& run) {
  const auto holder = std::ranges::find_if(run.ues, &UeView::holds_thread);
  if (holder == run.ues.end()) return {};
  std::vector<int> held;
  for (const UeView& ue : run.ues)
    if (ue.state == UeView::State::running && ue.host_call.empty()) held.push_back(ue.rank);
  if (held.empty()) return {};
  return fmt::format("  {} {} still because rank {} waits in the host: UEs take turns\n", rank_list(held),
                     held.size() == 1 ? "stands" : "stand", holder->rank);
}

Picoseconds latest(const RunView& run) {
  Picoseconds time = 0;
  for (const UeView& ue : run.ues) time = std::max(time, ue.clock);
  return time;
}

} // namespace

std::string microseconds(Picoseconds time) {
  return fmt::format("{:.3f} us", mesh::microseconds(time));
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
                     mesh::counted(sent, "byte"), receiver, mesh::counted(received, "byte"));
}

std::string deadlock_text(const RunView& run) {
  return fmt::format("rccerun: deadlock at {}: {} and none of them can ever go on\n",
                     microseconds(latest(run)), stuck_text(run)) +
      stuck_positions_text(run) + causes_text(run);
}

std::string suspicion_text(const RunView& run) {
  return fmt::format("rccerun: perhaps a deadlock, at {} of {} time: {}, and nothing else has happened for a "
                     "long time; the run goes on, and --timeout would limit it\n",
                     microseconds(latest(run)), run.host_time ? "host" : "simulated", stuck_text(run)) +
      stuck_positions_text(run) + causes_text(run);
}

std::string livelock_text(const RunView& run) {
  return fmt::format(
             "rccerun: perhaps a livelock, at {} of {} time: for millions of rounds no UE has sent or "
             "received a message, printed or ended; the run goes on, and --timeout would limit it\n",
             microseconds(latest(run)), run.host_time ? "host" : "simulated") +
      positions_text(run, UeView::State::running) + positions_text(run, UeView::State::waiting) +
      causes_text(run);
}

std::string state_text(const RunView& run, const std::string& cause) {
  std::string text = fmt::format("rccerun: the run was ended by {} at {} of {} time\n", cause,
                                 microseconds(latest(run)), run.host_time ? "host" : "simulated");
  text += positions_text(run, UeView::State::running) + positions_text(run, UeView::State::waiting);
  text += held_text(run);
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
      ? fmt::format("  the run is ended with status {}; --keep-going would end only this rank\n",
                    status_signal + crash.signal)
      : fmt::format("  this rank is ended with status {}, the others go on\n", status_signal + crash.signal);
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

std::string standstill_text(const UeView& ue, int host_seconds, const std::string& call) {
  return fmt::format("rccerun: {} has been blocked in {} for {} s of host time, and all others with it, "
                     "because UEs take turns; it is at {} of simulated time\n",
                     place_name(ue), call, host_seconds, microseconds(ue.clock));
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
    if (const char* name = sigabbrev_np(signal)) return fmt::format("SIG{}", name);
    return "a real-time signal";
  }
}

} // namespace rcce::run
