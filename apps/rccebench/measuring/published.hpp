// SPDX-License-Identifier: Apache-2.0
// Published measurements of the real chip, as kept in data/published.csv.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

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

[[nodiscard]] std::vector<Published> read_published(const std::filesystem::path& file);

} // namespace rccebench
