// SPDX-License-Identifier: Apache-2.0
#include "explore/recorder.hpp"

#include "explore/interference.hpp"
#include "job_state.hpp"

namespace rcce::explore {
namespace {

/// 64 MB of them.
constexpr std::size_t most_traced = std::size_t{1} << 20;

} // namespace

Recorder::Recorder(const Interference& interference, RunRecord& record, int cores, bool trace)
    : interference_(interference), record_(record), trace_(trace), looks_(static_cast<std::size_t>(cores)) {
  record_.names.emplace_back();
}

void Recorder::acted(const mesh::Access& access) {
  if (job_->ue_on(access.core)->activity.traits.ends) {
    // Its flags are written by the UE that comes last, which may be any.
    for (std::size_t i = 0; access.write && i < access.bytes; ++i) last_bytes_.insert(access.offset + i);
  } else if (trace_) {
    trace(access);
  }
}

void Recorder::trace(const mesh::Access& access) {
  if (record_.trace.size() == most_traced) {
    record_.trace_full = true;
    return;
  }
  TracedAccess traced{.at = access.at,
                      .number = interference_.number(access.core),
                      .offset = static_cast<std::uint32_t>(access.offset),
                      .bytes = static_cast<std::uint32_t>(access.bytes),
                      .mask = access.mask,
                      .core = access.core,
                      .target = access.target,
                      .kind = access.kind,
                      .write = access.write,
                      .done = access.done,
                      .delivered = access.delivered};
  if (const PlainAccess* const asked = interference_.asked(access.core)) {
    traced.code = asked->code;
    // Of the looks of a waiting loop, which are one access, the last one counts.
    Look& last = looks_[static_cast<std::size_t>(access.core)];
    if (last.number != traced.number) last.trace = 0;
    if (last.trace != 0 && last.trace == record_.trace.size())
      record_.trace.pop_back();
    else if (last.trace != 0)
      record_.trace[last.trace - 1].bytes = 0;
    record_.trace.push_back(traced);
    last = {traced.number, record_.trace.size()};
    return;
  }
  const Activity& activity = job_->ue_on(access.core)->activity;
  traced.message_bytes = activity.bytes;
  traced.peer = activity.peer;
  traced.call = name(activity.call);
  traced.flag = name(activity.flag);
  record_.trace.push_back(traced);
}

std::uint16_t Recorder::name(const char* text) {
  if (text == nullptr) return 0;
  const auto [found, added] = names_.try_emplace(text, static_cast<std::uint16_t>(record_.names.size()));
  if (added) record_.names.emplace_back(text);
  return found->second;
}

} // namespace rcce::explore
