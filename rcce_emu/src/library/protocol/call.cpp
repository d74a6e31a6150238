// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/call.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>

#include "engine/ue/job_state.hpp"
#include "library/protocol/livelock.hpp"
#include "mesh_sim/observe/observers.hpp"
#include "process/libc/signals/alarm.hpp"
#include "process/process.hpp"
#include "process/run/output.hpp"

namespace rcce::protocol {
namespace {

Library& library_of_caller(void* handle, const char* name) {
  auto* ue = static_cast<Ue*>(handle);
  if (ue == nullptr || ue->library == nullptr) {
    std::fprintf(stderr, "rockcreek: %s: the program was not started by the runtime; start it with rccerun\n",
                 name);
    std::abort();
  }
  return library_of(*ue);
}

} // namespace

void tell_user(const Library& library, std::string_view what, const char* severity) {
  const char* call = library.ue.activity.call;
  std::fflush(stdout);
  library.ue.process->c.output->tell(
      library.ue, fmt::format(": {}: {}", call != nullptr ? call : "RCCE", what), severity);
}

void misuse(const Library& library, std::string_view what) {
  tell_user(library, what);
  std::exit(1);
}

inline bool Call::observed() const {
  return library_.ue.observers != nullptr && library_.ue.observers->want(mesh::EventMask::calls);
}

Call::Call(void* ue, const Function& function, Needs needs)
    : library_(library_of_caller(ue, function.name)), nested_(library_.ue.activity.call != nullptr) {
  if (nested_) {
    before_ = library_.ue.activity;
    rcce::charge_own_code(library_.ue); // a function of the program's that the library has called
  } else {
    library_.charge_own_code();
  }
  library_.ue.count_call();
  library_.ue.activity = {};
  if (nested_) library_.ue.activity.outer = &before_;
  library_.ue.activity.call = function.name;
  library_.ue.activity.traits = function.traits;
  if (needs == Needs::init && !library_.started) misuse(library_, "called before RCCE_init");
  library_.ue.activity.since = library_.core.recent();
  if (library_.ue.progress.due(library_.ue.calls.load(std::memory_order_relaxed))) [[unlikely]]
    consider_livelock(library_);
  library_.core.schedule();
  if (observed()) [[unlikely]]
    notify(&mesh::Observer::call_begins, library_.ue.activity.since);
  if (library_.ue.process->c.alarm != nullptr && !nested_) [[unlikely]]
    libc::ring_alarm_in_call(library_.ue);
  library_.charge(library_.costs.call);
}

Call::~Call() {
  forget_lines(library_.ue);
  if (library_.ue.call_numbers != nullptr) [[unlikely]]
    ends();
  if (nested_)
    library_.ue.activity = before_;
  else
    library_.ue.activity.call = nullptr;
  if (library_.host_compute && !nested_) library_.host_compute->begin();
}

void Call::ends() const {
  const Ue& ue = library_.ue;
  const Picoseconds now = library_.core.now();
  if (ue.times != nullptr) ue.times->returned(number(), now - ue.activity.since);
  if (observed()) notify(&mesh::Observer::call_ends, now);
}

/// The number of the present call, for observers.
[[gnu::always_inline]] inline int Call::number() const {
  const Ue& ue = library_.ue;
  const char* const name = ue.activity.call;
  Numbered& known =
      (*ue.call_numbers)[(reinterpret_cast<std::uintptr_t>(name) >> 2) % ue.call_numbers->size()];
  if (known.first != name) [[unlikely]]
    find_number(known);
  return known.second;
}

/// Out of the way of calls that are known: as a rule those are all.
void Call::find_number(Numbered& to) const {
  const Ue& ue = library_.ue;
  const OutsideUe outside; // what is kept is none of the program's memory
  to = {ue.activity.call, ue.observers->call_kind(ue.activity.call)};
  const auto numbers = static_cast<std::size_t>(to.second) + 1;
  if (ue.times != nullptr && ue.times->calls.size() < numbers) ue.times->calls.resize(numbers);
}

void Call::notify(void (mesh::Observer::*event)(const mesh::Call&), Picoseconds at) const {
  Ue& ue = library_.ue;
  mesh::Call call{.core = library_.core_id, .kind = number(), .traits = ue.activity.traits, .at = at};
  // The activity of a collective call is its present message.
  if (!has(call.traits, collective) && library_.valid_rank(ue.activity.peer)) {
    call.peer = library_.core_of(ue.activity.peer);
    call.bytes = ue.activity.bytes;
  }
  ue.observers->notify_alone(event, mesh::EventMask::calls, call);
}

void Call::complete(Completed& transfer) const {
  const Activity& activity = library_.ue.activity;
  transfer.call = activity.call;
  transfer.peer = activity.peer;
  transfer.bytes = activity.bytes;
  transfer.begin = activity.since;
  transfer.end = library_.core.recent();
}

} // namespace rcce::protocol
