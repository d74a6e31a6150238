// SPDX-License-Identifier: Apache-2.0
#include "process/run/unfinished.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "engine/ue/job_state.hpp"
#include "mesh_sim/observe/matrix.hpp"
#include "mesh_sim/observe/observers.hpp"
#include "mesh_sim/observe/statistics.hpp"
#include "process/process.hpp"
#include "process/run/causes.hpp"
#include "process/run/positions.hpp"
#include "process/run/run_view.hpp"

namespace rcce::run {
namespace {

/// The calls of a UE whose context is still there. Machine and library add up what has ended by themselves.
void close_calls(Ue& ue, Picoseconds end) {
  if (ue.times == nullptr) return;
  for (const Activity* one = &ue.activity; one != nullptr && one->call != nullptr; one = one->outer) {
    const int kind = ue.observers->call_kind(one->call);
    const auto numbers = static_cast<std::size_t>(kind) + 1;
    if (ue.times->calls.size() < numbers) ue.times->calls.resize(numbers);
    ue.times->not_returned(kind, std::max(end, one->since) - one->since);
  }
}

/// The message that its present call passes, where that is one, and those of its non-blocking calls.
std::vector<OpenMessage> open_messages(const Ue& ue, const UeView& view) {
  std::vector<OpenMessage> open;
  const Activity& now = ue.activity;
  if (view.state != UeView::State::ended && now.call != nullptr && now.peer >= 0 && view.awaited.empty() &&
      (sends(view) || receives(view)))
    open.push_back({sends(view), now.peer, now.bytes, now.since, now.call});
  if (ue.library == nullptr) return open;
  bool of_request = !open.empty(); // a call that waits for a request has that one's message
  for (const OpenMessage& one : ue.library->open_messages())
    if (of_request && open.front().sends == one.sends && open.front().peer == one.peer)
      of_request = false;
    else
      open.push_back(one);
  return open;
}

} // namespace

std::vector<mesh::Unfinished> close_unfinished(Job& job, const JobResult& result) {
  Engine& engine = job.engine();
  std::vector<Picoseconds> asleep(static_cast<std::size_t>(engine.cores()), -1);
  std::vector<int> targets(asleep.size(), -1);
  for (const BlockedCore& one : engine.blocked()) {
    const auto core = static_cast<std::size_t>(one.core);
    const bool by_clock = !engine.wall_clock() && engine.is_here(one.core);
    asleep[core] = by_clock ? engine.core(one.core).now() : one.since;
    targets[core] = one.waits_on_core;
  }
  const std::vector<bool> at_rest = engine.at_rest();
  std::vector<mesh::Unfinished> all;
  for (const UeResult& one : result.ues) {
    Ue& ue = job.ue(one.rank);
    const auto core = static_cast<std::size_t>(one.core);
    // Whoever has ended the run by a crash has never left its context.
    const bool crashed = one.ended && !at_rest[core] && ue.process->signal != 0;
    if (one.ended && ue.activity.call == nullptr && !crashed) continue;
    const bool waits = !one.ended && asleep[core] >= 0;
    const Picoseconds end = one.ended ? one.end : result.end;
    all.push_back({one.core, waits, crashed, targets[core], waits ? asleep[core] : one.end, end});
    if (!one.ended || crashed) close_calls(ue, end);
  }
  return all;
}

std::vector<UnfinishedUe> unfinished_ues(Job& job, Outcome outcome) {
  const RunView run = with_missing(outcome == Outcome::deadlock ? view_polling_run(job) : view_run(job));
  std::set<int> in_cycles;
  for (const std::vector<int>& cycle : cycles(run)) in_cycles.insert(cycle.begin(), cycle.end());
  std::vector<UnfinishedUe> all;
  for (const UeView& ue : run.ues) {
    if (ue.state == UeView::State::ended) continue;
    const bool waits = ue.state != UeView::State::running;
    all.push_back({ue.rank, waits, waits ? ue.since : ue.clock, waits_for(ue), in_cycles.contains(ue.rank),
                   position_text(ue, fmt::format("rank {}", ue.activity.peer))});
  }
  return all;
}

std::vector<UnfinishedMessage> unfinished_messages(Job& job, const JobResult& result) {
  const RunView run = view_run(job);
  std::vector<UnfinishedMessage> all;
  std::set<std::pair<int, int>> sent;
  for (const bool sending : {true, false})
    for (const UeResult& one : result.ues)
      for (const OpenMessage& message :
           open_messages(job.ue(one.rank), run.ues[static_cast<std::size_t>(one.rank)])) {
        if (message.sends != sending) continue;
        const std::pair pair =
            sending ? std::pair(one.rank, message.peer) : std::pair(message.peer, one.rank);
        if (sending)
          sent.insert(pair);
        else if (sent.contains(pair))
          continue;
        all.push_back({pair.first, pair.second, message.bytes, sending, message.begin, message.call});
      }
  return all;
}

void report_unfinished(mesh::Statistics& to, const std::vector<UnfinishedMessage>& messages) {
  struct Sum {
    double messages = 0, bytes = 0;
  };
  std::map<std::pair<int, int>, Sum> sums;
  for (const UnfinishedMessage& one : messages) {
    if (!one.sent) continue;
    Sum& sum = sums[{one.sender, one.receiver}];
    ++sum.messages;
    sum.bytes += static_cast<double>(one.bytes);
  }
  for (const auto& [pair, sum] : sums) {
    const mesh::Labels labels{{"sender", fmt::format("{}", pair.first)},
                              {"receiver", fmt::format("{}", pair.second)}};
    add(to, mesh::pair_unfinished, labels, sum.messages);
    add(to, mesh::pair_bytes_unfinished, labels, sum.bytes);
  }
}

} // namespace rcce::run
