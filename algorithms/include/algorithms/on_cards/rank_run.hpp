// SPDX-License-Identifier: Apache-2.0
// Elements by which a reduction on cards or hosts shows whether it combines its operands in rank order: a run
// of neighbouring ranks. Joining two of them is associative and not commutative.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace algorithms::on_cards {

/// 8 bytes. Each rank begins with its own number twice.
struct RankRun {
  std::int32_t first, last;
  bool operator==(const RankRun&) const = default;
};

/// mesh::cluster::Values::Combine: each of the `count` runs of `own` gets that of `other` behind it, or
/// becomes
/// {-2, -2} where the two are no neighbours, and stays so.
inline void join_runs(std::byte* own, const std::byte* other, std::size_t count) {
  constexpr RankRun broken{-2, -2};
  for (std::size_t i = 0; i < count; ++i) {
    RankRun a, b;
    std::memcpy(&a, own + i * sizeof a, sizeof a);
    std::memcpy(&b, other + i * sizeof b, sizeof b);
    a = a.last + 1 == b.first && a != broken ? RankRun{a.first, b.last} : broken;
    std::memcpy(own + i * sizeof a, &a, sizeof a);
  }
}

} // namespace algorithms::on_cards
