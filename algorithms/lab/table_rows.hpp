// SPDX-License-Identifier: Apache-2.0
// Rows of the tables in shared memory and on network cards as rows of the laboratory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "algorithms/rows.hpp"
#include "lab/row.hpp"

namespace lab {

/// "ring folded" as two words.
[[nodiscard]] std::vector<std::string> words_of(std::string_view text);

/// Adds a row with what it tells of itself.
template <class TableRow>
void add_row(std::vector<Row>& to, const TableRow& one) {
  Row& row = to.emplace_back();
  row.name = one.name;
  row.operation = row.name.substr(0, row.name.find('/'));
  row.cost = one.cost;
  row.for_auto = true;
  if constexpr (requires { one.summary; }) row.summary = one.summary;
  if constexpr (requires { one.parameters; })
    for (const auto& known : one.parameters) {
      Parameter& parameter = row.parameters.emplace_back();
      parameter.name = known.name;
      parameter.help = known.help;
      parameter.tried = known.tried;
      parameter.least = known.least;
      parameter.most = known.most;
      parameter.default_value = known.default_value;
      parameter.list = known.list;
      parameter.words = words_of(known.words);
    }
}

/// Those of a table, then those of the user's files.
template <class TableRow>
void add_rows(std::vector<Row>& to, std::span<const TableRow> table) {
  for (const TableRow& one : table) add_row(to, one);
  for (const TableRow& one : algorithms::own_rows<TableRow>) {
    add_row(to, one);
    to.back().own_file = true;
  }
}

} // namespace lab
