// SPDX-License-Identifier: Apache-2.0
#include "run/profile.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>
#include <unwind.h>
#include <utility>

#include "host/symbols.hpp"
#include "job_state.hpp"
#include "process/process.hpp"

namespace rcce::run {
namespace {

constexpr std::size_t deepest = 64; ///< frames of a stack; those further out are left

constexpr mesh::StatisticKind profile_time{"profile.time", "us",
                                           "simulated time of all UEs in calls from here, or before them"},
    profile_share{"profile.share", "%", "that time's part of all"},
    profile_count{"profile.count", "1", "calls from here, those that have not returned among them"};

/// In place of a call's number, and back.
constexpr int own_code_before(int call) {
  return -1 - call;
}

/// Return addresses, the innermost first.
struct Walk {
  std::array<const char*, deepest> places;
  std::size_t found = 0;
};

_Unwind_Reason_Code walk_frame(_Unwind_Context* context, void* argument) {
  Walk& walk = *static_cast<Walk*>(argument);
  walk.places[walk.found++] = reinterpret_cast<const char*>(_Unwind_GetIP(context));
  return walk.found == walk.places.size() ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

/// Functions of a frame, the innermost of those inlined there first.
using Functions = std::vector<host::Position>;

std::string place_text(const host::Position& position) {
  return position.line == 0 ? "?" : fmt::format("{}:{}", position.file, position.line);
}

/// The frames' functions, the innermost first, without the program's side of the call itself.
Functions stack_of(const std::vector<Functions>& functions, std::vector<int> frames, std::string_view call) {
  Functions stack;
  for (const int frame : frames) {
    const Functions& inlined = functions[static_cast<std::size_t>(frame)];
    stack.insert(stack.end(), inlined.begin(), inlined.end());
  }
  const auto own =
      std::ranges::find_if_not(stack, [&](const host::Position& one) { return one.function == call; });
  stack.erase(stack.begin(), own);
  return stack;
}

} // namespace

int Profile::innermost_frame(int core) {
  const Ue* const ue = job_->ue_on(core);
  if (ue == nullptr) return -1;
  Walk walk;
  _Unwind_Backtrace(&walk_frame, &walk);
  int frame = -1;
  for (std::size_t i = walk.found; i > 0; --i) {
    // The return address lies behind the call, which may be another line.
    const process::Place place = process::place_of(*ue, walk.places[i - 1] - 1);
    if (place.file == nullptr) continue;
    const auto [known, added] =
        numbers_.try_emplace({frame, place.file, place.offset}, static_cast<int>(frames_.size()));
    if (added) frames_.push_back(known->first);
    frame = known->second;
  }
  return frame;
}

void Profile::call_begins(const mesh::Call& call) {
  PerCore& one = cores_[static_cast<std::size_t>(call.core)];
  if (one.depth++ > 0) return;
  one.frame = innermost_frame(call.core);
  one.kind = call.kind;
  if (call.at > one.since) spent_[{one.frame, own_code_before(call.kind)}].time += call.at - one.since;
  one.since = call.at;
}

void Profile::call_ends(const mesh::Call& call) {
  PerCore& one = cores_[static_cast<std::size_t>(call.core)];
  if (one.depth > 0 && --one.depth == 0) count_call(one, call.at);
}

void Profile::unfinished(const mesh::Unfinished& core) {
  PerCore& one = cores_[static_cast<std::size_t>(core.core)];
  if (std::exchange(one.depth, 0) > 0) count_call(one, core.at);
}

void Profile::count_call(PerCore& one, mesh::Picoseconds at) {
  Spent& spent = spent_[{one.frame, one.kind}];
  spent.time += at - one.since;
  ++spent.count;
  one.since = at;
}

Profile::Report Profile::report(const std::vector<std::string>& call_names) const {
  std::map<std::string, std::vector<std::size_t>> by_file;
  for (std::size_t i = 0; i < frames_.size(); ++i) by_file[*frames_[i].file].push_back(i);
  std::vector<Functions> functions(frames_.size());
  for (const auto& [file, frames] : by_file) {
    std::vector<std::uintptr_t> offsets;
    for (const std::size_t frame : frames) offsets.push_back(frames_[frame].offset);
    std::vector<Functions> found = host::positions_of(file, offsets);
    for (std::size_t i = 0; i < frames.size(); ++i) functions[frames[i]] = std::move(found[i]);
  }
  std::map<std::array<std::string, 3>, Spent> lines;
  std::map<std::string, mesh::Picoseconds> stacks;
  mesh::Picoseconds all = 0;
  for (const auto& [where, spent] : spent_) {
    std::vector<int> frames;
    for (int frame = where.first; frame >= 0; frame = frames_[static_cast<std::size_t>(frame)].parent)
      frames.push_back(frame);
    const bool own = where.second < 0;
    const std::string& next =
        call_names[static_cast<std::size_t>(own ? own_code_before(where.second) : where.second)];
    const std::string call = own ? "-" : next;
    const Functions stack = stack_of(functions, frames, next);
    std::string folded;
    for (std::size_t i = stack.size(); i > 0; --i)
      folded += fmt::format("{}{}", folded.empty() ? "" : ";", stack[i - 1].function);
    if (!own || folded.empty())
      folded += fmt::format("{}{}", folded.empty() ? "" : ";", own ? "program" : call);
    stacks[folded] += spent.time;
    Spent& line = lines[{stack.empty() ? "?" : stack.front().function,
                         stack.empty() ? "?" : place_text(stack.front()), call}];
    line.time += spent.time;
    line.count += spent.count;
    all += spent.time;
  }
  Report report;
  for (const auto& [where, spent] : lines) {
    const mesh::Labels labels{{"function", where[0]}, {"place", where[1]}, {"call", where[2]}};
    add(report.table, profile_time, labels,
        static_cast<double>(spent.time) / mesh::picoseconds_per_microsecond);
    add(report.table, profile_share, labels,
        all == 0 ? 0 : 100 * static_cast<double>(spent.time) / static_cast<double>(all));
    add(report.table, profile_count, labels, static_cast<double>(spent.count));
  }
  for (const auto& [stack, spent] : stacks)
    if (spent > 0) report.folded += fmt::format("{} {}\n", stack, spent);
  return report;
}

} // namespace rcce::run
