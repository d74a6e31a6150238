// SPDX-License-Identifier: Apache-2.0
// What rccebench reduce and allreduce say of a cluster.
#pragma once

#include "cluster/options.hpp"
#include "report.hpp"

namespace rccebench::cluster {

struct Outcome {
  Report report;
  bool right = true; ///< every result was
};

/// Every row at every size, without and with noise.
[[nodiscard]] Outcome rows_study(const Options& options);
/// The published cost model of f_nomial beside the simulation, and what they differ by, term by term.
[[nodiscard]] Outcome model_study(const Options& options);
/// Best degree and splits by nodes and elements, beside awake_tree.
[[nodiscard]] Outcome map_study(const Options& options);
/// Cards and hosts by the amount of noise.
[[nodiscard]] Outcome noise_study(const Options& options);
/// What a combine step may cost on the card before the host wins, by nodes.
[[nodiscard]] Outcome crossover_study(const Options& options);

/// Runs the study that is asked for and writes it; 1 where a result was wrong.
[[nodiscard]] int run_study(const Options& options);

} // namespace rccebench::cluster
