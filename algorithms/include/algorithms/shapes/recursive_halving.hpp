// SPDX-License-Identifier: Apache-2.0
// How allreduce/reduce_scatter cuts the vector, free of communication. Its idea, drawing, cost and source
// stand at the top of src/on_messages/allreduce/reduce_scatter.cpp.
#pragma once

#include <algorithm>
#include <cstddef>

namespace algorithms::recursive_halving {

/// Elements begin .. end-1.
struct Range {
  std::size_t begin = 0, end = 0;
  [[nodiscard]] constexpr std::size_t size() const { return end - begin; }
  friend constexpr bool operator==(const Range&, const Range&) = default;
};

/// The two halves of a range, whose border is a multiple of `granule` behind its beginning, so that no two
/// ranks' segments meet within a line. The upper one may be empty, both where the range is.
[[nodiscard]] constexpr Range lower_half(Range range, std::size_t granule = 1) {
  const std::size_t half = ((range.size() + 1) / 2 + granule - 1) / granule * granule;
  return {range.begin, std::min(range.end, range.begin + half)};
}
[[nodiscard]] constexpr Range upper_half(Range range, std::size_t granule = 1) {
  return {lower_half(range, granule).end, range.end};
}

} // namespace algorithms::recursive_halving
