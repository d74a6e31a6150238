// SPDX-License-Identifier: Apache-2.0
// The reductions in shared memory by name: what commands, tests and plots walk.
//
// A reduction is called by every thread with its input and the one block for the result, of the same length,
// which no input overlaps. A thread's input may be changed, and its operand is not read any more, when its
// call returns. The result is complete when all calls have returned; it may be read by a thread whose call
// has returned only where `result_for_all`.
#pragma once

#include "algorithms/in_memory/reduce/dynamic_group.hpp"
#include "algorithms/in_memory/reduce/dynamic_pair.hpp"
#include "algorithms/in_memory/reduce/join_tree.hpp"
#include "algorithms/in_memory/reduce/level_tree.hpp"
#include "algorithms/in_memory/reduce/linear.hpp"
#include "algorithms/in_memory/reduce/master.hpp"
#include "algorithms/in_memory/reduce/pair_tree.hpp"

namespace algorithms::in_memory {

inline constexpr Parameter<ReduceOptions> linear_parameters[] = {
    {.name = "barrier",
     .help = "before and behind the slices",
     .default_value = -1,
     .words = "central_sense dissemination mcs_tree",
     .set = [](ReduceOptions& options, std::string_view text) {
       options.barrier = "barrier/" + std::string(text);
     }}};
inline constexpr Parameter<ReduceOptions> master_parameters[] = {
    {.name = "join",
     .help = "by which the master learns that all have arrived",
     .default_value = -1,
     .words = "flat flat_padded tree tree_padded atomic_add mutex_add",
     .set = [](ReduceOptions& options, std::string_view text) {
       options.join = "join/" + std::string(text);
     }}};
inline constexpr Parameter<ReduceOptions> reduction_tree_parameters[] = {
    {.name = "fan_outs",
     .help = "children of a thread, by level",
     .least = 1,
     .most = 4096,
     .default_value = -1,
     .list = true,
     .set = [](ReduceOptions& options, std::string_view text) { options.fan_outs = numbers_in(text); }},
    {.name = "children_on",
     .help = "children of a parent tell it on one line, or on one each",
     .default_value = 0,
     .words = "one_line lines",
     .set = [](ReduceOptions& options, std::string_view text) { options.shared_line = text == "one_line"; }}};
inline constexpr Parameter<ReduceOptions> merges{
    .name = "merges",
    .help = "into a block of the leader's own, or into its input, which is destroyed",
    .default_value = 0,
    .words = "apart in_place",
    .set = [](ReduceOptions& options, std::string_view text) { options.in_place = text == "in_place"; }};
inline constexpr Parameter<ReduceOptions> merge_parameters[] = {merges};
inline constexpr Parameter<ReduceOptions> pair_parameters[] = {
    merges,
    {.name = "flags",
     .help = "words that are used in turn; 0: one less than threads",
     .least = 0,
     .most = 4096,
     .default_value = 0,
     .set = [](ReduceOptions& options, std::string_view text) { options.flags = numbers_in(text).front(); }}};

template <memory::Memory M>
using Reduction = std::function<void(typename M::Thread&, typename M::Block input, typename M::Block result)>;

template <memory::Memory M>
struct ReductionRow {
  std::string_view name;
  std::string_view summary;
  std::string_view cost; ///< in one line; n threads
  Order order;
  bool result_for_all; ///< behind its call, every thread may read the result
  /// For one memory and blocks of up to so many bytes.
  Reduction<M> (*make)(M& memory, const Operation<M>& operation, std::size_t bytes,
                       const ReduceOptions& options);
  std::span<const Parameter<ReduceOptions>> parameters = {};
};

template <memory::Memory M, class R, class... Arguments>
[[nodiscard]] Reduction<M> make_reduction(M& memory, Arguments... arguments) {
  return [reduction = std::make_shared<R>(memory, std::move(arguments)...)](
             typename M::Thread& thread, typename M::Block input, typename M::Block result) {
    (*reduction)(thread, input, result);
  };
}

template <memory::Memory M>
[[nodiscard]] Reduction<M> make_master(M& memory, const Operation<M>& operation, std::size_t bytes,
                                       const ReduceOptions& options, Lanes lanes) {
  return make_reduction<M, MasterReduction<M>>(memory, operation, bytes,
                                               row_of(joins<M>(), options.join).make(memory, {}), lanes);
}

/// The reductions.
template <memory::Memory M>
std::span<const ReductionRow<M>> reductions() noexcept {
  static constexpr ReductionRow<M> rows[] = {
      {"reduce/linear", "a slice of all inputs for each thread, between two barriers",
       "two barriers; each thread fetches (n-1)/n of a block, one input after another", Order::sequential,
       true,
       [](M& memory, const Operation<M>& operation, std::size_t, const ReduceOptions& options) {
         return make_reduction<M, LinearReduction<M>>(
             memory, operation, row_of(barriers<M>(), options.barrier).make(memory, {}));
       },
       linear_parameters},
      {"reduce/pair_tree", "pairs of pairs, both threads of a pair work",
       "ceil(log2 n) iterations of half a block, a hand-over each way before and one after", Order::pair_tree,
       false,
       [](M& memory, const Operation<M>& operation, std::size_t bytes, const ReduceOptions& options) {
         return make_reduction<M, PairTreeReduction<M>>(memory, operation, bytes, options);
       },
       merge_parameters},
      {"reduce/dynamic_pair", "pairs by order of arrival; where threads come at different times",
       "about log2 n pairs of half a block where all come at once, one behind the last where they come far "
       "apart; two compare-and-swaps a visit",
       Order::arrival, false,
       [](M& memory, const Operation<M>& operation, std::size_t bytes, const ReduceOptions& options) {
         return make_reduction<M, DynamicPair<M>>(memory, operation, bytes, options);
       },
       pair_parameters},
      {"reduce/dynamic_group", "as dynamic_pair, with the help of threads that are done",
       "as dynamic_pair with shorter merges; a lock, a wake-up of all and a decrement by each for every "
       "merge: "
       "grows with n^2",
       Order::arrival, true,
       [](M& memory, const Operation<M>& operation, std::size_t bytes, const ReduceOptions& options) {
         return make_reduction<M, DynamicGroup<M>>(memory, operation, bytes, options);
       },
       merge_parameters},
      {"reduce/level_tree", "a tree with a fan-out for each level, chosen for the machine",
       "for each level of fan-out k, k stores to a line that one polls, k blocks fetched by it, a store that "
       "k "
       "read",
       Order::level_tree, false,
       [](M& memory, const Operation<M>& operation, std::size_t bytes, const ReduceOptions& options) {
         return make_reduction<M, LevelTreeReduction<M>>(memory, operation, bytes, options);
       },
       reduction_tree_parameters},
      {"reduce/master_sequential", "the master adds up at the join, one element after another",
       "the join's, and n-1 blocks fetched by the master, a line of each in turn", Order::sequential, false,
       [](M& memory, const Operation<M>& operation, std::size_t bytes, const ReduceOptions& options) {
         return make_master<M>(memory, operation, bytes, options, Lanes::elements);
       },
       master_parameters},
      {"reduce/master_vector", "the master adds up at the join, one thread after another",
       "the join's, and n-1 blocks fetched by the master, one after another", Order::sequential, false,
       [](M& memory, const Operation<M>& operation, std::size_t bytes, const ReduceOptions& options) {
         return make_master<M>(memory, operation, bytes, options, Lanes::blocks);
       },
       master_parameters},
      {"reduce/join_tree", "partial results are added up along the tree of the join",
       "the join's, and ceil(log2 n) blocks fetched one after another on the longest path", Order::pair_tree,
       false,
       [](M& memory, const Operation<M>& operation, std::size_t bytes, const ReduceOptions&) {
         return make_reduction<M, JoinTreeReduction<M>>(memory, operation, bytes);
       }},
  };
  return rows;
}

} // namespace algorithms::in_memory
