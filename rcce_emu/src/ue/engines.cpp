// SPDX-License-Identifier: Apache-2.0
#include "ue/engines.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "ue/job_state.hpp"

namespace rcce {
namespace {

void* leave_ue() {
  Ue* const ue = current_ue();
  set_current(current_job(), nullptr);
  return ue;
}

void back_to_ue(void* ue) {
  set_current(current_job(), static_cast<Ue*>(ue));
}

} // namespace

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

std::unique_ptr<Engine> make_engine(const mesh::MachineDescription& machine, const EngineOptions& options,
                                    const std::vector<int>& cores, mesh::Intervention* intervention,
                                    const mesh::Observers* observers) {
  if (options.kind == EngineKind::sim) return make_sim_engine(machine, options, intervention, observers);
  if (options.kind == EngineKind::mpi)
    return make_mpi_engine(machine, options, cores, {leave_ue, back_to_ue});
  return make_thread_engine(machine, options);
}

} // namespace rcce
