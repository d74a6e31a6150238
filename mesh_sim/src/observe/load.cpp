// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/load.hpp"

#include <algorithm>

#include "mesh_sim/parts/topology.hpp"

namespace mesh {

Load::Load(const Topology& topology, std::size_t bins)
    : first_port_(static_cast<std::size_t>(topology.links())),
      first_controller_(first_port_ + static_cast<std::size_t>(topology.tiles())),
      first_core_(first_controller_ + static_cast<std::size_t>(topology.controllers())),
      bins_(first_core_ + static_cast<std::size_t>(topology.cores() * activities), bins),
      free_at_(first_core_) {}

std::size_t Load::row_of(ResourceId resource) const noexcept {
  const auto number = static_cast<std::size_t>(resource.number);
  switch (resource.kind) {
  case ResourceId::Kind::link:
    return number;
  case ResourceId::Kind::mpb_port:
    return first_port_ + number;
  case ResourceId::Kind::controller:
    break;
  }
  return first_controller_ + number;
}

std::size_t Load::row_of(int core, Activity activity) const noexcept {
  return first_core_ + static_cast<std::size_t>(core * activities + static_cast<int>(activity));
}

void Load::served(const Service& service) {
  const std::size_t row = row_of(service.resource);
  const Picoseconds from = std::max(service.from + service.queued, free_at_[row]);
  free_at_[row] = from + service.busy;
  bins_.add(row, from, free_at_[row]);
}

void Load::ended(const Access& access, Picoseconds begin) {
  const Activity activity = access.kind == Access::Kind::put ? Activity::put
      : access.kind == Access::Kind::get                     ? Activity::get
                                                             : Activity::access;
  bins_.add(row_of(access.core, activity), begin, access.at);
}

void Load::wait_ends(const Wait& wait) {
  bins_.add(row_of(wait.core, Activity::wait), wait.begin, wait.end);
  // Who waits for a lock or a counter makes an access before and after; for a word, the access contains the
  // wait.
  if (wait.on == Wait::Target::word || wait.on == Wait::Target::words)
    bins_.add(row_of(wait.core, Activity::access), wait.begin, wait.end, -1);
}

void Load::unfinished(const Unfinished& core) {
  if (core.waits) bins_.add(row_of(core.core, Activity::wait), core.since, core.at);
}

} // namespace mesh
