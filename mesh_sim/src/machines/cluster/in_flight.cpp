// SPDX-License-Identifier: Apache-2.0
// Many reductions under way at a time: hosts start one after the other, without barriers between them, and
// each card works through them in turn. A host has no more than a window of them begun that its card has not
// ended, and a card has no more than a window of messages that its parent has not taken.
#include <algorithm>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/cluster/machine.hpp"
#include "split_mix.hpp"

namespace mesh::cluster {

Series Machine::repeat_in_flight(const Program& program, Vector what, const Protocol& protocol) {
  if (program.place() != Processor::cards || program.ending() != Ending::root)
    throw UserError(
        "several reductions under way are for programs on cards with the result at the root; others "
        "take one at a time");
  prepare(program, what, true);
  const auto nodes = index(nodes_);
  InFlight flight{protocol.repetitions, static_cast<std::size_t>(protocol.in_flight), {}, {}, {}, {}};
  flight.number.assign(nodes, -1);
  flight.done.assign(nodes * flight.window, 0);
  arrival_.assign(cost_.size() * flight.window, none);
  flight.taken.assign(arrival_.size(), 0);
  origin_ = 0;
  for (int node = 0; node < nodes_; ++node) {
    start_next(flight, node);
    go_on_in_flight(flight, node);
  }
  for (;;) {
    while (!ready_.empty()) {
      const int node = ready_.back();
      ready_.pop_back();
      go_on_in_flight(flight, node);
    }
    if (queue_.empty()) break;
    const auto node = static_cast<int>(queue_.top() & (most_nodes - 1));
    queue_.set(index(node), EventTree::none);
    send_in_flight(flight, node);
  }
  Series series;
  Picoseconds last = 0;
  for (const Picoseconds end : flight.ends) {
    series.times.push_back(end - last);
    last = end;
  }
  if (static_cast<std::int64_t>(series.times.size()) != protocol.repetitions)
    throw std::runtime_error(waiting_report());
  series.total = last;
  series.simulated = protocol.repetitions;
  series.messages = messages_;
  series.digest = split_mix(digest_ ^ static_cast<std::uint64_t>(last));
  return series;
}

/// The host starts the node's next reduction, the card begins it when it is done with the one before.
void Machine::start_next(InFlight& flight, int node) {
  Node& state = node_[index(node)];
  const std::int64_t number = ++flight.number[index(node)];
  if (number == flight.repetitions) return;
  const std::size_t place = static_cast<std::size_t>(number) % flight.window;
  const Picoseconds before = flight.done[index(node) * flight.window + place];
  Picoseconds& host = host_ready_[index(node)];
  const Picoseconds work =
      (processes_ > 1 ? picoseconds(config_.shared_memory) : 0) + picoseconds(config_.post);
  host = hosts_->works(node, std::max(host, before), work);
  const Picoseconds begin =
      host + picoseconds(config_.start) + picoseconds(config_.extra) - picoseconds(config_.post);
  state.time = std::max(state.time, begin);
  state.base = place * cost_.size();
  state.step = first_step_[index(node)];
}

void Machine::go_on_in_flight(InFlight& flight, int node) {
  while (flight.number[index(node)] < flight.repetitions) {
    if (at_end(node)) {
      const Node& state = node_[index(node)];
      Picoseconds done = state.time;
      if (node == 0) {
        hosts_->load_late(flight.number[0]);
        node_[0].received = 0;
        done = hosts_->works(0, done + picoseconds(config_.end) + late(0), 0);
        if (!flight.ends.empty()) done = std::max(done, flight.ends.back()); // a host is told in turn
        flight.ends.push_back(done);
      }
      flight.done[index(node) * flight.window + state.base / cost_.size()] = done;
      start_next(flight, node);
      continue;
    }
    const Step& step = step_of(node);
    if (step.kind == Step::Kind::send) {
      push(node_[index(node)].time, node);
      return;
    }
    if (!ready(node, step)) return;
    receive_on_card(node, step);
    take_in_flight(flight, node, step);
    ++node_[index(node)].step;
  }
}

/// The step's messages are taken: their places are free, and senders that wait for them go on.
void Machine::take_in_flight(InFlight& flight, int node, const Step& step) {
  const Node& state = node_[index(node)];
  for (std::uint32_t message = step.first; message < step.first + step.count; ++message) {
    arrival_[state.base + message] = none;
    flight.taken[state.base + message] = state.time;
    const int sender = program_->messages()[message].from;
    Node& other = node_[index(sender)];
    if (!other.waits || other.base != state.base || at_end(sender)) continue;
    const Step& its = step_of(sender);
    if (its.kind != Step::Kind::send || its.first != message) continue;
    other.waits = false;
    other.time = std::max(other.time, state.time);
    push(other.time, sender);
  }
}

void Machine::send_in_flight(InFlight& flight, int node) {
  Node& state = node_[index(node)];
  const std::uint32_t message = step_of(node).first;
  const std::size_t place = state.base + message;
  if (arrival_[place] != none) {
    state.waits = true;
    return;
  }
  if (flight.taken[place] > state.time) {
    state.time = flight.taken[place];
    push(state.time, node);
    return;
  }
  const Program::Message& one = program_->messages()[message];
  const Picoseconds arrival = network_.send(one.from, one.to, bytes_[message], state.time);
  const std::size_t base = state.base;
  ++state.step;
  if (config_.send_blocks && !at_end(node)) state.time = arrival + wake_;
  deliver(message, base, arrival);
  go_on_in_flight(flight, node);
}

} // namespace mesh::cluster
