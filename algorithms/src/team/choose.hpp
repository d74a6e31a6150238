// SPDX-License-Identifier: Apache-2.0
// Which algorithms a team takes.
#pragma once

#include <string>
#include <string_view>

#include "algorithms/in_memory/reduce/reductions.hpp"
#include "algorithms/memory/host.hpp"
#include "rockcreek/team.hpp"

namespace rockcreek::detail {

using Host = algorithms::memory::Host;
using BarrierRow = algorithms::in_memory::BarrierRow<Host>;
using JoinRow = algorithms::in_memory::JoinRow<Host>;
using ReductionRow = algorithms::in_memory::ReductionRow<Host>;

/// Rows by the name of the options, with or without its folder, or by a rule for "auto". Throw
/// std::invalid_argument that lists what there is.
[[nodiscard]] const BarrierRow& barrier_row(std::string_view name, int threads, int processors);
[[nodiscard]] const JoinRow& join_row(std::string_view name);
/// For blocks of so many bytes on that machine, as TeamOptions has it. Throws std::invalid_argument where the
/// named one does not keep the order, and for a machine that there is no table of.
[[nodiscard]] const ReductionRow& reduction_row(std::string_view name, Order order, int threads,
                                                std::size_t bytes, std::string_view machine);

/// Processors that this process may use; at least 1.
[[nodiscard]] int processors();

} // namespace rockcreek::detail
