// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/livelock.hpp"

#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

#include "engine/ue/job_state.hpp"
#include "mesh_sim/observe/call_traits.hpp"
#include "process/process.hpp"
#include "process/run/run_view.hpp"

namespace rcce::protocol {
namespace {

/// Stretches of calls without progress that are worth a word: some 17 million calls.
constexpr unsigned suspicious_stretches = 16;

/// A number that changes when the UE comes further.
std::uint64_t mark_of(const Ue& ue, int ended) {
  const auto time = [](const Completed& transfer) { return static_cast<std::uint64_t>(transfer.end); };
  std::uint64_t mark = static_cast<std::uint64_t>(ended);
  for (const std::uint64_t part : {time(ue.last_send), time(ue.last_receive), ue.process->written})
    mark = (mark ^ part) * 0x9fb21c651e98df25u;
  return mark;
}

bool comes_further(const Activity& activity) {
  const std::string_view call = activity.call == nullptr ? "" : activity.call;
  return has(activity.traits, mesh::CallTraits::collective | mesh::CallTraits::computes) ||
      call == "RCCE_wtime";
}

} // namespace

void consider_livelock(Library& library) {
  Ue& ue = library.ue;
  Job& job = *ue.job;
  Progress& progress = ue.progress;
  progress.consider_at = ue.calls.load(std::memory_order_relaxed) + Progress::calls_between;
  if (ue.polling.in_streak(ue.calls.load(std::memory_order_relaxed))) return; // a matter of protocol/polling
  int ended = 0;
  for (int rank = 0; rank < job.size(); ++rank) ended += job.ue(rank).process->ended ? 1 : 0;
  const std::uint64_t mark = mark_of(ue, ended);
  if (mark != progress.mark || comes_further(ue.activity)) {
    progress.mark = mark;
    progress.stretches.store(0, std::memory_order_relaxed);
    return;
  }
  progress.stretches.store(progress.stretches.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  const std::vector<bool> at_rest = job.engine().at_rest();
  for (int rank = 0; rank < job.size(); ++rank) {
    const Ue& other = job.ue(rank);
    if (!at_rest[static_cast<std::size_t>(other.core->id())] &&
        other.progress.stretches.load(std::memory_order_relaxed) < suspicious_stretches &&
        !other.polling.in_streak(other.calls.load(std::memory_order_relaxed)))
      return;
  }
  suspect_livelock(job);
}

void suspect_livelock(Job& job) {
  if (job.suspects_polling()) return;
  const OutsideUe outside; // what the report calls is not done by the UE, whose calls are counted
  const std::string text = run::livelock_report(job);
  static_cast<void>(syscall(SYS_write, 2, text.data(), text.size()));
}

} // namespace rcce::protocol
