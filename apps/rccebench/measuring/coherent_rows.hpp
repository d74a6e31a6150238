// SPDX-License-Identifier: Apache-2.0
// Published measurements of cache-coherent machines (data/coherent.csv), and what the simulated machine of
// that name measures in their place.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "measuring/units.hpp"
#include "mesh_sim/machines/coherent/measure.hpp"
#include "present/csv_rows.hpp"

namespace rccebench {

struct CoherentRow {
  std::string id, machine;
  std::string quantity;         ///< a name of coherent_quantities()
  std::string operation, state; ///< for "access"; the algorithm's name for "region" and "barrier"
  mesh::coherent::Pair pair;
  int threads = 0;
  int base_threads = 0; ///< for quantities that compare two numbers of threads
  double value = 0;
  std::string unit;                ///< cycles of the machine, ns, GB/s or ratio
  std::optional<double> tolerance; ///< percent; none: reported only
  bool input = false;              ///< the value is a parameter of the machine
  std::string source;
  std::string beyond; ///< why the model is beyond the tolerance; empty where it is within
};

/// A value of a row's column `quantity`.
struct CoherentQuantity {
  std::string_view name, unit;
  std::string_view columns; ///< that count for it, with blanks: a row has all of them and no others
  double bytes;             ///< moved in the time; 0: it has no bandwidth
  std::string_view example, meaning;
};
[[nodiscard]] std::vector<CoherentQuantity> coherent_quantities();

/// `check` sees each row with its fields and may refuse it. Throws mesh::UserError "'FILE' line N: ..." for
/// what it cannot read.
[[nodiscard]] std::vector<CoherentRow>
read_coherent_rows(const CsvTable& table,
                   const std::function<void(const CoherentRow&, const Fields&)>& check = {});

/// Throws mesh::UserError "column 'NAME': ..." for what that machine does not have, and for a unit that is
/// none of the quantity's.
void check_coherent_row(const CoherentRow& row, const mesh::coherent::Config& machine);

/// The unit in which a row's model is given: its own where that is of the quantity's kind.
[[nodiscard]] MeasuredUnit measured_by(const CoherentRow& row, const mesh::coherent::Config& machine);

/// The row's quantity on that machine, in the unit of measured_by().
[[nodiscard]] double coherent_model(const CoherentRow& row, const mesh::coherent::Config& machine);

} // namespace rccebench
