// SPDX-License-Identifier: Apache-2.0
// What the reductions in shared memory share: how blocks are combined, what is promised of the order, what
// may be set.
#pragma once

#include <functional>
#include <string>

#include "algorithms/memory/concept.hpp"
#include "algorithms/shapes/slices.hpp"

namespace algorithms::in_memory {

/// The order in which operands are combined, with which floating-point sums are the same bits in every run
/// with the same number of threads and the same options.
enum class Order {
  sequential, ///< ((0 + 1) + 2) + ...
  pair_tree,  ///< (0 + 1) + (2 + 3), pairs of pairs
  level_tree, ///< own, then children, level by level: the operation has to be commutative
  arrival,    ///< in the order of arrival: not fixed, and the operation has to be commutative
};
[[nodiscard]] constexpr bool fixed(Order order) noexcept {
  return order != Order::arrival;
}

/// The actions of a reduction's threads on blocks of elements.
template <memory::Memory M>
struct Operation {
  using Block = typename M::Block;
  std::size_t element_bytes;
  /// target[i] = sources[0][i] o sources[1][i] o ...; the target may be the first or the second source.
  std::function<void(typename M::Thread&, Block target, std::span<const Block> sources)> combine;

  /// Elements of a line: shares are cut between lines.
  [[nodiscard]] std::size_t in_line() const { return std::max<std::size_t>(1, memory::line / element_bytes); }
  /// Bytes before share `share` of `shares`.
  [[nodiscard]] std::size_t border(std::size_t bytes, int share, int shares) const {
    return slices::border(bytes / element_bytes, share, shares, in_line()) * element_bytes;
  }
  /// Combines one share of two blocks; a share of nothing touches nothing.
  void combine_share(typename M::Thread& thread, Block target, Block a, Block b, int share,
                     int shares) const {
    const std::size_t from = border(target.bytes, share, shares),
                      to = border(target.bytes, share + 1, shares);
    if (from == to) return;
    const Block sources[] = {a.part(from, to - from), b.part(from, to - from)};
    combine(thread, target.part(from, to - from), sources);
  }
};

/// An operation on elements of type T; `cycles` is the simulated time of one combination, hidden behind
/// transfers.
template <memory::Memory M, class T, class Function>
[[nodiscard]] Operation<M> operation(Function function, double cycles = 0.5) {
  using Block = typename M::Block;
  return {sizeof(T), [=](typename M::Thread& thread, Block target, std::span<const Block> sources) {
            thread.template combine<T>(target, sources, function, cycles);
          }};
}

/// Notes of threads that search for a partner: number of searches, number of retries and their durations. The
/// caller owns the log; each thread writes its own entry.
struct NeighbourLog {
  struct Entry {
    std::uint64_t visits = 0, retries = 0;
    std::vector<std::int64_t> picoseconds; ///< duration of each search
  };
  explicit NeighbourLog(int threads) : of(static_cast<std::size_t>(threads)) {}
  std::vector<memory::PerThread<Entry>> of;
};

struct ReduceOptions {
  std::string barrier = "barrier/central_sense"; ///< barrier of reduce/linear, which names none
  std::string join = "join/flat_padded"; ///< join of reduce/master_sequential and reduce/master_vector
  std::vector<int> fan_outs = {4, 4, 3}; ///< fan-outs of reduce/level_tree
  bool shared_line =
      true; ///< true if the children of one parent in reduce/level_tree share a line; otherwise each has one
  /// Words that reduce/dynamic_pair uses in turn; 0: threads - 1, the fewest with which threads may leave
  /// early.
  int flags = 0;
  bool in_place = false;       ///< true if merges of pairs write into the leader's input, which they destroy
  NeighbourLog* log = nullptr; ///< log of the dynamic reductions
};

} // namespace algorithms::in_memory
