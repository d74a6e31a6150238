// SPDX-License-Identifier: Apache-2.0
// An algorithm in shared memory in a file of one's own, which `rccebench --with FILE` puts beside the
// library's (algorithms/WRITE_YOUR_OWN.md): a class template over a Memory, a row of it, and
// ROCKCREEK_IN_MEMORY(row). The same code then runs on every simulated machine with coherent caches and on
// this host's threads, and every interleaving of a few threads is tried.
#pragma once

#include <tuple>
#include <vector>

#include "algorithms/in_memory/barrier/barriers.hpp"
#include "algorithms/in_memory/bcast/broadcasts.hpp"
#include "algorithms/in_memory/exchange/exchanges.hpp"
#include "algorithms/in_memory/reduce/reductions.hpp"
#include "algorithms/memory/explored.hpp"
#include "algorithms/memory/host.hpp"
#include "algorithms/memory/simulated.hpp"

namespace algorithms::in_memory {

/// The rows of one file, for each memory: a simulated machine, this host, the explorer of interleavings.
template <memory::Memory M>
using OwnRowsFor =
    std::tuple<std::vector<BarrierRow<M>>, std::vector<JoinRow<M>>, std::vector<ReductionRow<M>>,
               std::vector<BroadcastRow<M>>, std::vector<ExchangeRow<M>>>;
using OwnRows =
    std::tuple<OwnRowsFor<memory::Simulated>, OwnRowsFor<memory::Host>, OwnRowsFor<explore::Memory>>;

/// Name of the function by which the library asks a compiled file for its rows: `const OwnRows* ()`.
inline constexpr const char* own_rows_function = "rockcreek_rows_in_memory";

} // namespace algorithms::in_memory

#ifdef ROCKCREEK_OWN_FILE
namespace {

inline algorithms::in_memory::OwnRows& rockcreek_rows_of_this_file() {
  static algorithms::in_memory::OwnRows rows;
  return rows;
}

template <class M, class Row>
void rockcreek_add_row(const Row& row) {
  using Rows = algorithms::in_memory::OwnRowsFor<M>;
  std::get<std::vector<Row>>(std::get<Rows>(rockcreek_rows_of_this_file())).push_back(row);
}

} // namespace

extern "C" __attribute__((visibility("default"))) const algorithms::in_memory::OwnRows*
rockcreek_rows_in_memory();
const algorithms::in_memory::OwnRows* rockcreek_rows_in_memory() {
  return &rockcreek_rows_of_this_file();
}
#endif

/// Adds a row: the name of a constexpr variable template over a Memory, of type BarrierRow, JoinRow,
/// ReductionRow, BroadcastRow or ExchangeRow.
#define ROCKCREEK_IN_MEMORY(row)                                                          \
  namespace {                                                                             \
  [[maybe_unused]] const bool rockcreek_has_##row = [] {                                  \
    rockcreek_add_row<algorithms::memory::Simulated>(row<algorithms::memory::Simulated>); \
    rockcreek_add_row<algorithms::memory::Host>(row<algorithms::memory::Host>);           \
    rockcreek_add_row<algorithms::explore::Memory>(row<algorithms::explore::Memory>);     \
    return true;                                                                          \
  }();                                                                                    \
  }
