// SPDX-License-Identifier: Apache-2.0
// Amounts of time by rows, such as the busy time of each link, in equal bins of simulated time. What is kept
// does not grow with the run: where time comes to the end of the last bin, bins merge in pairs.
#pragma once

#include <cstddef>
#include <vector>

#include "mesh_sim/units.hpp"

namespace mesh {

class TimeBins {
 public:
  /// `bins` is even; each is 1,024 ps wide at first. Further rows come when something is added to them.
  TimeBins(std::size_t rows, std::size_t bins) : rows_(rows), bins_(bins), sums_(rows * bins) {}

  /// Adds the time from `from` to `to` to the row, each part of it to the bin that it lies in; `sign` -1
  /// takes it away again.
  void add(std::size_t row, Picoseconds from, Picoseconds to, int sign = 1);

  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t bins() const noexcept { return bins_; }
  [[nodiscard]] Picoseconds width() const noexcept { return width_; } ///< width of a bin
  [[nodiscard]] Picoseconds at(std::size_t row, std::size_t bin) const { return sums_[row * bins_ + bin]; }
  [[nodiscard]] Picoseconds sum(std::size_t row) const;

 private:
  void merge_pairs();

  std::size_t rows_, bins_;
  Picoseconds width_ = 1024;
  std::vector<Picoseconds> sums_; ///< by row, then bin
};

} // namespace mesh
