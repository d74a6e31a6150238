// SPDX-License-Identifier: Apache-2.0
#include "process/run/run_view.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

#include "engine/host/symbols.hpp"
#include "engine/ue/job_state.hpp"
#include "process/process.hpp"
#include "process/run/host_call.hpp"

namespace rcce::run {
namespace {

TransferView view_transfer(const Completed& transfer) {
  if (transfer.call == nullptr) return {};
  return {transfer.call, transfer.peer, transfer.bytes, transfer.begin, transfer.end, false};
}

/// A UE whose looks tell it nothing new.
void view_polling(const Ue& ue, UeView& view) {
  const Polling& polling = ue.polling;
  const Polled& look = polling.look;
  view.state = UeView::State::polling;
  view.activity = {polling.name == nullptr ? "" : polling.name,
                   polling.peer >= 0 ? polling.peer : look.writer,
                   polling.bytes,
                   polling.since,
                   0,
                   false,
                   polling.traits};
  if (polling.group != nullptr) view.members = ue.library->members(polling.group);
  view.flag = look.what;
  if (look.number >= 0) view.flag += fmt::format(" {}", look.number);
  view.flag_owner = look.owner;
  view.flag_rank = look.writer;
  view.since = polling.since;
  const process::CodeLocation place = process::place_of(ue, polling.origin.place);
  if (place.file != nullptr) view.place = host::describe_offsets(*place.file, {place.offset - 1}).front();
}

/// "the flag at byte 96 of core 01's buffer to be 1, which is 0".
std::string word_text(Job& job, const BlockedCore& blocked) {
  const Condition& condition = blocked.condition;
  const std::byte* const place = job.engine().mpb(blocked.waits_on_core) + blocked.offset;
  std::uint32_t word = 0;
  std::memcpy(&word, place, condition.bytes);
  const bool one_bit = std::has_single_bit(condition.mask);
  const auto value = [&](std::uint32_t of) {
    return one_bit ? (of & condition.mask) != 0 : of & condition.mask;
  };
  // A program may wait for a number that the flag cannot hold: 256, of a counter that has come round.
  const bool holds = (condition.value & ~condition.mask) == 0;
  return fmt::format("the flag at byte {}{} of core {:02d}'s buffer to be {}{}, which is {}", blocked.offset,
                     one_bit ? fmt::format(", bit {}", std::countr_zero(condition.mask)) : "",
                     blocked.waits_on_core, condition.unequal ? "other than " : "",
                     holds         ? fmt::format("{}", value(condition.value))
                         : one_bit ? std::string("neither 0 nor 1")
                                   : fmt::format("{} (it holds 0..{})", condition.value, condition.mask),
                     value(word));
}

/// "atomic counter 3 to be 0, which is 2".
std::string counter_text(const BlockedCore& blocked) {
  return fmt::format("atomic counter {} to be {}, which is {}", blocked.counter, blocked.condition.value,
                     blocked.counter_value);
}

/// Adds the further facts about a UE that waits.
void view_wait(Job& job, const Ue& ue, const BlockedCore& blocked, UeView& view) {
  view.members = ue.group_elsewhere;
  if (ue.library != nullptr) {
    view.awaited = ue.library->awaited();
    view.awaits_any = ue.library->awaits_any() && !view.awaited.empty();
    for (const OpenMessage& one : ue.library->open_messages())
      if (one.sends && one.call != nullptr)
        view.posted_sends.push_back(
            {.call = one.call, .peer = one.peer, .bytes = one.bytes, .begin = one.begin});
    if (ue.activity.group != nullptr) view.members = ue.library->members(ue.activity.group);
    view.unlike = ue.library->unlike_allocations();
  }
  if (blocked.counter >= 0)
    view.word = counter_text(blocked);
  else if (view.flag == "user" && !blocked.on_lock && blocked.condition.bytes > 0)
    view.word = word_text(job, blocked);
}

} // namespace

RunView view_polling_run(Job& job) {
  RunView run = view_run(job);
  const std::vector<bool> at_rest = job.engine().at_rest();
  for (UeView& view : run.ues) {
    const Ue& ue = job.ue(view.rank);
    if (view.state != UeView::State::running) continue;
    if (at_rest[static_cast<std::size_t>(view.core)]) {
      view.state = UeView::State::waiting; // a thread, which the engine does not name while it runs
      view.since = view.activity.begin;
    } else if (ue.polling.in_streak(ue.calls)) {
      view_polling(ue, view);
    }
  }
  return run;
}

UeView view_ue(Ue& ue) {
  const process::Process& process = *ue.process;
  UeView view;
  view.rank = ue.rank;
  view.core = ue.core->id();
  view.tile = ue.engine->tile_of(view.core);
  // The host's time has passed for everybody; what a core remembers is when it last called.
  view.clock = process.ended ? process.end : ue.engine->wall_clock() ? ue.core->now() : ue.core->recent();
  if (process.ended) view.state = UeView::State::ended;
  if (process.left_call.caller != nullptr) {
    view.host_call = call_text(ue, process.left_call);
    view.since = process.ended ? process.end : ue.core->recent();
    view.holds_thread = !ue.engine->concurrent();
    view.or_later = ue.engine->wall_clock(); // what the program does by itself is not timed there
  }
  if (process.awaited.name != nullptr) {
    view.host_call = call_text(ue, process.awaited);
    view.since = process.awaited.since;
  }
  const Activity& activity = ue.activity;
  if (activity.call != nullptr)
    view.activity = {activity.call,      activity.peer,  activity.bytes, activity.since, 0,
                     activity.untouched, activity.traits};
  if (activity.flag != nullptr) view.flag = activity.flag;
  view.flag_rank = activity.flag_rank;
  view.last_send = view_transfer(ue.last_send);
  view.last_receive = view_transfer(ue.last_receive);
  view.status = process.status;
  view.signal = process.signal;
  return view;
}

RunView view_run(Job& job) {
  RunView run;
  run.host_time = job.engine().wall_clock();
  for (int rank = 0; rank < job.size(); ++rank) run.ues.push_back(view_ue(job.ue(rank)));
  for (const BlockedCore& blocked : job.engine().blocked()) {
    const Ue* ue = job.ue_on(blocked.core);
    if (ue == nullptr) continue;
    UeView& view = run.ues[static_cast<std::size_t>(ue->rank)];
    view.state = UeView::State::waiting;
    view.since = blocked.since;
    view_wait(job, *ue, blocked, view);
    if (!blocked.on_lock) continue;
    view.lock_core = blocked.waits_on_core;
    view.lock_holder = job.engine().memory().lock_holder(blocked.waits_on_core);
  }
  return run;
}

std::string deadlock_report(Job& job) {
  return deadlock_text(view_polling_run(job));
}

std::string suspicion_report(Job& job) {
  RunView run = view_polling_run(job);
  for (UeView& view : run.ues) view.for_good = false;
  return suspicion_text(run);
}

std::string livelock_report(Job& job) {
  return livelock_text(view_run(job));
}

} // namespace rcce::run
