// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/polling.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <sys/syscall.h>
#include <unistd.h>

#include "engine/host/clock.hpp"
#include "engine/ue/job_state.hpp"
#include "library/protocol/facts.hpp"
#include "library/protocol/livelock.hpp"
#include "mesh_sim/kernel/poll.hpp"
#include "process/run/call_site.hpp"
#include "process/run/run_view.hpp"

namespace rcce::protocol {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;

/// Reads of a loop that are charged at once, where each round is not.
constexpr unsigned looks_at_once = 64;
/// At most about so many core cycles each: towards an alarm it goes in small steps.
constexpr unsigned cycles_of_look = 256;
/// Looks between two thoughts.
constexpr std::uint64_t looks_between = 2048;
/// Looks that a circle may consist of.
constexpr int longest_circle = 4096;
/// Looks in one streak that are worth a word although they may have a bound.
constexpr std::uint64_t suspicious_looks = std::uint64_t{1} << 24;
/// The same of plain memory, where a look stands for many reads.
constexpr std::uint64_t suspicious_memory_looks = suspicious_looks / 4;
/// Looks of the others then, where they are not at rest.
constexpr std::uint64_t others_looks = suspicious_looks / 16;
/// Host time for which UEs that are threads have to stand still.
constexpr std::int64_t quiet_nanoseconds = 3'000'000'000;

/// An odd multiplier of many bits, as hashes of integers have them.
constexpr std::uint64_t mixing = 0x9fb21c651e98df25;

/// A number for the state of all UEs, if none but the polling ones can act; otherwise nothing. Each step maps
/// numbers of 64 bits one to one, so states that differ in one UE have different numbers. States that differ
/// in several have the same number with a probability of about 2^-64; only then could a run that goes on be
/// reported as a deadlock.
std::optional<std::uint64_t> standstill(Job& job) {
  const std::vector<bool> at_rest = job.engine().at_rest();
  std::uint64_t all = 0;
  for (int rank = 0; rank < job.size(); ++rank) {
    const Ue& ue = job.ue(rank);
    const bool rests = at_rest[static_cast<std::size_t>(ue.core->id())];
    if (!rests && !ue.polling.in_streak(ue.calls.load(relaxed))) return {};
    const std::uint64_t at = rests ? ue.calls.load(relaxed) : ue.polling.streak.load(relaxed);
    all = (all ^ (2 * at + (rests ? 1 : 0))) * mixing;
    all ^= all >> 29;
  }
  return all;
}

/// True if each polling UE has shown that it goes round in a circle while the state of all was this one.
bool all_proven(Job& job, std::uint64_t proof) {
  const std::vector<bool> at_rest = job.engine().at_rest();
  for (int rank = 0; rank < job.size(); ++rank) {
    const Ue& ue = job.ue(rank);
    if (!at_rest[static_cast<std::size_t>(ue.core->id())] && ue.polling.proof.load(relaxed) != proof)
      return false;
  }
  return true;
}

void begin_again(Polling& polling, std::uint64_t attempt_at) {
  polling.phase = Polling::Phase::counting;
  polling.proof.store(0, relaxed);
  polling.attempt_at = attempt_at;
  polling.consider_at = polling.looks.load(relaxed) + looks_between;
}

/// For people, at once: the run goes on.
void suspect(Job& job) {
  const std::vector<bool> at_rest = job.engine().at_rest();
  for (int rank = 0; rank < job.size(); ++rank) {
    const Ue& ue = job.ue(rank);
    if (!at_rest[static_cast<std::size_t>(ue.core->id())] && ue.polling.proof.load(relaxed) == 0 &&
        ue.polling.looks.load(relaxed) < others_looks)
      return;
  }
  if (job.suspects_polling()) return;
  const OutsideUe outside; // what the report calls is not done by the UE, whose calls are counted
  const std::string text = run::suspicion_report(job);
  static_cast<void>(syscall(SYS_write, 2, text.data(), text.size()));
}

void conclude(Library& library, std::uint64_t standstill) {
  Ue& ue = library.ue;
  Job& job = *ue.job;
  const std::uint64_t proof = (standstill ^ run::shared_contents(library.engine)) | 1;
  // While it waited for the others' proof, one of them may have stored something past the library.
  if (ue.polling.phase == Polling::Phase::proven && ue.polling.proof.load(relaxed) != proof)
    return begin_again(ue.polling, ue.polling.looks.load(relaxed));
  ue.polling.proof.store(proof, relaxed);
  ue.polling.phase = Polling::Phase::proven;
  ue.polling.consider_at = ue.polling.looks.load(relaxed) + looks_between;
  if (!all_proven(job, proof)) return library.engine.rouse();
  if (library.engine.under_way() || run::hears_from_outside(job))
    return begin_again(ue.polling, 2 * ue.polling.looks.load(relaxed));
  if (library.engine.concurrent()) return suspect(job);
  {
    const OutsideUe outside; // what the report calls is not done by the UE, whose calls are counted
    job.report(run::deadlock_report(job));
  }
  job.stop(status_deadlock);
}

/// One more look of an attempt: has the circle closed?
void look_again(Library& library, std::uint64_t standstill) {
  Polling& polling = library.ue.polling;
  polling.consider_at = polling.looks.load(relaxed) + 1;
  const CallSite here = run::call_site(library.ue);
  if (here != polling.origin) {
    if (++polling.compared > longest_circle) begin_again(polling, 2 * polling.looks.load(relaxed));
    return;
  }
  const std::uint64_t contents = run::contents(library.ue, here) ^ run::shared_contents(library.engine);
  if (polling.contents == contents) return conclude(library, standstill);
  if (polling.contents != 0) return begin_again(polling, 2 * polling.looks.load(relaxed));
  polling.contents = contents;
}

} // namespace

