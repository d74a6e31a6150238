// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/placement.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"

namespace mesh::coherent {

std::vector<int> placement(const Config& config, std::string_view rule, int threads) {
  if (threads < 1 || threads > config.threads())
    throw UserError(fmt::format("{} threads on machine '{}': it runs 1 to {}, one on each hardware thread",
                                threads, config.name, config.threads()));
  const int cores = config.cores(), nodes = static_cast<int>(config.nodes),
            in_node = static_cast<int>(config.cores_per_node),
            of_node = in_node * static_cast<int>(config.threads_per_core);
  const auto place = [&](int thread) {
    const int core = thread % cores;
    if (rule == "compact") return thread;
    if (rule == "scatter") return thread - core + core % nodes * in_node + core / nodes;
    if (rule == "fill")
      return thread % of_node / in_node * cores + thread / of_node * in_node + thread % in_node;
    throw UserError(
        fmt::format("placement '{}' is none of compact (node after node), scatter (one to each node in "
                    "turn), fill (all hardware threads of node after node)",
                    rule));
  };
  std::vector<int> places;
  for (int thread = 0; thread < threads; ++thread) places.push_back(place(thread));
  return places;
}

Placement::Placement(const Config& config, std::span<const int> places) {
  std::vector<bool> taken(static_cast<std::size_t>(config.threads()));
  for (const int place : places) {
    if (place < 0 || place >= config.threads() || taken[static_cast<std::size_t>(place)])
      throw UserError(
          fmt::format("hardware thread {} of machine '{}': there are 0 to {}, for one thread each", place,
                      config.name, config.threads() - 1));
    taken[static_cast<std::size_t>(place)] = true;
    core_of_.push_back(place % config.cores());
  }
  for (const int core : core_of_)
    slowdown_.push_back(std::count(core_of_.begin(), core_of_.end(), core) > 1 ? config.busy_sibling : 1);
}

} // namespace mesh::coherent
