// SPDX-License-Identifier: Apache-2.0
#include "nic_reduction/measurements.hpp"

#include <algorithm>

namespace rccebench::publications::nic {

using mesh::cluster::Config;
using mesh::cluster::Series;
using mesh::cluster::Vector;

namespace {

constexpr int scaling_nodes[] = {16, 64, 128, 256, 512, all_nodes};

cluster::Point point_of(const Config& machine, bool on_cards, Vector what, int nodes, int processes) {
  cluster::Point point;
  point.machine = machine;
  point.algorithm = on_cards ? "reduce/f_nomial" : "reduce/4_ary_broadcast";
  point.options.degrees = {published_degree};
  point.what = what;
  point.nodes = nodes;
  point.processes = processes;
  return point;
}

} // namespace

double on_cards(const Config& machine, int nodes, Vector what, std::uint32_t elements, int degree,
                int processes) {
  cluster::Point point = point_of(machine, true, what, nodes, processes);
  point.options.degrees = {degree};
  point.elements = elements;
  return cluster::quiet_us(point);
}

double split_us(const Config& machine, std::uint32_t elements, int splits) {
  cluster::Point point = point_of(machine, true, float64_sum, split_nodes, 1);
  point.algorithm = "reduce/f_nomial_split";
  point.options.splits = splits;
  point.elements = elements;
  return cluster::quiet_us(point);
}

double serial_us(const Config& machine, int nodes, Vector what, std::uint32_t elements, bool combines) {
  cluster::Point point = point_of(machine, true, what, nodes, 1);
  point.algorithm = "reduce/serial";
  point.elements = elements;
  if (!combines)
    for (auto& row : point.machine.combine)
      for (auto& values : row) values.assign(mesh::cluster::combining_points, 0);
  return cluster::quiet_us(point);
}

Measurements measure(unsigned jobs, const Effort& effort) {
  Measurements all;
  all.effort = effort;
  all.unfitted = mesh::cluster::load_machine("alc");
  all.fitted = mesh::cluster::load_machine("alc-fitted");

  std::vector<cluster::Point> points;
  std::vector<std::function<void(const Series&)>> readers;
  const auto add = [&](cluster::Point point, std::int64_t repetitions, std::uint64_t seed,
                       std::function<void(const Series&)> reader) {
    point.protocol.repetitions = repetitions;
    point.seed = seed;
    points.push_back(std::move(point));
    readers.push_back(std::move(reader));
  };
  const auto mean_into = [&effort](double& mean) {
    return [&mean, &effort](const Series& series) { mean += series.mean_us() / effort.seeds; };
  };
  const auto into = [](double& mean) { return [&mean](const Series& series) { mean = series.mean_us(); }; };

  std::vector<mesh::Picoseconds> busy;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(effort.seeds); ++seed) {
    add(point_of(all.fitted, true, int32_sum, all_nodes, 2), effort.repetitions, seed,
        mean_into(all.card_int));
    add(point_of(all.fitted, true, float64_sum, all_nodes, 2), effort.repetitions, seed,
        mean_into(all.card_float));
    add(point_of(all.fitted, false, int32_sum, all_nodes, 2), effort.host_repetitions, seed,
        mean_into(all.host_int));
    add(point_of(all.fitted, false, float64_sum, all_nodes, 2), effort.host_repetitions, seed,
        [&](const Series& series) {
          all.host_float += series.mean_us() / effort.seeds;
          busy.insert(busy.end(), series.times.begin(), series.times.end());
        });
  }
  add(point_of(all.fitted, true, int32_sum, all_nodes, 1), effort.repetitions, 1, into(all.card_int_single));
  add(point_of(all.fitted, true, float64_sum, all_nodes, 1), effort.repetitions, 1,
      into(all.card_float_single));
  add(point_of(all.fitted, false, int32_sum, all_nodes, 1), effort.host_repetitions, 1,
      into(all.host_int_single));
  for (const bool cards : {false, true}) {
    cluster::Point point = point_of(all.fitted, cards, float64_sum, consistency_nodes, 1);
    point.protocol.timed_singly = true;
    add(point, effort.repetitions, 1,
        [&times = cards ? all.card_times : all.host_times](const Series& series) { times = series.times; });
  }
  for (const bool cards : {true, false})
    for (const Vector what : {int32_sum, float64_sum})
      for (const int processes : {1, 2})
        for (const int nodes : scaling_nodes) {
          const std::size_t place = all.scaling.size();
          all.scaling.push_back({cards, what, nodes, processes, 0});
          add(point_of(all.fitted, cards, what, nodes, processes), effort.host_repetitions, 1,
              [&all, place](const Series& series) { all.scaling[place].us = series.mean_us(); });
        }

  const std::vector<Series> series = cluster::run_all(points, jobs);
  for (std::size_t i = 0; i < series.size(); ++i) {
    readers[i](series[i]);
    all.repetitions += static_cast<std::int64_t>(series[i].times.size());
    all.simulated += series[i].simulated;
    all.digest = all.digest * 31 + series[i].digest;
  }
  all.busy_host = cluster::Distribution::of(busy);
  all.host = cluster::Distribution::of(all.host_times);
  all.card = cluster::Distribution::of(all.card_times);
  return all;
}

} // namespace rccebench::publications::nic
