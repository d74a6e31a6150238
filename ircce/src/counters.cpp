// SPDX-License-Identifier: Apache-2.0
#include "counters.hpp"

#include <fmt/format.h>

#include "library/protocol/call.hpp"

namespace rcce::ircce {
namespace {

/// Two registers per core, in two blocks.
int counters_of(const State& state) {
  return 2 * state.library.size();
}

int checked(State& state, int counter) {
  const int all = 2 * state.library.engine.cores();
  if (counter < 0 || counter >= all)
    protocol::misuse(
        state.library,
        fmt::format("the address leads to no atomic counter; iRCCE_atomic_alloc gives them, and "
                    "returns iRCCE_ERROR where none is left: there are {} for {}, and iRCCE_init "
                    "takes 2",
                    counters_of(state),
                    state.library.size() == 1 ? "1 UE" : fmt::format("{} UEs", state.library.size())));
  return counter;
}

} // namespace

bool counter_alloc(State& state, int& counter) {
  if (state.counters_taken >= counters_of(state)) return false;
  const int ues = state.library.size(), turn = state.counters_taken++;
  counter = turn < ues ? state.library.core_of(turn)
                       : state.library.engine.cores() + state.library.core_of(turn - ues);
  counter_write(state, counter, 0);
  return true;
}

int counter_increment(State& state, int counter) {
  return static_cast<int>(state.library.core.counter_increment(checked(state, counter)));
}

int counter_read(State& state, int counter) {
  return static_cast<int>(state.library.core.counter_read(checked(state, counter)));
}

void counter_write(State& state, int counter, int value) {
  state.library.core.counter_write(checked(state, counter), static_cast<std::uint32_t>(value));
}

} // namespace rcce::ircce
