// SPDX-License-Identifier: Apache-2.0
#include "show/locks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "algorithms/in_memory/lock/locks.hpp"
#include "algorithms/in_memory/simulated.hpp"
#include "lab.hpp"
#include "show/parameters.hpp"

namespace rccebench::show {

void record_lock(Recording& recording, const mesh::coherent::Config& config,
                 const std::vector<std::string>& parameters) {
  namespace in_memory = algorithms::in_memory;
  using algorithms::memory::Simulated;
  constexpr std::int64_t usual_cycles = 1000, most_cycles = 1'000'000;
  std::int64_t cycles = usual_cycles;
  const auto values = read_parameters(parameters, recording.algorithm, {"hold"});
  if (values.contains("hold"))
    cycles = read_numbers(values.at("hold"), "--parameter hold", 1, most_cycles, "cycles").front();
  recording.parameters = {{"hold", fmt::format("{}", cycles)}};

  mesh::coherent::Machine machine(config, mesh::coherent::placement(config, "compact", recording.ranks()));
  Simulated memory(machine);
  const auto lock = algorithms::row_of(in_memory::locks<Simulated>(), recording.algorithm).make(memory, 0);
  memory.run([&](mesh::coherent::Core& core) {
    lock.acquire(core);
    const mesh::Picoseconds from = core.now();
    core.compute(static_cast<double>(cycles));
    recording.holds.push_back({core.thread(), from, core.now()});
    lock.release(core);
    recording.end = std::max(recording.end, core.now());
  });
  std::sort(recording.holds.begin(), recording.holds.end(),
            [](const Hold& a, const Hold& b) { return a.begin < b.begin; });
  for (std::size_t i = 1; i < recording.holds.size(); ++i) {
    const Hold &before = recording.holds[i - 1], &one = recording.holds[i];
    recording.edges.push_back({static_cast<int>(i), before.rank, one.rank, false, 0, before.end, one.begin});
  }
}

} // namespace rccebench::show
