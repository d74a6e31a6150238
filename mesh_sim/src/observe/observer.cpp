// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/observer.hpp"

namespace mesh {

int Observers::call_kind(std::string_view name) {
  const auto guard = alone();
  const auto found = call_kinds_.find(name);
  if (found != call_kinds_.end()) return found->second;
  call_names_.emplace_back(name);
  return call_kinds_.emplace(name, static_cast<int>(call_names_.size()) - 1).first->second;
}

} // namespace mesh
