// SPDX-License-Identifier: Apache-2.0
// The algorithms in shared memory on a simulated machine, compiled once, in rcce::on_machines: who includes
// this finds all of them by name, and compiles none.
#pragma once

#include "algorithms/in_memory/barrier/barriers.hpp"
#include "algorithms/in_memory/bcast/broadcasts.hpp"
#include "algorithms/in_memory/exchange/exchanges.hpp"
#include "algorithms/in_memory/lock/locks.hpp"
#include "algorithms/in_memory/reduce/reductions.hpp"
#include "algorithms/memory/simulated.hpp"

namespace algorithms::in_memory {

extern template std::span<const BarrierRow<memory::Simulated>> barriers<memory::Simulated>() noexcept;
extern template std::span<const JoinRow<memory::Simulated>> joins<memory::Simulated>() noexcept;
extern template std::span<const ReductionRow<memory::Simulated>> reductions<memory::Simulated>() noexcept;
extern template std::span<const BroadcastRow<memory::Simulated>> broadcasts<memory::Simulated>() noexcept;
extern template std::span<const ExchangeRow<memory::Simulated>> exchanges<memory::Simulated>() noexcept;
extern template std::span<const LockRow<memory::Simulated>> locks<memory::Simulated>() noexcept;

} // namespace algorithms::in_memory
