// SPDX-License-Identifier: Apache-2.0
#include "ue/engines.hpp"

#include <stdexcept>

namespace rcce {

void Core::meet(std::uint64_t, int) {
  throw std::logic_error("Core::meet(): not on this engine");
}

std::unique_ptr<Engine> make_engine(const mesh::MachineDescription& machine, const EngineOptions& options,
                                    mesh::Intervention* intervention, const mesh::Observers* observers) {
  return options.kind == EngineKind::sim ? make_sim_engine(machine, options, intervention, observers)
                                         : make_thread_engine(machine, options);
}

} // namespace rcce
