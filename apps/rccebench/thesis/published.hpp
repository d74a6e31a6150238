// SPDX-License-Identifier: Apache-2.0
// The two tables of the SCC broadcast thesis, as kept in data/thesis.csv.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace rccebench::thesis {

enum class Which : std::uint8_t { cube, dopl }; ///< section 5.5 and section 6.3

struct PublishedCell {
  Which table;
  std::int64_t message_bytes;
  std::int64_t piece_bytes;   ///< part size of the cube, pipe size of DOPL
  std::int64_t printed_bytes; ///< differs where the thesis has a misprint
  double us;                  ///< the cube's least time, DOPL's only one
};

[[nodiscard]] const char* name_of(Which table);

/// Throws mesh::UserError "FILE line N: ..." for what it cannot read.
[[nodiscard]] std::vector<PublishedCell> read_tables(const std::filesystem::path& file);

} // namespace rccebench::thesis
