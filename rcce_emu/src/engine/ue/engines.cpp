// SPDX-License-Identifier: Apache-2.0
#include "engine/ue/engines.hpp"

#include "engine/ue/job_state.hpp"

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

std::unique_ptr<Engine> make_engine(const mesh::MachineDescription& machine, const EngineOptions& options,
                                    const std::vector<int>& cores, mesh::Intervention* intervention,
                                    const mesh::Observers* observers) {
  if (options.kind == EngineKind::sim) return make_sim_engine(machine, options, intervention, observers);
  if (options.kind == EngineKind::mpi)
    return make_mpi_engine(machine, options, cores, {leave_ue, back_to_ue});
  return make_thread_engine(machine, options);
}

} // namespace rcce
