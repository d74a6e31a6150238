// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/scc/probes.hpp"

#include "mesh_sim/observe/observers.hpp"

namespace mesh::scc {

void ProbeSet::notify_issue(Access access) {
  access.core = kernel_.current();
  access.at = kernel_.now();
  observers_->notify(&Observer::issued, EventMask::issues, access);
}

void ProbeSet::notify_acts(Access access, Picoseconds at) {
  access.core = kernel_.current();
  access.at = at;
  if (intervention_ != nullptr) intervention_->acts(kernel_, access);
  if (has(wanted_, EventMask::acts)) observers_->notify(&Observer::acted, EventMask::acts, access);
}

void ProbeSet::notify_end(Access access, Picoseconds begin) {
  access.core = kernel_.current();
  access.at = kernel_.now();
  observers_->notify(&Observer::ended, EventMask::ends, access, begin);
}

} // namespace mesh::scc
