// SPDX-License-Identifier: Apache-2.0
// Published measurements of the real chip, as kept in data/published.csv.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "present/csv_rows.hpp"

namespace rccebench {

struct Published {
  std::string group, id;
  bool fit = false; ///< the machine's parameters were chosen with this row in sight
  double value = 0;
  std::string unit;
  std::optional<int> cores, hops;
  std::optional<std::int64_t> bytes;
  std::string quantity, source;
};

/// `check` sees each row with its fields and may refuse it. Throws mesh::UserError "'FILE' line N: ..." for
/// what it cannot read.
[[nodiscard]] std::vector<Published>
read_published(const CsvTable& table, const std::function<void(Published&, const Fields&)>& check = {});

} // namespace rccebench
