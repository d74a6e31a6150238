// SPDX-License-Identifier: Apache-2.0
// Published measurements of cache-coherent machines (data/coherent.csv), and what the simulated machine of
// that name measures in their place.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "mesh_sim/machines/coherent/measure.hpp"

namespace rccebench {

struct CoherentRow {
  std::string id, machine;
  std::string quantity;         ///< a function of measure.hpp, or of coherent_quantities.cpp
  std::string operation, state; ///< of "access"; the algorithm's name for "region" and "barrier"
  mesh::coherent::Pair pair;
  int threads = 0;
  int base_threads = 0; ///< of quantities that compare two numbers of threads
  double value = 0;
  std::string unit;                ///< cycles of the machine, ns, GB/s or ratio
  std::optional<double> tolerance; ///< percent; none: reported only
  bool input = false;              ///< the value is a parameter of the machine
  std::string source;
  std::string beyond; ///< why the model is beyond the tolerance; empty where it is within
};

/// Throws mesh::UserError "FILE line N: ..." for what it cannot read.
[[nodiscard]] std::vector<CoherentRow> read_coherent_rows(const std::filesystem::path& file);

/// What the row's quantity is on that machine, in the row's unit. Throws mesh::UserError for a quantity that
/// nobody measures.
[[nodiscard]] double coherent_model(const CoherentRow& row, const mesh::coherent::Config& machine);

} // namespace rccebench
