// SPDX-License-Identifier: Apache-2.0
#include "ue/engines.hpp"

#include <stdexcept>

namespace rcce {

void Core::meet(std::uint64_t, int) {
  throw std::logic_error("Core::meet(): not on this engine");
}

std::unique_ptr<Engine> make_engine(const JobOptions& options, std::size_t shared_memory_bytes,
                                    mesh::Intervention* intervention, const mesh::Observers* observers) {
  if (options.engine == EngineKind::sim)
    return make_sim_engine(
        {options.machine, options.stack_bytes, shared_memory_bytes, intervention, observers});
  return make_thread_engine(
      {options.machine, options.stack_bytes, shared_memory_bytes, options.time == TimeSource::simulated});
}

} // namespace rcce
