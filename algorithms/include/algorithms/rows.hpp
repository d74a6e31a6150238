// SPDX-License-Identifier: Apache-2.0
// Rows of algorithms by name, and what may be chosen about an algorithm: for tables in shared memory and on
// network cards.
#pragma once

#include <charconv>
#include <deque>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace algorithms {

/// A choice about an algorithm that is built with these options.
template <class Options>
struct Parameter {
  std::string_view name; ///< lower case, underscores
  std::string_view help; ///< one line, without a full stop
  int least = 0, most = 0;
  union {
    int default_value = -1;                                    ///< below `least`: chosen for the machine
    int standard [[deprecated("it is called default_value")]]; ///< works in version 0.1
  };
  std::string_view words = {}; ///< "ring folded": a choice among words; empty: a number
  bool list = false;           ///< several numbers, with '/' between them
  std::string_view tried = {}; ///< numbers that `rccebench tune` tries; empty: none
  /// The text is a number, a word or a list as described here.
  void (*set)(Options& options, std::string_view text);
};

/// "4/4/3" as numbers.
[[nodiscard]] inline std::vector<int> numbers_in(std::string_view text) {
  std::vector<int> numbers;
  for (const char *at = text.data(), *const end = at + text.size(); at < end; ++at)
    at = std::from_chars(at, end, numbers.emplace_back()).ptr;
  return numbers;
}

/// Rows from outside of the library, which are found beside those of the tables. Added before anybody looks.
template <class Row>
inline std::deque<Row> own_rows;

/// The row of that name; null where there is none.
template <class Row>
[[nodiscard]] const Row* find_row(std::span<const Row> rows, std::string_view name) noexcept {
  for (const Row& row : rows)
    if (row.name == name) return &row;
  for (const Row& row : own_rows<Row>)
    if (row.name == name) return &row;
  return nullptr;
}

/// The row of that name. Throws std::invalid_argument that lists the names.
template <class Row>
[[nodiscard]] const Row& row_of(std::span<const Row> rows, std::string_view name) {
  if (const Row* const row = find_row(rows, name)) return *row;
  std::string message = "there is no '" + std::string(name) + "'; there are";
  for (const Row& row : rows) message += (&row == rows.data() ? " " : ", ") + std::string(row.name);
  throw std::invalid_argument(message);
}

} // namespace algorithms
