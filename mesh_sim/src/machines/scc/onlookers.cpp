// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/scc/onlookers.hpp"

#include "mesh_sim/observe/observers.hpp"

namespace mesh::scc {

void Onlookers::tell_issue(Access access) {
  access.core = kernel_.current();
  access.at = kernel_.now();
  observers_->tell(&Observer::issued, Told::issues, access);
}

void Onlookers::tell_acts(Access access, Picoseconds at) {
  access.core = kernel_.current();
  access.at = at;
  if (intervention_ != nullptr) intervention_->acts(kernel_, access);
  if (has(told_, Told::acts)) observers_->tell(&Observer::acted, Told::acts, access);
}

void Onlookers::tell_end(Access access, Picoseconds begin) {
  access.core = kernel_.current();
  access.at = kernel_.now();
  observers_->tell(&Observer::ended, Told::ends, access, begin);
}

} // namespace mesh::scc
