// SPDX-License-Identifier: Apache-2.0
// iRCCE_init, and memory of the payload area.
#pragma once

#include <cstddef>

#include "library/protocol/mpb.hpp"
#include "state.hpp"

namespace rcce::ircce {

/// iRCCE_init. Collective in 2.0, which ends with a barrier. The counters are those of iRCCE_barrier, or -1.
int start(State& state, int first_counter, int second_counter);

/// iRCCE_malloc: lines of the payload area for good. Null where the size is no number of lines or too large.
[[nodiscard]] protocol::MpbPointer take_payload(State& state, std::size_t bytes);

} // namespace rcce::ircce
