// SPDX-License-Identifier: Apache-2.0
// A reduction on network cards or their hosts in a file of one's own, which `rccebench --with FILE` puts
// beside the library's (algorithms/WRITE_YOUR_OWN.md): a function of a Port, a row of it, and
// ROCKCREEK_ON_CARDS(row).
#pragma once

#include <vector>

#include "algorithms/on_cards/reductions.hpp"

namespace algorithms::on_cards {

/// The rows of one file.
using OwnRows = std::vector<ReduceRow>;

/// Name of the function by which the library asks a compiled file for its rows: `const OwnRows* ()`.
inline constexpr const char* own_rows_function = "rockcreek_rows_on_cards";

} // namespace algorithms::on_cards

#ifdef ROCKCREEK_OWN_FILE
namespace {

inline algorithms::on_cards::OwnRows& rockcreek_rows_of_this_file() {
  static algorithms::on_cards::OwnRows rows;
  return rows;
}

inline bool rockcreek_add_row(const algorithms::on_cards::ReduceRow& row) {
  rockcreek_rows_of_this_file().push_back(row);
  return true;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const algorithms::on_cards::OwnRows*
rockcreek_rows_on_cards();
const algorithms::on_cards::OwnRows* rockcreek_rows_on_cards() {
  return &rockcreek_rows_of_this_file();
}
#endif

/// Adds a row: the name of a variable of type ReduceRow.
#define ROCKCREEK_ON_CARDS(row)                                             \
  namespace {                                                               \
  [[maybe_unused]] const bool rockcreek_has_##row = rockcreek_add_row(row); \
  }
