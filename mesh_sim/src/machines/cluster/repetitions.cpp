// SPDX-License-Identifier: Apache-2.0
// What surrounds a program: the hosts' calls, the barrier before it or the broadcast after it, and which
// repetitions need not be simulated.
#include <algorithm>
#include <array>

#include "mesh_sim/machines/cluster/machine.hpp"
#include "mesh_sim/natural_logarithm.hpp"
#include "split_mix.hpp"

namespace mesh::cluster {

void Machine::prepare(const Program& program, Vector what, bool noise) {
  if (program.nodes() != nodes_)
    throw std::logic_error("cluster: the program is for another number of nodes");
  program_ = &program;
  on_hosts_ = program.place() == Processor::hosts;
  const auto messages = program.messages();
  steps_.clear();
  first_step_.assign(1, 0);
  for (int node = 0; node < nodes_; ++node) {
    const auto own = program.steps(node);
    steps_.insert(steps_.end(), own.begin(), own.end());
    first_step_.push_back(static_cast<std::uint32_t>(steps_.size()));
  }
  cost_.assign(messages.size(), 0);
  bytes_.assign(messages.size(), 0);
  any_long_ = false;
  eager_ = config_.eager_bytes;
  for (const Step& step : steps_) {
    if (step.kind == Step::Kind::send) continue;
    for (std::uint32_t i = step.first; i < step.first + step.count; ++i) {
      const std::int64_t elements = messages[i].elements.size();
      bytes_[i] = elements * static_cast<std::int64_t>(bytes_of(what.type));
      any_long_ = any_long_ || (on_hosts_ && bytes_[i] > eager_);
      if (on_hosts_)
        cost_[i] = picoseconds(config_.take) +
            picoseconds(config_.element) * std::max<std::int64_t>(elements - 1, 0);
      else
        cost_[i] = config_.card_step(what, elements, step.kind == Step::Kind::combine);
    }
  }
  wake_ = picoseconds(config_.wake);
  host_send_ = picoseconds(config_.send);
  host_gap_ = picoseconds(config_.gap);
  host_more_ = picoseconds(config_.latency) - picoseconds(config_.wire);
  node_.assign(index(nodes_), {});
  host_ready_.assign(index(nodes_), 0);
  hosts_.emplace(nodes_, processes_);
  network_ = FatTree(config_, nodes_);
  digest_ = split_mix(seed_);
  messages_ = 0;
  values_ = nullptr;
  if (!noise) return;
  std::vector<int> receives(index(nodes_), 0);
  if (on_hosts_)
    for (int node = 0; node < nodes_; ++node) receives[index(node)] = program.receives(node);
  else
    receives[0] = 1; // the root's host is told by its card
  hosts_->disturb(config_, std::move(receives), seed_);
}

/// The table's members are the quantiles of the exponential distribution with mean 1 at the middles of equal
/// steps: enough for starts, and no logarithm for each.
Picoseconds Machine::jitter(int node, std::int64_t number) const {
  constexpr std::size_t steps = 4096;
  static const auto quantiles = [] {
    std::array<double, steps> table{};
    for (std::size_t i = 0; i < steps; ++i)
      table[i] = -natural_logarithm((static_cast<double>(i) + 0.5) / steps);
    return table;
  }();
  const std::uint64_t random =
      split_mix(split_mix(seed_ ^ 0x6a69747465720000U) + (static_cast<std::uint64_t>(number) << 20) +
                static_cast<std::uint64_t>(node));
  return static_cast<Picoseconds>(
      quantiles[random >> 52] * config_.timing_jitter * picoseconds_per_microsecond + 0.5);
}

/// When every host has done `duration` of work, begun at `at` or when it is ready.
Picoseconds Machine::everybody_after(Picoseconds at, Picoseconds duration, Doing what) {
  Picoseconds last = 0;
  for (int node = 0; node < nodes_; ++node) {
    const Picoseconds done = hosts_->works(node, std::max(at, host_ready_[index(node)]), duration);
    tell(host(node), what, done);
    last = std::max(last, done);
  }
  return last;
}

/// The hosts' calls: sets the time at which each node's program begins.
void Machine::begin(std::int64_t number, bool timed_singly) {
  const Picoseconds before = (processes_ > 1 ? picoseconds(config_.shared_memory) : 0) +
      (timed_singly ? picoseconds(config_.timing) : 0);
  const bool jitters = timed_singly && config_.timing_jitter > 0;
  const auto start = [&](int node, Picoseconds at) { return jitters ? at + jitter(node, number) : at; };
  if (on_hosts_ && program_->ending() == Ending::broadcast) {
    for (int node = 0; node < nodes_; ++node) {
      Picoseconds& time = node_[index(node)].time;
      time = hosts_->works(node, start(node, host_ready_[index(node)]), picoseconds(config_.entry) + before);
      tell(node, Doing::entry, time);
    }
    return;
  }
  const Picoseconds entry = before + (on_hosts_ ? picoseconds(config_.entry) : 0);
  const Picoseconds release = everybody_after(0, entry, Doing::entry) + picoseconds(config_.barrier);
  const Picoseconds post = on_hosts_ ? 0 : picoseconds(config_.post);
  const Picoseconds rest = on_hosts_ ? 0 : picoseconds(config_.start) + picoseconds(config_.extra) - post;
  for (int node = 0; node < nodes_; ++node) {
    const Picoseconds posted = hosts_->works(node, start(node, release), post);
    host_ready_[index(node)] = posted;
    node_[index(node)].time = posted + rest;
    tell(host(node), Doing::barrier, release);
    tell(host(node), Doing::start, posted);
  }
}

/// Runs what follows the programs. Returns the end of the call.
Picoseconds Machine::end() {
  Picoseconds done = 0;
  for (int node = 0; node < nodes_; ++node) tell_program_ends(node);
  if (on_hosts_) {
    for (int node = 0; node < nodes_; ++node) {
      host_ready_[index(node)] = node_[index(node)].time;
      if (node == 0 || program_->ending() == Ending::everywhere)
        done = std::max(done, node_[index(node)].time);
    }
  } else {
    done = hosts_->works(0, node_[0].time + picoseconds(config_.end) + late(0), 0);
    host_ready_[0] = done;
    tell(host(0), Doing::wait_for_card, done);
  }
  if (program_->ending() == Ending::broadcast) {
    done = everybody_after(0, 0, Doing::broadcast) + picoseconds(config_.broadcast);
    host_ready_.assign(host_ready_.size(), done);
    for (int node = 0; node < nodes_; ++node) tell(host(node), Doing::broadcast, done);
  }
  return done;
}

Picoseconds Machine::repetition(std::int64_t number, bool timed_singly) {
  hosts_->begin(number, *std::min_element(host_ready_.begin(), host_ready_.end()));
  for (std::size_t node = 0; node < node_.size(); ++node) {
    node_[node] = {};
    node_[node].step = first_step_[node];
  }
  arrival_.assign(cost_.size(), none);
  if (any_long_) {
    asked_.assign(cost_.size(), none);
    offered_.assign(cost_.size(), none);
  }
  tell_beginning();
  begin(number, timed_singly);
  for (int node = 0; node < nodes_; ++node) tell_program_begins(node);
  run_steps();
  return end();
}

Picoseconds Machine::undisturbed_repetition(const Program& program, Vector what, bool timed_singly) {
  const Unobserved quiet(*this);
  prepare(program, what, false);
  return repetition(0, timed_singly);
}

Series Machine::repeat(const Program& program, Vector what, const Protocol& protocol) {
  if (protocol.in_flight > 0) {
    const Unobserved quiet(*this);
    return repeat_in_flight(program, what, protocol);
  }
  const Picoseconds undisturbed = undisturbed_repetition(program, what, protocol.timed_singly);
  prepare(program, what, true);
  const bool each = protocol.timed_singly && config_.timing_jitter > 0;
  Series series;
  series.times.reserve(static_cast<std::size_t>(protocol.repetitions));
  Picoseconds now = 0, behind = 0;
  for (std::int64_t number = 0; number < protocol.repetitions; ++number) {
    if (!each && number > 0 && !hosts_->disturbs(number, now, undisturbed)) {
      now += undisturbed;
      behind += undisturbed;
      series.times.push_back(undisturbed);
      continue;
    }
    if (behind > 0) {
      for (Picoseconds& ready : host_ready_) ready += behind;
      digest_ = split_mix(digest_ ^ static_cast<std::uint64_t>(behind));
      behind = 0;
    }
    const Picoseconds end = repetition(number, protocol.timed_singly);
    ++series.simulated;
    series.times.push_back(end - now);
    now = end;
  }
  series.total = now;
  series.messages = messages_;
  series.digest = split_mix(digest_ ^ static_cast<std::uint64_t>(now));
  return series;
}

Picoseconds Machine::reduce(const Program& program, Vector what, Values& values) {
  prepare(program, what, false);
  values.start(program.messages().size());
  values_ = &values;
  const Picoseconds time = repetition(0, false);
  values_ = nullptr;
  return time;
}

} // namespace mesh::cluster
