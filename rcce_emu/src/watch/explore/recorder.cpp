// SPDX-License-Identifier: Apache-2.0
#include "watch/explore/recorder.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "engine/ue/job_state.hpp"
#include "mesh_sim/observe/call_traits.hpp"
#include "watch/explore/interference.hpp"

namespace rcce::explore {
namespace {

/// 96 MB of them.
constexpr std::size_t most_traced = std::size_t{1} << 20;

/// The first bytes of what a write leaves, as far as they are known.
void add_value(TracedAccess& traced, const mesh::Access& access, const PlainAccess* plain) {
  const std::byte* from = access.own;
  if (access.kind == mesh::Access::Kind::update && plain == nullptr) {
    traced.value = access.value;
    traced.valued = 1;
    return;
  }
  const std::size_t bytes = std::min(access.bytes, sizeof traced.value);
  if (plain != nullptr) {
    if (!plain->known) return;
    from = plain->written();
    if (from == nullptr) std::memset(&traced.value, static_cast<int>(plain->filled), bytes);
  }
  if (from == nullptr && plain == nullptr) return;
  if (from != nullptr) std::memcpy(&traced.value, from, bytes);
  traced.valued = static_cast<std::uint8_t>(bytes);
}

} // namespace

Recorder::Recorder(const Interference& interference, RunRecord& record, int cores, bool trace)
    : interference_(interference), record_(record), trace_(trace), rounds_(static_cast<std::size_t>(cores)) {
  record_.names.emplace_back();
}

void Recorder::acted(const mesh::Access& access) {
  if (has(job_->ue_on(access.core)->activity.traits, mesh::CallTraits::ends)) {
    // Its flags are written by the UE that comes last, which may be any.
    for (std::size_t i = 0; access.write && i < access.bytes; ++i) last_bytes_.insert(access.offset + i);
  } else if (trace_ && (!access.waits || access.done)) { // of its looks the last one counts
    trace(access);
  }
}

/// Memory that UEs share, used past the machine: it is no access that can be put in order.
void Recorder::touched(const mesh::Touch& touch) {
  if (!interference_.is_shared(touch.memory)) return;
  const char* const call = job_->ue_on(touch.core)->activity.call;
  record_.given_to.insert(call == nullptr ? "rcce_touch()" : fmt::format("{}()", call));
}

void Recorder::trace(const mesh::Access& access) {
  TracedAccess traced{.at = access.at,
                      .number = interference_.number(access.core),
                      .sequence = ++sequence_,
                      .offset = static_cast<std::uint32_t>(access.offset),
                      .bytes = static_cast<std::uint32_t>(access.bytes),
                      .mask = access.mask,
                      .wanted = access.value,
                      .core = access.core,
                      .target = access.target,
                      .kind = access.kind,
                      .write = access.write,
                      .done = access.done,
                      .delivered = access.delivered,
                      .waits = access.waits || access.kind == mesh::Access::Kind::wait ||
                          access.kind == mesh::Access::Kind::look,
                      .unequal = access.unequal};
  const PlainAccess* const asked = interference_.asked(access.core);
  if (access.write) add_value(traced, access, asked);
  if (asked != nullptr) {
    traced.code = asked->code;
    return asked->loop != 0 ? look(traced, asked->read) : keep(traced);
  }
  const Activity& activity = job_->ue_on(access.core)->activity;
  traced.message_bytes = activity.bytes;
  traced.peer = activity.peer;
  traced.call = name(activity.call);
  traced.flag = name(activity.flag);
  keep(traced);
}

void Recorder::keep(const TracedAccess& traced) {
  if (record_.trace.size() == most_traced)
    record_.trace_full = true;
  else
    record_.trace.push_back(traced);
}

/// A round is over where a look comes that it has had already.
void Recorder::look(const TracedAccess& traced, unsigned read) {
  auto& round = rounds_[static_cast<std::size_t>(traced.core)];
  if (std::ranges::find(round, read, &std::pair<unsigned, TracedAccess>::first) != round.end()) round.clear();
  round.emplace_back(read, traced);
}

void Recorder::loop_ended(int core) {
  auto& round = rounds_[static_cast<std::size_t>(core)];
  for (const auto& [read, look] : round) keep(look);
  round.clear();
}

/// Each look is as one that comes last of all. Attempts to lock are told as they fail.
void Recorder::left_waiting(int core, const mesh::Machine::WaitCondition& waits_for) {
  if (!trace_ || waits_for.on_lock) return;
  const Picoseconds last =
      record_.trace.empty() ? 0 : std::ranges::max(record_.trace, {}, &TracedAccess::at).at;
  const auto look = [&](mesh::Access::Kind kind, int target, std::size_t offset,
                        const mesh::Condition& condition) {
    trace({.kind = kind,
           .done = false,
           .waits = true,
           .mask = condition.mask,
           .core = core,
           .target = target,
           .offset = offset,
           .bytes = condition.bytes,
           .value = condition.value,
           .unequal = condition.unequal,
           .at = last});
  };
  if (waits_for.counter >= 0)
    look(mesh::Access::Kind::counter, waits_for.counter, 0, {});
  else if (waits_for.looks.empty())
    look(mesh::Access::Kind::wait, waits_for.target, waits_for.offset, waits_for.condition);
  for (const mesh::PollTarget& one : waits_for.looks)
    look(mesh::Access::Kind::look, waits_for.target, one.offset, one.condition);
}

void Recorder::finish() {
  for (std::size_t core = 0; core < rounds_.size(); ++core) loop_ended(static_cast<int>(core));
}

std::uint16_t Recorder::name(const char* text) {
  if (text == nullptr) return 0;
  const auto [found, added] = names_.try_emplace(text, static_cast<std::uint16_t>(record_.names.size()));
  if (added) record_.names.emplace_back(text);
  return found->second;
}

} // namespace rcce::explore
