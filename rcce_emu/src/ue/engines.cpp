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

void Core::meet(std::uint64_t, int) {
  throw std::logic_error("Core::meet(): not on this engine");
}

std::unique_ptr<Engine> make_engine(const JobOptions& options, std::size_t shared_memory_bytes,
                                    mesh::Intervention* intervention, const mesh::Observers* observers) {
  if (options.engine == EngineKind::sim)
    return make_sim_engine(
        {options.machine, options.stack_bytes, shared_memory_bytes, intervention, observers});
  if (options.engine == EngineKind::mpi)
    return make_mpi_engine(
        {options.machine, options.cores, options.stack_bytes, shared_memory_bytes, {leave_ue, back_to_ue}});
  return make_thread_engine(
      {options.machine, options.stack_bytes, shared_memory_bytes, options.time == TimeSource::simulated});
}

} // namespace rcce
