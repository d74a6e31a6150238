// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/time_bins.hpp"

#include <algorithm>
#include <numeric>

namespace mesh {

void TimeBins::add(std::size_t row, Picoseconds from, Picoseconds to, int sign) {
  if (from >= to) return;
  if (row >= rows_) sums_.resize((rows_ = row + 1) * bins_);
  while (to > width_ * static_cast<Picoseconds>(bins_)) merge_pairs();
  Picoseconds* const sums = sums_.data() + row * bins_;
  for (Picoseconds bin = from / width_; from < to; ++bin) {
    const Picoseconds end = std::min(to, (bin + 1) * width_);
    sums[bin] += sign * (end - from);
    from = end;
  }
}

Picoseconds TimeBins::sum(std::size_t row) const {
  const auto first = sums_.begin() + static_cast<std::ptrdiff_t>(row * bins_);
  return std::accumulate(first, first + static_cast<std::ptrdiff_t>(bins_), Picoseconds{0});
}

void TimeBins::merge_pairs() {
  const std::size_t half = bins_ / 2;
  for (std::size_t row = 0; row < rows_; ++row) {
    Picoseconds* const sums = sums_.data() + row * bins_;
    for (std::size_t bin = 0; bin < half; ++bin) sums[bin] = sums[2 * bin] + sums[2 * bin + 1];
    std::fill(sums + half, sums + bins_, 0);
  }
  width_ *= 2;
}

} // namespace mesh
