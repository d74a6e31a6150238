// SPDX-License-Identifier: Apache-2.0
// Shares of a block of elements, free of communication.
#pragma once

#include <algorithm>
#include <cstddef>

namespace algorithms::slices {

/// The border between shares `share - 1` and `share` of `shares`: share * elements / shares, rounded up to a
/// multiple of `granule`, so that no two shares meet within a line. Border 0 is 0, border `shares` is
/// `elements`.
[[nodiscard]] constexpr std::size_t border(std::size_t elements, int share, int shares,
                                           std::size_t granule = 1) {
  const std::size_t exact = elements * static_cast<std::size_t>(share) / static_cast<std::size_t>(shares);
  return std::min(elements, (exact + granule - 1) / granule * granule);
}

} // namespace algorithms::slices
