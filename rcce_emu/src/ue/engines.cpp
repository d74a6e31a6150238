// SPDX-License-Identifier: Apache-2.0
#include "ue/engines.hpp"

#include <stdexcept>

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
