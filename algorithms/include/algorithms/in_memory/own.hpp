// SPDX-License-Identifier: Apache-2.0
// An algorithm in shared memory in a file of one's own, which `rccebench --with FILE` puts beside the
// library's (algorithms/WRITE_YOUR_OWN.md): a class template over a Memory, a row of it, and
// ROCKCREEK_IN_MEMORY(row). The same code then runs on every simulated machine with coherent caches and on
// this host's threads.
#pragma once

#include <tuple>
#include <vector>

#include "algorithms/in_memory/barrier/barriers.hpp"
#include "algorithms/in_memory/bcast/broadcasts.hpp"
#include "algorithms/in_memory/exchange/exchanges.hpp"
#include "algorithms/in_memory/reduce/reductions.hpp"
#include "algorithms/memory/host.hpp"
#include "algorithms/memory/simulated.hpp"

namespace algorithms::in_memory {

/// The rows of one file; those of barriers, joins, reductions, broadcasts and exchanges for both
/// memories.
using OwnRows =
    std::tuple<std::vector<BarrierRow<memory::Simulated>>, std::vector<BarrierRow<memory::Host>>,
               std::vector<JoinRow<memory::Simulated>>, std::vector<JoinRow<memory::Host>>,
               std::vector<ReductionRow<memory::Simulated>>, std::vector<ReductionRow<memory::Host>>,
               std::vector<BroadcastRow<memory::Simulated>>, std::vector<BroadcastRow<memory::Host>>,
               std::vector<ExchangeRow<memory::Simulated>>, std::vector<ExchangeRow<memory::Host>>>;

/// Name of the function by which the library asks a compiled file for its rows: `const OwnRows* ()`.
inline constexpr const char* own_rows_function = "rockcreek_rows_in_memory";

} // namespace algorithms::in_memory

#ifdef ROCKCREEK_OWN_FILE
namespace {

inline algorithms::in_memory::OwnRows& rockcreek_rows_of_this_file() {
  static algorithms::in_memory::OwnRows rows;
  return rows;
}

template <class Simulated, class Host>
bool rockcreek_add_row(const Simulated& simulated, const Host& host) {
  std::get<std::vector<Simulated>>(rockcreek_rows_of_this_file()).push_back(simulated);
  std::get<std::vector<Host>>(rockcreek_rows_of_this_file()).push_back(host);
  return true;
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
#define ROCKCREEK_IN_MEMORY(row)                                                            \
  namespace {                                                                               \
  [[maybe_unused]] const bool rockcreek_has_##row =                                         \
      rockcreek_add_row(row<algorithms::memory::Simulated>, row<algorithms::memory::Host>); \
  }
