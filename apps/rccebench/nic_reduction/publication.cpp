// SPDX-License-Identifier: Apache-2.0
#include "nic_reduction/publication.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rccebench::publications {

Reproduction nic_reduction(unsigned jobs) {
  const nic::Measurements measured = nic::measure(jobs);
  Reproduction result;
  result.publication =
      "Moody, Fernandez, Petrini, Panda: Scalable NIC-based Reduction on Large-scale Clusters, SC 2003";
  result.machines = "alc,alc-fitted";
  std::vector<std::string> fitted;
  for (const auto& preset : mesh::cluster::presets())
    if (preset.name == measured.fitted.name) fitted = mesh::marked_values(preset.text, "fitted");
  result.settings = {
      {"machines", "alc, with nothing fitted (claims 1 to 5, 6 where it says so); alc-fitted (all others)"},
      {"fitted", fmt::format("{}", fmt::join(fitted, ", "))},
      {"protocol",
       fmt::format("degree {}; cards: a barrier in each time; hosts: a 4-ary tree and a broadcast; {} "
                   "repetitions, hosts at 906 "
                   "nodes and figure 11 {}",
                   nic::published_degree, measured.effort.repetitions, measured.effort.host_repetitions)},
      {"noise",
       fmt::format("seeds 1 to {} for 7, 8, 9, 11 and 15, seed 1 for the rest; {} of {} repetitions were "
                   "disturbed and simulated",
                   measured.effort.seeds, measured.simulated, measured.repetitions)},
      {"digest", fmt::format("{:016x}", measured.digest)}};
  result.claims = nic::claims_of(measured);
  result.figures = nic::figures_of(measured);
  constexpr int nodes = 16;
  const std::string degree = fmt::format("degree={}", nic::published_degree);
  for (const char* const algorithm : {"reduce/f_nomial", "reduce/f_nomial_split"})
    result.schedules.push_back(show::asked(algorithm, "alc", nodes, {degree}));
  for (const char* const algorithm : {"reduce/4_ary_broadcast", "reduce/serial"})
    result.schedules.push_back(show::asked(algorithm, "alc", nodes));
  return result;
}

} // namespace rccebench::publications
