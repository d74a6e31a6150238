// SPDX-License-Identifier: Apache-2.0
// What is alike for all engines.
#include "rcce_emu/engine.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "mesh_sim/parts/topology.hpp"

namespace rcce {

int Engine::tiles() const noexcept {
  return topology().tiles();
}

int Engine::tile_of(int core) const noexcept {
  return index(topology().tile_of(mesh::CoreId{core}));
}

std::pair<std::uintptr_t, std::size_t> Engine::visible_memory() noexcept {
  const auto mpbs = reinterpret_cast<std::uintptr_t>(mpb(0)),
             shared = reinterpret_cast<std::uintptr_t>(shared_memory());
  const std::uintptr_t begin = std::min(mpbs, shared);
  return {begin,
          std::max(mpbs + static_cast<std::size_t>(cores()) * mpb_bytes(), shared + shared_memory_bytes()) -
              begin};
}

mesh::PollEnd Core::poll(std::span<const mesh::PolledWord>, Picoseconds, Picoseconds) {
  throw std::logic_error("Core::poll(): not on this engine");
}

void Core::meet(std::uint64_t, int) {
  throw std::logic_error("Core::meet(): not on this engine");
}

} // namespace rcce
