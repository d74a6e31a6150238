// SPDX-License-Identifier: Apache-2.0
#include "algorithms/in_memory/simulated.hpp"

namespace algorithms::in_memory {

template std::span<const BarrierRow<memory::Simulated>> barriers<memory::Simulated>() noexcept;
template std::span<const JoinRow<memory::Simulated>> joins<memory::Simulated>() noexcept;
template std::span<const ReductionRow<memory::Simulated>> reductions<memory::Simulated>() noexcept;
template std::span<const BroadcastRow<memory::Simulated>> broadcasts<memory::Simulated>() noexcept;
template std::span<const ExchangeRow<memory::Simulated>> exchanges<memory::Simulated>() noexcept;
template std::span<const LockRow<memory::Simulated>> locks<memory::Simulated>() noexcept;

} // namespace algorithms::in_memory
