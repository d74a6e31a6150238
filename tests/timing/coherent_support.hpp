// SPDX-License-Identifier: Apache-2.0
// What the tests of the coherent machine share.
#pragma once

#include <cmath>
#include <functional>

#include "mesh_sim/machines/coherent/core.hpp"
#include "mesh_sim/machines/machines.hpp"

namespace mesh::coherent {

/// A row of the machine's table, in picoseconds.
inline Picoseconds table(const Config& config, Operation operation, State state, int place) {
  return std::llround(config.latency[static_cast<std::size_t>(operation)][static_cast<std::size_t>(state)]
                                    [static_cast<std::size_t>(place)] *
                      1e6 / config.clock_mhz);
}

/// A preset whose cores wait for their stores.
inline Config blocking(std::string_view name) {
  Config config = load_machine(name);
  config.store_buffer = 0;
  return config;
}

/// Runs the same program on every thread.
inline void run(Machine& machine, const std::function<void(Core&)>& program) {
  for (int thread = 0; thread < machine.threads(); ++thread) machine.start(thread, program);
  machine.run();
}

} // namespace mesh::coherent
