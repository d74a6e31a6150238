// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/timeline.hpp"

namespace mesh {
namespace {

/// The most messages of a pair whose other side is awaited. A rank that sends by calls, and receives by flags
/// of its own, is seen on one side only.
constexpr std::size_t most_pending = 256;

} // namespace

Timeline::Timeline(int cores, std::size_t most) : most_(most), open_(static_cast<std::size_t>(cores)) {}

void Timeline::keep(const Slice& slice) {
  if (slices_.size() < most_)
    slices_.push_back(slice);
  else
    ++slices_left_out_;
}

void Timeline::call_begins(const Call& call) {
  open_[static_cast<std::size_t>(call.core)].push_back(call);
}

void Timeline::call_ends(const Call& call) {
  std::vector<Call>& open = open_[static_cast<std::size_t>(call.core)];
  if (open.empty()) return;
  const Picoseconds begin = open.back().at;
  open.pop_back();
  keep({Slice::Kind::call, call.core, call.kind, call.peer, call.bytes, begin, call.at});
}

void Timeline::ended(const Access& access, Picoseconds begin) {
  if (access.kind == Access::Kind::put)
    keep({Slice::Kind::put, access.core, access.target, -1, access.bytes, begin, access.at});
  if (access.kind == Access::Kind::get)
    keep({Slice::Kind::get, access.core, access.target, -1, access.bytes, begin, access.at});
}

void Timeline::wait_ends(const Wait& wait) {
  keep({Slice::Kind::wait, wait.core, wait.target, wait.cause.core, 0, wait.begin, wait.end, false, wait.on});
}

void Timeline::unfinished(const Unfinished& core) {
  if (core.waits) keep({Slice::Kind::wait, core.core, core.target, -1, 0, core.since, core.at, true});
  std::vector<Call>& open = open_[static_cast<std::size_t>(core.core)];
  for (; !open.empty(); open.pop_back())
    keep({Slice::Kind::call, core.core, open.back().kind, -1, 0, open.back().at, core.at, true});
}

void Timeline::message(const Message& message) {
  if (message.sender < 0 || message.receiver < 0) return;
  Pending& pair = pending_[{message.sender, message.receiver}];
  std::vector<Message>& others = message.received ? pair.sent : pair.received;
  std::vector<Message>& own = message.received ? pair.received : pair.sent;
  if (others.empty()) {
    if (own.size() < most_pending) own.push_back(message);
    return;
  }
  const Message other = others.front();
  others.erase(others.begin());
  if (messages_.size() >= most_) {
    ++messages_left_out_;
    return;
  }
  const Message& sent = message.received ? other : message;
  const Message& received = message.received ? message : other;
  messages_.push_back({message.sender, message.receiver, received.bytes, sent.begin, received.end});
}

} // namespace mesh
