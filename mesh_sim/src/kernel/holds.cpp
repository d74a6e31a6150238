// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/kernel/holds.hpp"

#include "mesh_sim/kernel/kernel.hpp"

namespace mesh {

namespace {

/// Accesses of others that a held core sits through: then they only poll for what it will do itself.
constexpr std::uint64_t most_patience = 20'000;

} // namespace

void Holds::before(Kernel& kernel, std::uint64_t access) {
  for (std::size_t i = 0; i < holds_.size(); ++i) {
    if (holds_[i].core != kernel.current() || holds_[i].access != access) continue;
    states_[i].reached = true;
    if (states_[i].met) continue;
    states_[i].waiting = true;
    states_[i].patience = most_patience;
    while (states_[i].waiting) kernel.block();
  }
}

void Holds::acted(Kernel& kernel, int core, std::uint64_t access, Picoseconds at) {
  for (std::size_t i = 0; i < holds_.size(); ++i) {
    if (holds_[i].other == core && holds_[i].other_access == access) {
      states_[i].met = true;
      if (states_[i].waiting) release(kernel, i, at);
    } else if (states_[i].waiting && --states_[i].patience == 0) {
      impatient_ = states_[i].broken = true;
      release(kernel, i, at);
    }
  }
}

bool Holds::last_call(Kernel& kernel) {
  bool any = false;
  for (std::size_t i = 0; i < holds_.size(); ++i) {
    if (!states_[i].waiting) continue;
    release(kernel, i, kernel.clock(holds_[i].core));
    impossible_ = states_[i].broken = any = true;
  }
  return any;
}

bool Holds::holds(int core) const noexcept {
  for (std::size_t i = 0; i < holds_.size(); ++i)
    if (states_[i].waiting && holds_[i].core == core) return true;
  return false;
}

const Hold* Holds::first_missing() const noexcept {
  for (std::size_t i = 0; i < holds_.size(); ++i)
    if (!states_[i].reached || !states_[i].met || states_[i].broken) return &holds_[i];
  return nullptr;
}

void Holds::release(Kernel& kernel, std::size_t i, Picoseconds at) {
  states_[i].waiting = false;
  states_[i].met = true;
  kernel.wake(holds_[i].core, at);
}

} // namespace mesh
