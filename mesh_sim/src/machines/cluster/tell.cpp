// SPDX-License-Identifier: Apache-2.0
// The events of a repetition for observers: the steps of every node, its host, messages and links.
#include <string_view>

#include "mesh_sim/machines/cluster/machine.hpp"
#include "mesh_sim/observe/observers.hpp"

namespace mesh::cluster {

void Machine::set_observers(Observers* observers) {
  static constexpr std::string_view names[] = {"reduction", "send",    "wake",  "combine",       "place",
                                               "entry",     "barrier", "start", "wait for card", "broadcast"};
  static_assert(std::size(names) == static_cast<std::size_t>(Doing::count));
  observers_ = observers;
  if (observers == nullptr) return;
  for (std::size_t what = 0; what < kinds_.size(); ++what) kinds_[what] = observers->call_kind(names[what]);
}

void Machine::tell_beginning() {
  if (observers_ == nullptr) return;
  told_.assign(index(on_hosts_ ? nodes_ : 2 * nodes_), 0);
  for (int node = 0; node < nodes_; ++node) told_[index(host(node))] = host_ready_[index(node)];
}

void Machine::tell_program_begins(int node) {
  if (observers_ == nullptr) return;
  told_[index(node)] = node_[index(node)].time;
  observers_->notify(&Observer::call_begins, EventMask::calls,
                     Call{.core = node,
                          .kind = kinds_[static_cast<std::size_t>(Doing::reduction)],
                          .at = told_[index(node)]});
}

void Machine::tell_program_ends(int node) const {
  if (observers_ == nullptr) return;
  observers_->notify(&Observer::call_ends, EventMask::calls,
                     Call{.core = node,
                          .kind = kinds_[static_cast<std::size_t>(Doing::reduction)],
                          .at = told_[index(node)]});
}

void Machine::tell(int core, Doing what, Picoseconds until) {
  if (observers_ == nullptr) return;
  Picoseconds& told = told_[index(core)];
  if (until <= told) return;
  Call call{.core = core, .kind = kinds_[static_cast<std::size_t>(what)], .at = told};
  observers_->notify(&Observer::call_begins, EventMask::calls, call);
  call.at = told = until;
  observers_->notify(&Observer::call_ends, EventMask::calls, call);
}

/// The message belongs to what its sender or its receiver does, and ends with it.
void Machine::tell_message(Doing what, std::uint32_t message, Picoseconds until) {
  if (observers_ == nullptr) return;
  const Program::Message& one = program_->messages()[message];
  const bool received = what != Doing::send;
  const int node = received ? one.to : one.from;
  Picoseconds& told = told_[index(node)];
  const auto bytes = static_cast<std::size_t>(bytes_[message]);
  Call call{.core = node, .kind = kinds_[static_cast<std::size_t>(what)], .at = told};
  observers_->notify(&Observer::call_begins, EventMask::calls, call);
  const Node& state = node_[index(node)];
  observers_->notify(&Observer::message, EventMask::messages,
                     Message{one.from, one.to, received, bytes, state.came, state.time});
  call.peer = received ? one.from : one.to;
  call.bytes = bytes;
  call.at = told = until;
  observers_->notify(&Observer::call_ends, EventMask::calls, call);
}

/// The node sleeps until the message is there.
void Machine::tell_wait(int node, std::uint32_t message, Picoseconds until) {
  if (observers_ == nullptr) return;
  Picoseconds& told = told_[index(node)];
  if (until <= told) return;
  const int from = program_->messages()[message].from;
  Wait wait{.on = Wait::Target::message, .core = node, .target = from, .begin = told};
  observers_->notify(&Observer::wait_begins, EventMask::waits, wait);
  wait.end = told = until;
  wait.cause = {Cause::Kind::message, from, until};
  observers_->notify(&Observer::wait_ends, EventMask::waits, wait);
}

Picoseconds Machine::transmit(int from, int to, std::int64_t bytes, Picoseconds at) {
  if (observers_ == nullptr || !observers_->want(EventMask::resources))
    return network_.send(from, to, bytes, at);
  return network_.send(from, to, bytes, at, [&](const FatTree::Passage& one) {
    observers_->notify(&Observer::served, EventMask::resources,
                       Service{.resource = {ResourceId::Kind::link, one.link},
                               .core = from,
                               .packets = 1,
                               .from = one.came,
                               .to = one.end,
                               .busy = one.end - one.begin,
                               .queued = one.begin - one.came,
                               .bytes = static_cast<std::uint64_t>(bytes)});
  });
}

} // namespace mesh::cluster
