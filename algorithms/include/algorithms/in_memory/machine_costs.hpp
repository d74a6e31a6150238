// SPDX-License-Identifier: Apache-2.0
// The seven numbers of the cost model (cost_model.hpp) of any simulated machine, from its parameters.
#pragma once

#include <span>

#include "algorithms/in_memory/cost_model.hpp"
#include "mesh_sim/machines/coherent/costs.hpp"

namespace algorithms::in_memory::cost {

/// For threads on those hardware threads. Distances are averages over their pairs: trees of the model know no
/// places. Streams: a miss, then a line after each 1/misses of it.
[[nodiscard]] inline Parameters parameters_of(const mesh::coherent::Config& config,
                                              std::span<const int> placement) {
  using mesh::coherent::Operation, mesh::coherent::State;
  const mesh::coherent::Costs costs(config);
  const auto nanoseconds = [](double picoseconds) { return picoseconds / 1000; };
  double remote = 0, memory = 0;
  std::size_t pairs = 0;
  for (const int a : placement)
    for (const int b : placement) {
      const int from = a % config.cores(), to = b % config.cores();
      if (from == to) continue;
      const int node = costs.node(from), other = costs.node(to);
      remote +=
          static_cast<double>(costs.latency(Operation::load, State::modified, costs.place(node, other)) +
                              costs.detour(node, other, other));
      memory += static_cast<double>(costs.latency(Operation::load, State::invalid, costs.place(node, other)));
      ++pairs;
    }
  Parameters p{};
  p.own = nanoseconds(static_cast<double>(costs.hit_load));
  p.remote = pairs > 0 ? nanoseconds(remote / static_cast<double>(pairs)) : p.own;
  p.memory = pairs > 0 ? nanoseconds(memory / static_cast<double>(pairs)) : p.own;
  p.readers = costs.serial_reads ? p.remote : nanoseconds(static_cast<double>(costs.read_occupancy));
  p.line = p.remote / costs.misses;
  p.begin = p.remote - p.line;
  return p;
}

} // namespace algorithms::in_memory::cost
