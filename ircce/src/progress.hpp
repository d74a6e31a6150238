// SPDX-License-Identifier: Apache-2.0
// How requests advance: step by step, and only inside calls of their own UE.
#pragma once

#include <vector>

#include "state.hpp"

namespace rcce::ircce {

/// A flag in the own MPB that somebody sets to let a message go on: that of a head of a queue, or the `sent`
/// flag of a source which an any-source receive may be given.
struct Watched {
  Transfer* transfer;
  int source = any_source; ///< the source whose message an any-source receive would take
};

/// Looks at a flag in the own MPB once.
[[nodiscard]] bool flag_is_set(State& state, const void* flag);

/// Goes on with a message as far as it can without waiting: true once it has been passed on in full. `seen`:
/// its flag is known to be set; `looks`: looks at the flags of what follows, else stops there. Does not touch
/// queues.
bool advance(State& state, Transfer& transfer, bool seen = false, bool looks = true);

/// One step for a head; true if that finished the request, which then has left its queue.
bool step(State& state, Transfer& head, bool seen = false);
/// One step for the head of the send queue: true if there was none or it has finished.
bool step_sends(State& state);
/// Gives sources to waiting any-source receives, then one step for the head of each source's queue. False if
/// one was left pending.
bool step_receives(State& state);

/// Looks for a source for an unmatched receive and enters it there: true if one was found.
bool match(State& state, Transfer& unmatched);
/// True if an any-source receive may take a message from there.
[[nodiscard]] bool eligible(const State& state, int source);

/// Adds the flags to wait for. Begins a send at the head that has not begun.
void watch_sends(State& state, std::vector<Watched>& watched);
void watch_receives(State& state, std::vector<Watched>& watched);
void watch_unmatched(State& state, Transfer& unmatched, std::vector<Watched>& watched);

/// Sleeps until one of the flags is set, as a loop that looks at them in turn would see it, and makes the
/// step that it allows. `wanted` is named in reports; `round` core cycles go into each round of looks.
void await(State& state, const std::vector<Watched>& watched, const Transfer* wanted, Cycles round);
/// The same for any flag in the own MPB, without a step: returns the number of the look.
std::size_t await_flags(State& state, const std::vector<void*>& flags, Cycles round);

/// Passes on a message that is in no queue, waiting for its flags only.
void pass(State& state, Transfer& transfer);

/// Pushes the sends and all receives until the request is finished.
void wait_for(State& state, Transfer& wanted);
/// Until the send queue, that source's receive queue, all receive queues are empty.
void wait_for_sends(State& state);
void wait_for_receives(State& state, int source);
void wait_for_all_receives(State& state);

} // namespace rcce::ircce
