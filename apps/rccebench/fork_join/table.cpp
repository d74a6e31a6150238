// SPDX-License-Identifier: Apache-2.0
#include "fork_join/table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "lab.hpp"
#include "mesh_sim/machines/coherent/machine.hpp"

namespace rccebench::fork_join {

namespace {

std::string key_of(const std::string& workload, const std::string& variant, const std::string& machine,
                   bool reset) {
  return fmt::format("{}/{}/{}/{}", workload, variant, machine, reset);
}

} // namespace

bool is_measured(const std::string& workload, const std::string& variant) {
  const bool likelihood = workload.starts_with("raxml"), plain = variant.find('+') == std::string::npos;
  return plain || (likelihood && (workload == "raxml-1481" || variant != "flat-padded + master vector"));
}

bool Simulated::run(unsigned jobs) {
  struct Named {
    std::string key;
    Point point;
    enum { timed, placed, what_if } kind = timed;
  };
  std::vector<Named> points;
  const auto first_cores = [](const Machine& machine) {
    return mesh::coherent::placement(mesh::coherent::load_machine(machine.name), "compact", machine.cores);
  };
  for (const Machine& machine : machines)
    for (const char* const workload : {"sync-only", "array", "raxml-404", "raxml-1481"}) {
      const bool likelihood = std::string_view(workload).starts_with("raxml");
      if (likelihood && machine.cores < multi_socket.front().cores) continue;
      for (const Variant& variant : variants()) {
        if (!is_measured(workload, variant.name)) continue;
        const Point point{machine.name, first_cores(machine), workload, variant};
        points.push_back({key_of(workload, variant.name, machine.name, false), point});
        if (std::string_view(workload) != "sync-only") continue;
        points.push_back({key_of(workload, variant.name, machine.name, true),
                          {machine.name, first_cores(machine), workload, with_reset(variant)}});
      }
    }
  const Variant padded = variants()[1];
  const auto place = [&](const char* name, const char* machine, std::vector<int> places) {
    points.push_back({name, {machine, std::move(places), "sync-only", padded}, Named::placed});
  };
  place("core2q one die", "core2q", {0, 1});
  place("core2q two dies", "core2q", {0, 2});
  place("nehalem siblings", "nehalem",
        {0, 1, 2, 3, 8, 9, 10, 11}); // the second threads of the first four cores
  place("i5-750 neighbours", "i5-750", {0, 1});
  place("i5-750 apart", "i5-750", {0, 3});

  for (const Machine& machine : multi_socket)
    for (std::size_t variant = 0; variant < 6; ++variant) {
      points.push_back({fmt::format("{}/{}", machine.name, variants()[variant].name),
                        {machine.name, first_cores(machine), "sync-only", variants()[variant],
                         published_service_ns(machine)},
                        Named::what_if});
    }

  const auto timings = sweep<Result, Named>(
      points, jobs, [](const Named& named) { return static_cast<double>(named.point.places.size()); },
      [](const Named& named) { return measure(named.point); });
  const auto counts = sweep<likelihood::Counts, DataSet>(
      {std::begin(data_sets), std::end(data_sets)}, jobs,
      [](const DataSet& data) { return static_cast<double>(data.organisms); }, count_regions);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!timings[i]) return false;
    auto& of_kind = points[i].kind == Named::placed ? placed_
        : points[i].kind == Named::what_if          ? what_if_
                                                    : timings_;
    of_kind[points[i].key] = *timings[i];
  }
  for (const auto& count : counts) {
    if (!count) return false;
    counts_.push_back(*count);
  }
  return true;
}

const Result& Simulated::at(const std::string& workload, const std::string& variant,
                            const std::string& machine, bool reset) const {
  return timings_.at(key_of(workload, variant, machine, reset));
}

} // namespace rccebench::fork_join
