// SPDX-License-Identifier: Apache-2.0
// The steps of one repetition: who sleeps for which messages, what receiving them costs, who sends when.
#include "mesh_sim/machines/cluster/machine.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "split_mix.hpp"

namespace mesh::cluster {

Machine::Machine(const Config& config, int nodes, int processes, std::uint64_t seed)
    : config_(config),
      nodes_(nodes),
      processes_(processes),
      seed_(seed),
      network_(config, std::max(nodes, 1)),
      queue_(static_cast<std::size_t>(std::max(nodes, 1))) {
  if (nodes < 1 || nodes > most_nodes)
    throw UserError(
        fmt::format("machine '{}': {} nodes asked for; it can have 1 to {}", config.name, nodes, most_nodes));
  if (processes < 1 || processes > config.processors)
    throw UserError(fmt::format("machine '{}': {} processes on a node; it has {} processors, one for each",
                                config.name, processes, config.processors));
  check_leaves_time(config, processes);
}

namespace {

/// The first of several.
std::uint32_t last_to_arrive(const Picoseconds* arrival, const Step& step) {
  return static_cast<std::uint32_t>(
      std::max_element(arrival + step.first, arrival + step.first + step.count) - arrival);
}

constexpr unsigned node_bits = 16;                    // most_nodes
constexpr Picoseconds longest = Picoseconds{1} << 47; // 140 s of one repetition

} // namespace

void Machine::push(Picoseconds at, int node) {
  if (at - origin_ >= longest)
    throw std::runtime_error(
        fmt::format("cluster: a repetition takes more than {} s: nodes are busy with daemons for ever",
                    longest / 1'000'000'000'000));
  queue_.set(index(node),
             (static_cast<EventTree::Key>(at - origin_) << node_bits) | static_cast<EventTree::Key>(node));
}

/// Runs all programs from the times in node_ to their ends.
void Machine::run_steps() {
  origin_ = std::min_element(node_.begin(), node_.end(), [](const Node& a, const Node& b) {
              return a.time < b.time;
            })->time;
  for (int node = 0; node < nodes_; ++node) go_on(node);
  for (;;) {
    while (!ready_.empty()) {
      const int node = ready_.back();
      ready_.pop_back();
      go_on(node);
    }
    if (queue_.empty()) break;
    const auto node = static_cast<int>(queue_.top() & ((1U << node_bits) - 1));
    queue_.set(index(node), EventTree::none);
    send(node);
  }
  for (int node = 0; node < nodes_; ++node)
    if (!at_end(node)) throw std::runtime_error(waiting_report());
}

void Machine::go_on(int node) {
  while (!at_end(node)) {
    const Step& step = step_of(node);
    if (step.kind == Step::Kind::send) {
      begin_send(node);
      return;
    }
    if (!ready(node, step)) return;
    receive(node, step);
    ++node_[index(node)].step;
  }
}

/// True if all messages of a step are there; otherwise the node sleeps until they are.
bool Machine::ready(int node, const Step& step) {
  Node& state = node_[index(node)];
  std::uint32_t missing = 0;
  for (std::uint32_t message = step.first; message < step.first + step.count; ++message)
    if (arrival_[state.base + message] == none) {
      ++missing;
      if (on_hosts_ && is_long(message) && asked_[message] == none) {
        asked_[message] = state.time;
        if (offered_[message] != none) grant(message);
      }
    }
  state.missing = missing;
  state.waits = missing > 0;
  return missing == 0;
}

void Machine::receive(int node, const Step& step) {
  if (on_hosts_)
    receive_on_host(node, step);
  else
    receive_on_card(node, step);
}

void Machine::receive_on_card(int node, const Step& step) {
  Node& state = node_[index(node)];
  Picoseconds& time = state.time;
  state.came = time;
  const Doing doing = doing_of(step);
  const Picoseconds* const arrival = arrival_.data() + state.base;
  const auto await = [&](std::uint32_t message) {
    time = std::max(time, arrival[message]);
    tell_wait(node, message, time);
  };
  const auto wake = [&](Picoseconds duration) {
    time += duration;
    tell(node, Doing::wake, time);
  };
  const auto take = [&](std::uint32_t message) {
    time += cost_[message];
    take_message(step, message);
    tell_message(doing, message, time);
  };
  const std::uint32_t last = step.first + step.count;
  if (step.order == Order::arrival) {
    order_.resize(step.count);
    for (std::uint32_t i = 0; i < step.count; ++i) order_[i] = step.first + i;
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return arrival[a] < arrival[b]; });
    await(order_.front());
    wake(wake_);
    for (const std::uint32_t message : order_) {
      await(message);
      take(message);
    }
    return;
  }
  if (step.order == Order::all) await(last_to_arrive(arrival, step));
  await(step.first);
  wake(wake_);
  const Picoseconds again = step.kind == Step::Kind::place && config_.gather_wakes ? wake_ : 0;
  for (std::uint32_t message = step.first; message < last; ++message) {
    await(message);
    if (message > step.first) wake(again);
    take(message);
  }
}

