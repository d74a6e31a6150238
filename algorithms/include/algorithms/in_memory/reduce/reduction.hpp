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
  arrival,    ///< of whoever comes: not fixed, and the operation has to be commutative
};
[[nodiscard]] constexpr bool fixed(Order order) noexcept {
  return order != Order::arrival;
}
[[nodiscard]] constexpr bool needs_commutative(Order order) noexcept {
  return order == Order::arrival || order == Order::level_tree;
}

/// What the threads of a reduction do to blocks of elements.
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

/// What threads that look for a partner tell, by thread: how often they looked, how often they had to look
/// again, and for how long. The caller's; each thread writes its own entry.
struct NeighbourLog {
  struct Entry {
    std::uint64_t visits = 0, retries = 0;
    std::vector<std::int64_t> picoseconds; ///< of each visit
  };
  explicit NeighbourLog(int threads) : of(static_cast<std::size_t>(threads)) {}
  std::vector<memory::PerThread<Entry>> of;
};

struct ReduceOptions {
  std::string barrier = "barrier/central_sense"; ///< of reduce/linear, which does not say
  std::string join = "join/flat_padded";         ///< of reduce/master_sequential and reduce/master_vector
  std::vector<int> fan_outs = {4, 4, 3};         ///< of reduce/level_tree
  bool shared_line =
      true;      ///< of reduce/level_tree: children of one parent tell it on one line, else on one each
  int flags = 0; ///< of reduce/dynamic_pair: words that are used in turn; 0: threads - 1, the fewest
                 ///< with which threads may leave early
  bool in_place = false;       ///< of pairs: merges write into the leader's input, which they destroy
  NeighbourLog* log = nullptr; ///< of the dynamic ones
};

} // namespace algorithms::in_memory
