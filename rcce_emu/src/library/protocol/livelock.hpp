// SPDX-License-Identifier: Apache-2.0
// Going on for ever without coming any further: UEs that take a lock and give it back, write flags for each
// other, count. Unlike polling such loops change something in every round, so nobody can show that they will
// never end. It is a suspicion, told once: that all UEs which are not at rest have made many calls, or gone
// round loops of their own many times, while none has sent or received a message, taken part in a collective
// call, asked for the time, printed something or ended.
#pragma once

#include "library/protocol/library.hpp"

namespace rcce::protocol {

/// The UE has made another `Progress::calls_between` calls.
[[gnu::cold, gnu::noinline]] void consider_livelock(Library& library);

/// Tells it on standard error, unless a suspicion has been told before; the run goes on.
void suspect_livelock(Job& job);

} // namespace rcce::protocol
