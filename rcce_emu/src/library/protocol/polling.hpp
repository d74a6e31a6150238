// SPDX-License-Identifier: Apache-2.0
// Polling for ever: told as a deadlock is, where nobody is left who could change what a loop looks at.
//
// A call that has looked at shared state and changed nothing says so by looked(). Looks with no other call
// between them make a streak; most calls end one, whatever they do, and so does reading a clock or writing
// output. When nobody but UEs in a streak can act, each of these tries to show that it goes round in a circle
// (run/call_site): the same place, the same registers, the same memory. Once each has shown that while
// all others stood still, the run can never go on. So a loop that counts its rounds, or looks at a clock, or
// computes something is left in peace: it may end by itself. One that counts for very long is worth a word.
//
// With threads nobody sees all UEs at one instant: there it is a suspicion, told after some seconds.
#pragma once

#include "library/protocol/library.hpp"

namespace rcce::protocol {

/// Examines a streak after many polls. Rarely called.
[[gnu::cold, gnu::noinline]] void consider_polling(Library& library);

/// The first look of a streak.
void begin_streak(Ue& ue, const Polled& look);
/// A request has been posted and not done at once: it goes on in any later call, as the partner's comes.
void stays_pending(const Library& library);

/// The present call has looked at shared state, and the state is as it was.
inline void looked(Library& library, const Polled& look) {
  Ue& ue = library.ue;
  Polling& polling = ue.polling;
  constexpr auto relaxed = std::memory_order_relaxed;
  const std::uint32_t call = ue.calls.load(relaxed);
  if (polling.call.load(relaxed) + 1 != call) begin_streak(ue, look);
  polling.call.store(call, relaxed);
  const std::uint64_t looks = polling.looks.load(relaxed) + 1;
  polling.looks.store(looks, relaxed);
  if (looks >= polling.consider_at) [[unlikely]]
    consider_polling(library);
}

} // namespace rcce::protocol
