// SPDX-License-Identifier: Apache-2.0
// The broadcasts in shared memory by name: what commands, tests and plots walk.
//
// A broadcast is called by every thread with its block, all of one length, and the root, from whose block the
// others are filled. A thread's block is complete, and nobody reads it any more, when its call returns.
#pragma once

#include <memory>
#include <span>

#include "algorithms/in_memory/bcast/binomial.hpp"
#include "algorithms/in_memory/bcast/fibonacci.hpp"
#include "algorithms/in_memory/bcast/flat.hpp"
#include "algorithms/in_memory/bcast/level_tree.hpp"
#include "algorithms/in_memory/bcast/pipelined.hpp"
#include "algorithms/in_memory/bcast/three_nomial.hpp"
#include "algorithms/rows.hpp"

namespace algorithms::in_memory {

inline constexpr Parameter<BroadcastOptions> broadcast_tree_parameters[] = {
    {.name = "fan_outs",
     .help = "children of a thread, by level",
     .least = 1,
     .most = 4096,
     .default_value = -1,
     .list = true,
     .set = [](BroadcastOptions& options, std::string_view text) { options.fan_outs = numbers_in(text); }}};
inline constexpr Parameter<BroadcastOptions> fibonacci_parameters[] = {
    {.name = "latency",
     .help = "time of a hand-over, in times that it keeps its sender busy",
     .least = 1,
     .most = 16,
     .default_value = 2,
     .tried = "2,4",
     .set = [](BroadcastOptions& options, std::string_view text) {
       options.latency = numbers_in(text).front();
     }}};

template <memory::Memory M>
using Broadcast = std::function<void(typename M::Thread&, typename M::Block block, int root)>;

template <memory::Memory M>
struct BroadcastRow {
  std::string_view name;
  std::string_view summary;
  std::string_view cost; ///< in one line; n threads
  Broadcast<M> (*make)(M& memory, const BroadcastOptions& options);
  std::span<const Parameter<BroadcastOptions>> parameters = {};
};

template <memory::Memory M, class B>
[[nodiscard]] Broadcast<M> make_broadcast(M& memory, const BroadcastOptions& options) {
  return
      [broadcast = std::make_shared<B>(memory, options)](typename M::Thread& thread, typename M::Block block,
                                                         int root) { (*broadcast)(thread, block, root); };
}

/// The broadcasts.
template <memory::Memory M>
std::span<const BroadcastRow<M>> broadcasts() noexcept {
  static constexpr BroadcastRow<M> rows[] = {
      {"bcast/flat", "everybody copies from the root",
       "n-1 readers of one line and of each line of the root's block, served one at a time; n-1 "
       "acknowledgements",
       make_broadcast<M, FlatBroadcast<M>>},
      {"bcast/level_tree", "a tree with a fan-out for each level, chosen for the machine",
       "for each level of fan-out k, k readers of a line and of a block, and k acknowledgements",
       make_broadcast<M, LevelTreeBroadcast<M>>, broadcast_tree_parameters},
      {"bcast/pipelined", "a slice each from the root, the others from each other",
       "n-1 stages of a hand-over, 1/(n-1) of the block and an addition to a counter",
       make_broadcast<M, PipelinedBroadcast<M>>},
      {"bcast/binomial", "everybody who has it passes it to one more in each step",
       "ceil(log2 n) hand-overs and copies on the longest path", make_broadcast<M, BinomialBroadcast<M>>},
      {"bcast/three_nomial", "to two more in each step", "ceil(log3 n) steps of two hand-overs each",
       make_broadcast<M, ThreeNomialBroadcast<M>>},
      {"bcast/fibonacci", "everybody who has it sends without a pause",
       "the fewest steps where a hand-over takes longer than it keeps its sender busy",
       make_broadcast<M, FibonacciBroadcast<M>>, fibonacci_parameters},
  };
  return rows;
}

} // namespace algorithms::in_memory
