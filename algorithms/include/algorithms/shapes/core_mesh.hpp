// SPDX-License-Identifier: Apache-2.0
// The ranks as a mesh of cores, for algorithms that work along its rows and columns.
#pragma once

namespace algorithms {

/// rows x columns cores, node (row, column). With an even number of rows, rows 2y and 2y+1 lie on the same
/// tiles, whose cores have neighbouring ranks: with all ranks in core order a step along a row is one tile,
/// and a step between such rows crosses no link. With an odd number, ranks are simply row by row.
struct CoreMesh {
  int rows;
  int columns;

  [[nodiscard]] constexpr int nodes() const { return rows * columns; }
  [[nodiscard]] constexpr int rank(int row, int column) const {
    return paired() ? 2 * columns * (row / 2) + row % 2 + 2 * column : row * columns + column;
  }
  [[nodiscard]] constexpr int row(int rank) const {
    return paired() ? 2 * (rank / (2 * columns)) + rank % 2 : rank / columns;
  }
  [[nodiscard]] constexpr int column(int rank) const {
    return paired() ? rank % (2 * columns) / 2 : rank % columns;
  }

 private:
  [[nodiscard]] constexpr bool paired() const { return rows % 2 == 0; }
};

/// The mesh for a number of UEs. `rows` or `columns` of 0 are found: 6 columns where whole rows of the SCC's
/// tiles are used (12, 24, 36, 48 UEs), else the factors that are nearest to each other. Has another number
/// of nodes than there are UEs where what was asked for does not fit.
[[nodiscard]] constexpr CoreMesh core_mesh(int ues, int rows = 0, int columns = 0) {
  if (columns == 0 && rows == 0 && ues % 12 == 0 && ues <= 48) columns = 6;
  if (rows == 0 && columns == 0) {
    rows = 1;
    for (int divisor = 1; divisor * divisor <= ues; ++divisor)
      if (ues % divisor == 0) rows = divisor;
  }
  if (rows == 0) rows = ues / columns;
  if (columns == 0) columns = ues / rows;
  return {rows, columns};
}

} // namespace algorithms
