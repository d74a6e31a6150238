// SPDX-License-Identifier: Apache-2.0
// The publication's tables and figures as data.
#include <algorithm>

#include <fmt/format.h>

#include "nic_reduction/publication.hpp"

namespace rccebench::publications::nic {
namespace {

using mesh::cluster::Config;
using mesh::cluster::Operation;
using mesh::cluster::Type;
using mesh::cluster::Vector;

constexpr int most_serial = 13;

std::string name_of(Vector what) {
  return fmt::format("{} {}", mesh::cluster::name(what.type), mesh::cluster::name(what.operation));
}

/// The slope of serial reductions over 2 to 13 nodes.
double slope(const Config& machine, Vector what, std::uint32_t elements, bool combines) {
  return (serial_us(machine, most_serial, what, elements, combines) -
          serial_us(machine, 2, what, elements, combines)) /
      (most_serial - 2);
}

Figure figure_2(const Config& machine) {
  Figure figure{"figure-02",
                {"figure 2: serial reductions, preset alc",
                 {{"Nodes", "", 0},
                  {"NOP", "us", 2},
                  {"int32 add 1", "us", 2},
                  {"int32 add 2", "us", 2},
                  {"float64 add 1", "us", 2},
                  {"float64 add 2", "us", 2}},
                 {}}};
  for (int nodes = 2; nodes <= most_serial; ++nodes)
    figure.table.rows.push_back(
        {std::int64_t{nodes}, serial_us(machine, nodes, int32_sum, 1, false),
         serial_us(machine, nodes, int32_sum, 1), serial_us(machine, nodes, int32_sum, 2),
         serial_us(machine, nodes, float64_sum, 1), serial_us(machine, nodes, float64_sum, 2)});
  return figure;
}

Figure table_2(const Config& machine) {
  Figure figure{"table-2",
                {"table 2: what lines through serial reductions over 2 to 13 nodes give, preset alc",
                 {{"Parameter", "", 0}, {"Elements", "", 0}, {"Published", "us", 2}, {"Simulated", "us", 2}},
                 {}}};
  const double receive = slope(machine, int32_sum, 1, false);
  figure.table.rows.push_back({std::string("r"), Cell{}, 0.42, receive});
  figure.table.rows.push_back(
      {std::string("C + L"), Cell{}, 11.30, serial_us(machine, 2, int32_sum, 1, false) - receive});
  const struct {
    Vector what;
    double published[4];
  } rows[] = {{{Type::int32, Operation::max}, {0.27, 0.46, 0.84, 1.60}},
              {{Type::int32, Operation::sum}, {0.25, 0.44, 0.76, 1.44}},
              {{Type::float64, Operation::max}, {0.67, 1.27, 2.44, 4.80}},
              {{Type::float64, Operation::sum}, {1.50, 2.95, 5.80, 11.56}}};
  for (const auto& row : rows)
    for (std::uint32_t i = 0; i < 4; ++i)
      figure.table.rows.push_back({fmt::format("c, {}", name_of(row.what)), std::int64_t{1} << i,
                                   row.published[i], slope(machine, row.what, 1U << i, true) - receive});
  return figure;
}

Figure figure_10(const Config& machine) {
  Figure figure{
      "figure-10",
      {"figure 10: 31 nodes, float64 add, by degree, preset alc: simulated, and the published formula",
       {{"Degree", "", 0}},
       {}}};
  for (const char* kind : {"Simulated", "Formula"})
    for (const int elements : {1, 2, 4, 8})
      figure.table.columns.push_back({fmt::format("{} {}", kind, elements), "us", 2});
  const cluster::CostModel model(machine);
  for (int degree = 2; degree <= 8; ++degree) {
    std::vector<Cell> row{std::int64_t{degree}};
    for (const std::uint32_t elements : {1U, 2U, 4U, 8U})
      row.emplace_back(on_cards(machine, 31, float64_sum, elements, degree));
    for (const std::uint32_t elements : {1U, 2U, 4U, 8U})
      row.emplace_back(
          model.f_nomial(31, degree, mesh::cluster::microseconds(machine.card_step(float64_sum, elements))));
    figure.table.rows.push_back(std::move(row));
  }
  return figure;
}

Figure figure_11(const Measurements& m) {
  Figure figure{"figure-11",
                {fmt::format("figure 11: degree 4 on cards, 4-ary tree and broadcast on hosts, preset "
                             "alc-fitted, mean of {} repetitions, seed 1",
                             m.effort.host_repetitions),
                 {{"Nodes", "", 0}},
                 {}}};
  std::vector<int> nodes;
  for (const Scaling& one : m.scaling) {
    if (std::find(nodes.begin(), nodes.end(), one.nodes) == nodes.end()) nodes.push_back(one.nodes);
    if (one.nodes == nodes.front())
      figure.table.columns.push_back({fmt::format("{} {} {}", one.on_cards ? "card" : "host",
                                                  mesh::cluster::name(one.what.type), one.processes),
                                      "us", 2});
  }
  for (const int count : nodes) {
    std::vector<Cell> row{std::int64_t{count}};
    for (const Scaling& one : m.scaling)
      if (one.nodes == count) row.emplace_back(one.us);
    figure.table.rows.push_back(std::move(row));
  }
  return figure;
}

Figure table_3(const Measurements& m) {
  Figure figure{"table-3",
                {"table 3: 900 nodes, float64 add, timed singly, without the slowest 1 %, preset alc-fitted",
                 {{"Reduction", "", 0},
                  {"Published mean", "us", 2},
                  {"Simulated mean", "us", 2},
                  {"Published deviation", "us", 2},
                  {"Simulated deviation", "us", 2},
                  {"Least", "us", 2},
                  {"Most", "us", 2}},
                 {}}};
  figure.table.rows.push_back({std::string("on hosts"), 89.30, m.host.kept_mean, 65.26, m.host.kept_deviation,
                               m.host.least, m.host.most});
  figure.table.rows.push_back({std::string("on cards"), 73.67, m.card.kept_mean, 0.29, m.card.kept_deviation,
                               m.card.least, m.card.most});
  return figure;
}

/// Bins of 2 us where the peaks are, wider ones behind.
Figure figure_12(const Measurements& m) {
  Figure figure{"figure-12",
                {fmt::format("figure 12: distribution of {} calls on 900 nodes, preset alc-fitted",
                             m.effort.repetitions),
                 {{"From", "us", 0}, {"To", "us", 0}, {"On hosts", "", 0}, {"On cards", "", 0}},
                 {}}};
  std::vector<std::int64_t> edges{0};
  for (std::int64_t edge = 50; edge < 120; edge += 2) edges.push_back(edge);
  for (std::int64_t edge = 120; edge < 400; edge += 20) edges.push_back(edge);
  for (std::int64_t edge = 400; edge <= 102'400; edge *= 2) edges.push_back(edge);
  const auto in = [&](const std::vector<mesh::Picoseconds>& times, std::int64_t from, std::int64_t to) {
    return static_cast<std::int64_t>(std::count_if(times.begin(), times.end(), [&](mesh::Picoseconds time) {
      return time >= from * mesh::picoseconds_per_microsecond &&
          time < to * mesh::picoseconds_per_microsecond;
    }));
  };
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const std::int64_t hosts = in(m.host_times, edges[i], edges[i + 1]),
                       cards = in(m.card_times, edges[i], edges[i + 1]);
    if (hosts + cards > 0) figure.table.rows.push_back({edges[i], edges[i + 1], hosts, cards});
  }
  return figure;
}

Figure figure_13(const Config& machine) {
  Figure figure{"figure-13",
                {"figure 13: 512 nodes, float64 add, by splits, preset alc-fitted; published: 16 elements "
                 "with 4 splits take 140 us",
                 {{"Elements", "", 0}},
                 {}}};
  constexpr int most_splits = 4;
  for (int splits = 0; splits <= most_splits; ++splits)
    figure.table.columns.push_back({fmt::format("{} splits", splits), "us", 1});
  for (const std::uint32_t elements : {1U, 2U, 4U, 8U, 16U}) {
    std::vector<Cell> row{std::int64_t{elements}};
    for (int splits = 0; splits <= most_splits; ++splits) {
      Cell& cell = row.emplace_back();
      if (elements >> splits >= 1) cell = split_us(machine, elements, splits);
    }
    figure.table.rows.push_back(std::move(row));
  }
  return figure;
}

} // namespace

std::vector<Figure> figures_of(const Measurements& measured) {
  return {figure_2(measured.unfitted), table_2(measured.unfitted), figure_10(measured.unfitted),
          figure_11(measured),         table_3(measured),          figure_12(measured),
          figure_13(measured.fitted)};
}

} // namespace rccebench::publications::nic
