// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/cluster/hosts.hpp"

#include <algorithm>

namespace mesh::cluster {

Hosts::Hosts(int nodes, int processes) : processes_(processes), outages_(index(nodes)), late_(index(nodes)) {}

void Hosts::disturb(const Config& config, std::vector<int> receives, std::uint64_t seed) {
  if (config.daemons > 0 || config.trace) daemons_.emplace(config, static_cast<int>(late_.size()), seed);
  if (config.late_chance > 0) late_receives_.emplace(config, std::move(receives), seed);
}

/// Takes in all outages that begin by then. A node feels those of processors that have a process.
void Hosts::load_outages(Picoseconds until) {
  if (!daemons_) return;
  while (daemons_->next_start() <= until) {
    const Outage outage = daemons_->take();
    if (outage.processor >= processes_ || outage.end <= 0) continue;
    auto& list = outages_[index(outage.node)];
    if (list.empty()) disturbed_nodes_.push_back(outage.node);
    list.insert(std::upper_bound(list.begin(), list.end(), outage,
                                 [](const Outage& a, const Outage& b) { return a.start < b.start; }),
                outage);
    last_outage_end_ = std::max(last_outage_end_, outage.end);
  }
}

Picoseconds Hosts::works(int node, Picoseconds at, Picoseconds duration) {
  if (!daemons_) return at + duration;
  load_outages(at + duration);
  const auto& list = outages_[index(node)];
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Outage outage = list[i];
    if (outage.end <= at) continue;
    if (outage.start >= at + duration && outage.start > at) break;
    if (outage.start > at) duration -= outage.start - at;
    at = outage.end;
    load_outages(at + duration);
  }
  return at + duration;
}

Picoseconds Hosts::late(int node, std::int32_t& received) const {
  if (late_nodes_.empty()) return 0;
  const std::int32_t number = received++;
  Picoseconds delay = 0;
  for (const auto& one : late_[index(node)])
    if (one.receive == number) delay += one.delay;
  return delay;
}

void Hosts::begin(std::int64_t repetition, Picoseconds before) {
  std::erase_if(disturbed_nodes_, [&](int node) {
    auto& list = outages_[index(node)];
    std::erase_if(list, [&](const Outage& outage) { return outage.end < before; });
    return list.empty();
  });
  load_late(repetition);
}

void Hosts::load_late(std::int64_t repetition) {
  for (const int node : late_nodes_) late_[index(node)].clear();
  late_nodes_.clear();
  if (!late_receives_) return;
  while (late_receives_->next_iteration() <= repetition) {
    const auto one = late_receives_->take();
    late_[index(one.node)].push_back(one);
    late_nodes_.push_back(one.node);
  }
}

bool Hosts::disturbs(std::int64_t repetition, Picoseconds now, Picoseconds length) {
  load_outages(now + length);
  return last_outage_end_ > now - length ||
      (late_receives_ && late_receives_->next_iteration() <= repetition);
}

} // namespace mesh::cluster
