#include "loader/run_view.hpp"

#include "job_state.hpp"
#include "loader/process.hpp"

namespace rcce::loader {
namespace {

TransferView view_transfer(const Completed& transfer) {
  if (transfer.call == nullptr) return {};
  return {transfer.call, transfer.peer, transfer.bytes, transfer.begin, transfer.end, false};
}

} // namespace

UeView view_ue(Ue& ue) {
  const Process& process = *ue.process;
  UeView view;
  view.rank = ue.rank;
  view.core = ue.core->id();
  view.tile = ue.engine->tile_of(view.core);
  view.clock = process.ended ? process.end : ue.core->recent();
  if (process.ended) view.state = UeView::State::ended;
  if (process.left_call.caller != nullptr) {
    view.host_call = call_text(ue, process.left_call);
    view.since = view.clock;
    view.or_later = ue.engine->wall_clock(); // what the program does by itself is not timed there
  }
  const Activity& activity = ue.activity;
  if (activity.call != nullptr)
    view.activity = {activity.call, activity.peer, activity.bytes, activity.since, 0, activity.untouched};
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
    if (!blocked.on_lock) continue;
    view.lock_core = blocked.waits_on_core;
    if (const Ue* owner = job.ue_on(blocked.waits_on_core)) view.lock_holder = owner->lock_holder;
  }
  return run;
}

std::string deadlock_report(Job& job) {
  return deadlock_text(view_run(job));
}

} // namespace rcce::loader