void begin_streak(Ue& ue, const Polled& look) {
  ue.job->note_host_order(Job::HostOrder::polls);
  Polling& polling = ue.polling;
  polling.streak.store(polling.streak.load(relaxed) + 1, relaxed);
  polling.proof.store(0, relaxed);
  polling.looks.store(0, relaxed);
  polling.consider_at = polling.attempt_at = Polling::first_attempt;
  polling.phase = Polling::Phase::counting;
  polling.look = look;
  polling.name = ue.activity.call;
  polling.traits = ue.activity.traits;
  polling.group = ue.activity.group;
  polling.peer = ue.activity.peer;
  polling.bytes = ue.activity.bytes;
  polling.since = ue.activity.since;
}

void stays_pending(const Library& library) {
  library.ue.job->note_host_order(Job::HostOrder::requests);
}

void Library::looked_at_memory(unsigned rounds) {
  core.spin(rounds);
  if (ue.activity.call == nullptr) {
    ue.activity = {};
    ue.activity.since = ue.core->recent();
  }
  looked(*this, {.what = "memory", .asks = false});
}

void Library::polls_memory(std::span<const mesh::PolledWord> words, unsigned reads) {
  PlainPolls& polls = ue.plain_polls;
  if (polls.word != words.front().address || polls.calls != ue.calls.load(relaxed))
    polls = {.word = words.front().address};
  const Picoseconds begun = core.now();
  bool changed = false;
  if (polls.begun >= 0) {
    const mesh::PollEnd end = core.poll(words, begun + polls.reading, begun - polls.begun);
    changed = end == mesh::PollEnd::changed;
    polls.alone = end == mesh::PollEnd::roused;
  }
  polls.begun = -1;
  polls.reads += reads;
  // Where it is the only one to act it shows that it waits for good, as others do who poll
  // (consider_polling).
  const auto others_may_store = [this](const mesh::PolledWord& word) {
    const auto [begin, bytes] = engine.visible_memory();
    return reinterpret_cast<std::uintptr_t>(word.address) - begin < bytes;
  };
  const bool each = engine.can().repeatable && ue.job->interference() == nullptr && !polls.alone &&
      std::ranges::all_of(words, others_may_store);
  if (each || polls.reads >= std::min(looks_at_once, ue.image->cycles_left / cycles_of_look + 1)) {
    ue.count_call();
    const Picoseconds before = core.now();
    looked_at_memory(changed ? 0 : polls.reads);
    polls.reads = 0;
    if (each && !changed) {
      polls.begun = begun;
      polls.reading = core.now() - before;
    }
  }
  polls.calls = ue.calls.load(relaxed);
}

void Library::drops_lines() {
  // To look at memory by itself: what the program sees may have come past the library.
  tell_fact(ue, ProgramFact{.kind = ProgramFact::Kind::drops_lines});
  tell_fact(ue, ProgramFact{.kind = ProgramFact::Kind::loops});
}

void consider_polling(Library& library) {
  Job& job = *library.ue.job;
  Polling& polling = library.ue.polling;
  const bool concurrent = library.engine.concurrent();
  const std::optional<std::uint64_t> still = standstill(job);
  if (!still || *still != polling.standstill) {
    begin_again(polling, std::min(polling.attempt_at, polling.looks.load(relaxed)));
    polling.standstill = still.value_or(0);
    polling.still_looks = polling.looks.load(relaxed);
    if (concurrent) polling.still_since = host::nanoseconds();
    return;
  }
  if (polling.phase == Polling::Phase::comparing) return look_again(library, *still);
  polling.consider_at = polling.looks.load(relaxed) + looks_between;
  if (concurrent && host::nanoseconds() - polling.still_since < quiet_nanoseconds) return;
  if (polling.phase == Polling::Phase::proven) return conclude(library, *still);
  const std::uint64_t quiet_looks = polling.looks.load(relaxed) - polling.still_looks;
  if (quiet_looks >= (polling.look.asks ? suspicious_looks : suspicious_memory_looks))
    polling.look.asks ? suspect(job) : suspect_livelock(job);
  if (polling.looks < polling.attempt_at) return;
  polling.origin = run::call_site(library.ue);
  if (polling.origin.place == nullptr) return begin_again(polling, 2 * polling.looks.load(relaxed));
  polling.phase = Polling::Phase::comparing;
  polling.compared = 0;
  polling.contents = 0;
  polling.consider_at = polling.looks.load(relaxed) + 1;
}

} // namespace rcce::protocol
