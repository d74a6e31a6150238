// What an algorithm's file offers to the dispatcher: one UE's side of the operation in plain RCCE or iRCCE
// calls.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "algorithms/collectives.h"
#include "algorithms/table.hpp"

namespace algorithms {

/// A checked call of rockcreek_bcast.
struct Broadcast {
  char* buffer;
  std::size_t bytes;
  int root;
  const rockcreek_options& options;
  const Algorithm& algorithm;

  /// What was asked for, or the algorithm's default; never below 1.
  [[nodiscard]] std::size_t part_bytes() const {
    return std::max<std::size_t>(1, options.part_bytes != 0 ? options.part_bytes : algorithm.part_bytes);
  }
  [[nodiscard]] std::size_t pipe_bytes() const {
    return std::max<std::size_t>(1, options.pipe_bytes != 0 ? options.pipe_bytes : algorithm.pipe_bytes);
  }
};

/// Says on stderr, once and not once per UE, what all UEs have asked for in vain; returns RCCE_ERROR_ID.
int refuse(const std::string& message);

// All return RCCE_SUCCESS or the code of the call that failed.
int bcast_linear(const Broadcast& call);
int bcast_binomial(const Broadcast& call);
int bcast_scatter_allgather(const Broadcast& call);
int bcast_cube(const Broadcast& call);
int bcast_dopl(const Broadcast& call);
int bcast_mcast(const Broadcast& call);
int prepare_oc_tree(const rockcreek_options& options);
int bcast_oc_tree(const Broadcast& call);
int prepare_staged_pull(const rockcreek_options& options);
int bcast_staged_pull(const Broadcast& call);

int barrier_linear(const rockcreek_options& options);
int prepare_barrier_dissemination(const rockcreek_options& options);
int barrier_dissemination(const rockcreek_options& options);
int prepare_barrier_tree(const rockcreek_options& options);
int barrier_tree(const rockcreek_options& options);
int prepare_barrier_test_and_set(const rockcreek_options& options);
int barrier_test_and_set(const rockcreek_options& options);
int prepare_barrier_atomic_counter(const rockcreek_options& options);
int barrier_atomic_counter(const rockcreek_options& options);

} // namespace algorithms