void Machine::receive_on_host(int node, const Step& step) {
  Node& state = node_[index(node)];
  Picoseconds& time = state.time;
  state.came = time;
  for (std::uint32_t message = step.first; message < step.first + step.count; ++message) {
    const Picoseconds there = std::max(time, arrival_[message]);
    tell_wait(node, message, there);
    time = hosts_->works(node, there + late(node), cost_[message]);
    take_message(step, message);
    tell_message(doing_of(step), message, time);
  }
}

void Machine::take_message(const Step& step, std::uint32_t message) {
  if (!values_) return;
  const Program::Message& one = program_->messages()[message];
  if (step.kind == Step::Kind::combine)
    values_->combined(one, message, step.side);
  else
    values_->placed(one, message);
}

void Machine::begin_send(int node) {
  Node& state = node_[index(node)];
  state.came = state.time;
  if (on_hosts_) {
    if (host_gap_ > 0 && state.last_sent != none)
      state.time = std::max(state.time, state.last_sent + host_gap_);
    state.time = hosts_->works(node, state.time, host_send_);
  }
  push(state.time, node);
}

/// Sends a message; of a long one first the offer, and the message itself when its receiver has asked for it.
void Machine::send(int node) {
  Node& state = node_[index(node)];
  const Step& step = step_of(node);
  const std::uint32_t message = step.first;
  const Program::Message& one = program_->messages()[message];
  const bool on_host = on_hosts_;
  if (on_host && is_long(message) && !state.granted) {
    offered_[message] = transmit(one.from, one.to, 0, state.time) + host_more_;
    state.waits = true;
    if (asked_[message] != none)
      grant(message);
    else
      exchange(node, one.to);
    return;
  }
  state.granted = false;
  state.last_sent = state.time;
  const Picoseconds arrival =
      transmit(one.from, one.to, bytes_[message], state.time) + (on_host ? host_more_ : 0);
  if (values_) values_->sent(one, message);
  ++state.step;
  const Picoseconds free = !on_host && config_.send_blocks && !at_end(node) ? arrival + wake_ : state.time;
  tell_message(Doing::send, message, free);
  deliver(message, 0, arrival);
  if (at_end(node)) return;
  state.time = free;
  go_on(node);
}

/// Two nodes that offer each other a long message exchange them, as MPI_Sendrecv does: each asks for the
/// other's with its own offer.
void Machine::exchange(int node, int partner) {
  const Node& other = node_[index(partner)];
  if (!other.waits || other.granted || at_end(partner)) return;
  const Step& theirs = step_of(partner);
  if (theirs.kind != Step::Kind::send || program_->messages()[theirs.first].to != node) return;
  const std::uint32_t own_message = step_of(node).first, other_message = theirs.first;
  asked_[own_message] = other.time;
  asked_[other_message] = node_[index(node)].time;
  grant(own_message);
  grant(other_message);
}

/// Both sides of a long message are there: the receiver's word goes back to the sender.
void Machine::grant(std::uint32_t message) {
  const Program::Message& one = program_->messages()[message];
  Node& sender = node_[index(one.from)];
  sender.time = transmit(one.to, one.from, 0, std::max(asked_[message], offered_[message])) + host_more_;
  sender.granted = true;
  sender.waits = false;
  push(sender.time, one.from);
}

void Machine::deliver(std::uint32_t message, std::size_t base, Picoseconds at) {
  arrival_[base + message] = at;
  ++messages_;
  digest_ = split_mix(digest_ ^ (static_cast<std::uint64_t>(at) * 31 + message));
  const int node = program_->messages()[message].to;
  Node& state = node_[index(node)];
  if (!state.waits || state.base != base || at_end(node)) return;
  const Step& step = step_of(node);
  if (step.kind == Step::Kind::send || message < step.first || message >= step.first + step.count) return;
  if (--state.missing > 0) return;
  state.waits = false;
  ready_.push_back(node);
}

std::string Machine::waiting_report() const {
  int waiting = 0;
  std::string first;
  for (int node = 0; node < nodes_; ++node) {
    if (at_end(node) || ++waiting > 1) continue;
    const Step& step = step_of(node);
    const Program::Message& message = program_->messages()[step.first];
    first = step.kind == Step::Kind::send
        ? fmt::format("node {} waits until {} asks for its message", node, message.to)
        : fmt::format("node {} waits for a message from {}", node, message.from);
  }
  return fmt::format("cluster: nobody can go on, and {} of {} nodes are not done; {}", waiting, nodes_,
                     first);
}

} // namespace mesh::cluster
