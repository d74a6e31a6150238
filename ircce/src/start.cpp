// SPDX-License-Identifier: Apache-2.0
#include "start.hpp"

#include "library/protocol/call.hpp"
#include "library/protocol/communication.hpp"
#include "library/protocol/mpb.hpp"

namespace rcce::ircce {

int start(State& state, int first_counter, int second_counter) {
  if (!state.sends.empty() || !state.receives.empty() || !state.unmatched.empty())
    protocol::misuse(state.library,
                     "called while requests are unfinished; call it once, before the first request");
  if (state.first_generation()) return success;
  state.barrier_counters[0] = first_counter;
  state.barrier_counters[1] = second_counter;
  state.set_recent(any_source, 0);
  return protocol::barrier(state.library, state.library.world());
}

protocol::MpbPointer take_payload(State& state, std::size_t bytes) {
  const protocol::ImageVariables& image = state.library.image;
  if (bytes % mesh::line_bytes != 0 || bytes > *image.chunk) return nullptr;
  const protocol::MpbPointer block = *image.buff_ptr;
  *image.flags_start += bytes;
  *image.buff_ptr += bytes;
  *image.chunk -= bytes;
  protocol::tell_payload(state.library, block, bytes);
  return block;
}

} // namespace rcce::ircce
