// SPDX-License-Identifier: Apache-2.0
// Rows of algorithms by name.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace algorithms::in_memory {

/// The row of that name; null where there is none.
template <class Row>
[[nodiscard]] constexpr const Row* find_row(std::span<const Row> rows, std::string_view name) noexcept {
  for (const Row& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

/// The row of that name. Throws std::invalid_argument that lists the names.
template <class Row>
[[nodiscard]] const Row& row_of(std::span<const Row> rows, std::string_view name) {
  if (const Row* const row = find_row(rows, name)) return *row;
  std::string message = "there is no '" + std::string(name) + "' in shared memory; there are";
  for (const Row& row : rows) message += (&row == rows.data() ? " " : ", ") + std::string(row.name);
  throw std::invalid_argument(message);
}

} // namespace algorithms::in_memory
