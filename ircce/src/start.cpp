// SPDX-License-Identifier: Apache-2.0
#include "start.hpp"

#include "api/call.hpp"
#include "api/communication.hpp"
#include "api/mpb.hpp"

namespace rcce::ircce {

int start(State& state, int first_counter, int second_counter) {
  if (!state.sends.empty() || !state.receives.empty() || !state.unmatched.empty())
    api::misuse(state.library,
                "called while requests are unfinished; call it once, before the first request");
  if (state.first_generation()) return success;
  state.barrier_counters[0] = first_counter;
  state.barrier_counters[1] = second_counter;
  state.set_recent(any_source, 0);
  return api::barrier(state.library, state.library.world());
}

api::MpbPointer take_payload(State& state, std::size_t bytes) {
  const api::ImageVariables& image = state.library.image;
  if (bytes % mesh::line_bytes != 0 || bytes > *image.chunk) return nullptr;
  const api::MpbPointer block = *image.buff_ptr;
  *image.flags_start += bytes;
  *image.buff_ptr += bytes;
  *image.chunk -= bytes;
  api::tell_payload(state.library, block, bytes);
  return block;
}

} // namespace rcce::ircce
