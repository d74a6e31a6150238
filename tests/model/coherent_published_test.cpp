// SPDX-License-Identifier: Apache-2.0
// Are the simulated coherent machines where the published measurements are? Rows with a tolerance, but those
// that have a reason why not.
#include <cmath>

#include "catch.hpp"
#include "measuring/coherent_rows.hpp"

using namespace rccebench;

TEST_CASE("published rows with a tolerance are within it") {
  const auto rows = read_coherent_rows(CsvTable(ROCKCREEK_PUBLISHED));
  REQUIRE(rows.size() > 50);
  for (const CoherentRow& row : rows) {
    const double model = coherent_model(row, mesh::coherent::load_machine(row.machine));
    INFO(row.id << " " << row.machine << " " << row.quantity << " " << row.operation << " " << row.state
                << ": model " << model << ", published " << row.value << " " << row.unit);
    CHECK(model > 0);
    if (row.tolerance) CHECK((std::abs(model / row.value - 1) * 100 <= *row.tolerance) == row.beyond.empty());
  }
}

TEST_CASE("every row is of a preset, and inputs are met") {
  for (const CoherentRow& row : read_coherent_rows(CsvTable(ROCKCREEK_PUBLISHED))) {
    INFO(row.id);
    CHECK(mesh::coherent::load_machine(row.machine).name == row.machine);
    if (row.input) CHECK(row.beyond.empty());
  }
}
