// SPDX-License-Identifier: Apache-2.0
// The operations in shared memory that are neither a barrier, a broadcast nor a reduction to one thread, by
// name: what commands, tests and plots walk.
//
// An exchange is called by every thread with its source, its target, which overlaps no other buffer, and the
// root, of operations that have one. How long buffers are says Shares. A target is complete, and the thread's
// buffers are its own again, when its call returns.
#pragma once

#include "algorithms/in_memory/exchange/binomial.hpp"
#include "algorithms/in_memory/exchange/bruck.hpp"
#include "algorithms/in_memory/exchange/direct.hpp"
#include "algorithms/in_memory/exchange/prefix.hpp"
#include "algorithms/in_memory/exchange/recursive_doubling.hpp"
#include "algorithms/in_memory/exchange/reduce_bcast.hpp"
#include "algorithms/in_memory/exchange/ring.hpp"
#include "algorithms/in_memory/exchange/slices.hpp"

namespace algorithms::in_memory {

inline constexpr Parameter<ExchangeOptions> exchange_parameters[] = {
    {.name = "barrier",
     .help = "before and behind what is moved",
     .default_value = 1,
     .words = "central_sense dissemination mcs_tree",
     .set = [](ExchangeOptions& options, std::string_view text) {
       options.barrier = "barrier/" + std::string(text);
     }}};
inline constexpr Parameter<ExchangeOptions> reduce_bcast_parameters[] = {
    {.name = "reduce",
     .help = "the reduction",
     .default_value = 0,
     .words = "level_tree pair_tree join_tree linear master_vector",
     .set = [](ExchangeOptions& options,
               std::string_view text) { options.reduction = "reduce/" + std::string(text); }},
    {.name = "bcast",
     .help = "the broadcast",
     .default_value = 0,
     .words = "level_tree flat pipelined binomial three_nomial fibonacci",
     .set = [](ExchangeOptions& options, std::string_view text) {
       options.broadcast = "bcast/" + std::string(text);
     }}};
/// Parameters of rows that take the vector in parts.
inline constexpr Parameter<ExchangeOptions> part_parameters[] = {
    {.name = "part",
     .help = "bytes of the vector at a time, rounded up to lines",
     .least = 64,
     .most = 1 << 20,
     .default_value = 4096,
     .tried = "1024,4096,16384",
     .set = [](ExchangeOptions& options, std::string_view text) {
       options.part_bytes = numbers_in(text).front();
     }}};

template <memory::Memory M>
using Exchange =
    std::function<void(typename M::Thread&, typename M::Block source, typename M::Block target, int root)>;

template <memory::Memory M>
struct ExchangeRow {
  std::string_view name;
  std::string_view summary;
  std::string_view cost; ///< in one line; n threads
  rockcreek_operation operation;
  /// For one memory and vectors of so many bytes; blocks are of whole elements of `operation`.
  Exchange<M> (*make)(M& memory, const Operation<M>& operation, std::size_t bytes,
                      const ExchangeOptions& options);
  std::span<const Parameter<ExchangeOptions>> parameters = {};
};

namespace detail {

template <memory::Memory M, class E>
[[nodiscard]] Exchange<M> exchange_of(std::shared_ptr<E> exchange) {
  return [exchange](typename M::Thread& thread, typename M::Block source, typename M::Block target,
                    int root) { (*exchange)(thread, source, target, root); };
}
template <memory::Memory M, rockcreek_operation operation>
[[nodiscard]] Shares shares_of(M& memory, const Operation<M>& elements, std::size_t bytes) {
  return {operation, bytes, elements.element_bytes, memory.threads()};
}

} // namespace detail

/// Class E for that operation.
template <memory::Memory M, class E, rockcreek_operation operation>
[[nodiscard]] Exchange<M> make_exchange(M& memory, const Operation<M>& elements, std::size_t bytes,
                                        const ExchangeOptions& options) {
  return detail::exchange_of<M>(std::make_shared<E>(
      memory, detail::shares_of<M, operation>(memory, elements, bytes), elements, options));
}
template <memory::Memory M, rockcreek_operation operation, Mover mover>
[[nodiscard]] Exchange<M> make_direct(M& memory, const Operation<M>& elements, std::size_t bytes,
                                      const ExchangeOptions& options) {
  return detail::exchange_of<M>(std::make_shared<DirectExchange<M>>(
      memory, detail::shares_of<M, operation>(memory, elements, bytes), elements, mover, options));
}
template <memory::Memory M, rockcreek_operation operation, Flow flow>
[[nodiscard]] Exchange<M> make_binomial(M& memory, const Operation<M>& elements, std::size_t bytes,
                                        const ExchangeOptions&) {
  return detail::exchange_of<M>(std::make_shared<BinomialExchange<M>>(
      memory, detail::shares_of<M, operation>(memory, elements, bytes), flow));
}

/// The exchanges.
template <memory::Memory M>
std::span<const ExchangeRow<M>> exchanges() noexcept {
  static constexpr ExchangeRow<M> rows[] = {
      {"allreduce/reduce_bcast", "a reduction to thread 0 and a broadcast of its result",
       "that of the reduction and that of the broadcast", ROCKCREEK_ALLREDUCE,
       make_exchange<M, ReduceBcast<M>, ROCKCREEK_ALLREDUCE>, reduce_bcast_parameters},
      {"allreduce/recursive_doubling",
       "everybody exchanges with the thread across one bit in each round; for short vectors",
       "floor(log2 n) rounds of a hand-over and the vector; two more for n that is no power of two",
       ROCKCREEK_ALLREDUCE, make_exchange<M, RecursiveDoubling<M>, ROCKCREEK_ALLREDUCE>, part_parameters},
      {"allreduce/reduce_scatter", "a slice of all operands for each thread, then all slices for everybody",
       "three barriers; each thread fetches 2(n-1)/n of the vector", ROCKCREEK_ALLREDUCE,
       make_exchange<M, SlicesExchange<M>, ROCKCREEK_ALLREDUCE>, exchange_parameters},
      {"gather/direct_get", "the root fetches all blocks", "two barriers; n-1 blocks fetched by the root",
       ROCKCREEK_GATHER, make_direct<M, ROCKCREEK_GATHER, Mover::receiver>, exchange_parameters},
      {"gather/direct_put", "everybody stores its block to the root's target",
       "two barriers; a block stored by each, all at once", ROCKCREEK_GATHER,
       make_direct<M, ROCKCREEK_GATHER, Mover::sender>, exchange_parameters},
      {"gather/binomial", "blocks go up a binomial tree, those of a subtree in one run; for short blocks",
       "ceil(log2 n) hand-overs on the longest path, half of the vector in the last one", ROCKCREEK_GATHER,
       make_binomial<M, ROCKCREEK_GATHER, Flow::to_root>},
      {"scatter/direct_get", "everybody fetches its block from the root's source",
       "two barriers; a block fetched by each, all at once", ROCKCREEK_SCATTER,
       make_direct<M, ROCKCREEK_SCATTER, Mover::receiver>, exchange_parameters},
      {"scatter/direct_put", "the root stores all blocks to their threads' targets",
       "two barriers; n-1 blocks stored by the root", ROCKCREEK_SCATTER,
       make_direct<M, ROCKCREEK_SCATTER, Mover::sender>, exchange_parameters},
      {"scatter/binomial", "blocks go down a binomial tree, those of a subtree in one run; for short blocks",
       "ceil(log2 n) hand-overs on the longest path, of half of the vector, a quarter ...", ROCKCREEK_SCATTER,
       make_binomial<M, ROCKCREEK_SCATTER, Flow::from_root>},
      {"allgather/direct_get", "everybody fetches all blocks from their threads' sources",
       "two barriers; n-1 blocks fetched by each", ROCKCREEK_ALLGATHER,
       make_direct<M, ROCKCREEK_ALLGATHER, Mover::receiver>, exchange_parameters},
      {"allgather/direct_put", "everybody stores its block to all targets",
       "two barriers; n-1 blocks stored by each", ROCKCREEK_ALLGATHER,
       make_direct<M, ROCKCREEK_ALLGATHER, Mover::sender>, exchange_parameters},
      {"allgather/ring", "blocks go round a ring of all threads", "n-1 steps of a hand-over and a block",
       ROCKCREEK_ALLGATHER, make_exchange<M, RingAllgather<M>, ROCKCREEK_ALLGATHER>},
      {"allgather/bruck", "everybody doubles in each round what it has; for short vectors",
       "ceil(log2 n) rounds of a hand-over, n-1 blocks in all", ROCKCREEK_ALLGATHER,
       make_exchange<M, BruckAllgather<M>, ROCKCREEK_ALLGATHER>},
      {"alltoall/direct_get", "everybody fetches its blocks from all sources",
       "two barriers; n-1 blocks fetched by each", ROCKCREEK_ALLTOALL,
       make_direct<M, ROCKCREEK_ALLTOALL, Mover::receiver>, exchange_parameters},
      {"alltoall/direct_put", "everybody stores its blocks to all targets",
       "two barriers; n-1 blocks stored by each", ROCKCREEK_ALLTOALL,
       make_direct<M, ROCKCREEK_ALLTOALL, Mover::sender>, exchange_parameters},
      {"alltoall/bruck", "half of the blocks go a power of two of threads on in each round; for short blocks",
       "ceil(log2 n) rounds of a hand-over and about n/2 blocks, as many moved in the own cache",
       ROCKCREEK_ALLTOALL, make_exchange<M, BruckAlltoall<M>, ROCKCREEK_ALLTOALL>, part_parameters},
      {"reduce_scatter/direct_get", "everybody combines its block of all operands",
       "two barriers; n-1 blocks fetched by each", ROCKCREEK_REDUCE_SCATTER,
       make_direct<M, ROCKCREEK_REDUCE_SCATTER, Mover::receiver>, exchange_parameters},
      {"reduce_scatter/recursive_doubling", "as allreduce/recursive_doubling; for short vectors",
       "floor(log2 n) rounds of a hand-over and the vector; two more for n that is no power of two",
       ROCKCREEK_REDUCE_SCATTER, make_exchange<M, RecursiveDoubling<M>, ROCKCREEK_REDUCE_SCATTER>,
       part_parameters},
      {"scan/linear", "a chain of all threads through which the vector goes in parts",
       "m + n - 1 steps of a hand-over and a part for m parts", ROCKCREEK_SCAN,
       make_exchange<M, LinearScan<M>, ROCKCREEK_SCAN>, part_parameters},
      {"scan/recursive_doubling",
       "everybody takes what the thread a power of two below has; for short vectors",
       "ceil(log2 n) rounds of a hand-over and the vector", ROCKCREEK_SCAN,
       make_exchange<M, RecursiveDoublingScan<M>, ROCKCREEK_SCAN>, part_parameters},
      {"scan/slices", "a slice of all operands for each thread, and of all results",
       "two barriers; each thread fetches (n-1)/n of the vector and stores as much", ROCKCREEK_SCAN,
       make_exchange<M, SlicesExchange<M>, ROCKCREEK_SCAN>, exchange_parameters},
  };
  return rows;
}

} // namespace algorithms::in_memory
