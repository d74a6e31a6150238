// SPDX-License-Identifier: Apache-2.0
// The options of rccebench reduce and allreduce on a cluster (--machine), and the points they ask for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cluster/runs.hpp"
#include "common_options.hpp"

namespace rccebench::cluster {

/// Whether the words of a command line name a cluster as --machine.
[[nodiscard]] bool asked_for(const std::vector<std::string>& words);

struct Options {
  CommonOptions common;
  bool for_all = false; ///< allreduce
  std::string algorithms, nodes = "64..65536", elements = "1", degrees = "4", splits = "0", order = "all",
                          type = "float64", op = "sum", noise = "both", study = "rows", in_flight = "0";
  int processes = 1, repetitions = 0, seed = 1; ///< repetitions 0: as many as make a quarter of a million nodes
  unsigned jobs = 0;

  void add_to(Command& command);

  [[nodiscard]] mesh::cluster::Config machine() const;
  [[nodiscard]] mesh::cluster::Vector what() const;
  [[nodiscard]] std::vector<int> node_counts() const;
  [[nodiscard]] std::vector<std::uint32_t> lengths() const;
  /// One for each value of --degree: "8/4" has degree 8 in the first phase and 4 in all others.
  [[nodiscard]] std::vector<std::vector<int>> degree_lists() const;
  [[nodiscard]] std::vector<int> split_counts() const;
  [[nodiscard]] mesh::cluster::Order combining_order() const;
  [[nodiscard]] std::vector<const algorithms::on_cards::ReduceRow*> rows() const;
  [[nodiscard]] std::int64_t repetitions_on(int nodes) const;
  /// A row at one size, with the options that it has not left at their first value.
  [[nodiscard]] Point point(const algorithms::on_cards::ReduceRow& row, int nodes,
                            std::uint32_t elements) const;
  /// Every combination of what is asked for.
  [[nodiscard]] std::vector<Point> points() const;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> settings() const;
};

[[nodiscard]] std::string options_text(const Point& point);

} // namespace rccebench::cluster
