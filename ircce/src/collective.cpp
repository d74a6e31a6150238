// SPDX-License-Identifier: Apache-2.0
// What all UEs do together: multicast with a barrier behind each segment, and the barrier on atomic counters.
#include <fmt/format.h>

#include "blocking.hpp"
#include "copies.hpp"
#include "counters.hpp"
#include "library/protocol/call.hpp"
#include "library/protocol/communication.hpp"
#include "library/protocol/diagnostics.hpp"
#include "library/protocol/flags.hpp"
#include "progress.hpp"

namespace rcce::ircce {
namespace {

void counter_barrier(State& state) {
  protocol::Library& library = state.library;
  const int counter = state.barrier_counters[state.barrier_turn];
  state.barrier_turn = 1 - state.barrier_turn;
  if (counter_increment(state, counter) == library.size() - 1) {
    counter_write(state, counter, 0); // the last one releases the others
    return;
  }
  const protocol::WaitsFor waiting(library, "atomic counter", library.rank());
  library.ue.activity.group = library.world().address();
  library.core.counter_wait(counter, 0,
                            {.first = state.costs.backoff_first, .last = state.costs.backoff_last});
  library.ue.activity.group = nullptr;
}

/// Each side has a call of its own for it, and the receivers may not know the root.
void tell_multicast(State& state, std::size_t bytes) {
  protocol::Library& library = state.library;
  if (library.ue.facts == nullptr) return;
  protocol::tell_collective(library, library.world(), "multicast",
                            state.any_length ? "" : fmt::format(", {} bytes", bytes));
}

} // namespace

int barrier(State& state, void* comm) {
  protocol::Library& library = state.library;
  if (state.barrier_counters[0] < 0 || comm != library.world().address())
    return protocol::barrier(library, {library.image, comm});
  library.charge(library.costs.barrier);
  counter_barrier(state);
  return success;
}

int msend(State& state, char* buffer, long size) {
  if (size < 0) return state.bad_size();
  if (size == 0) return success;
  protocol::Library& library = state.library;
  wait_for_sends(state);
  const Picoseconds begin = library.core.now();
  const auto bytes = static_cast<std::size_t>(size);
  tell_multicast(state, bytes);
  const protocol::Channel channel = protocol::channel(library, library.rank(), library.rank());
  const std::size_t payload = protocol::own_offset(library, channel.buffer, mesh::line_bytes);
  library.ue.activity.bytes = bytes;
  library.announce({Outgoing::to_all, bytes, library.ue.activity.call});
  for (std::size_t offset = 0; offset < bytes;) {
    const Segment segment = segment_at(offset, bytes, channel.chunk, false);
    put_segment(state, library.core_id, payload + segment.place, buffer + segment.offset, segment.bytes);
    const int value = state.any_length ? static_cast<int>(size) : 1;
    for (int dest = 0; dest < library.size(); ++dest)
      if (dest != library.rank()) protocol::flag_write(library, channel.sent, value, dest);
    barrier(state, library.world().address());
    offset = segment.end();
  }
  library.announce({});
  protocol::tell_message(library, false, Outgoing::to_all, bytes, begin);
  return success;
}

int mrecv(State& state, char* buffer, long size, int source) {
  protocol::Library& library = state.library;
  const bool wildcard = source == any_source;
  if (!wildcard && !library.valid_rank(source))
    return protocol::error_return(library, *library.image.debug_comm, protocol::Error::id);
  if (size < 0) return state.bad_size();
  if (size == 0) return success;
  tell_multicast(state, static_cast<std::size_t>(size));
  if (wildcard) {
    probe(state, any_source, &source);
  } else {
    wait_for_receives(state, source);
  }
  const Picoseconds begin = library.core.now();
  const auto bytes = static_cast<std::size_t>(size);
  state.set_recent(source, bytes);
  library.ue.activity.peer = source;
  library.ue.activity.bytes = bytes;
  const protocol::Channel channel = protocol::channel(library, source, library.rank());
  const std::size_t payload = protocol::own_offset(library, channel.buffer, mesh::line_bytes);
  for (std::size_t offset = 0; offset < bytes;) {
    const Segment segment = segment_at(offset, bytes, channel.chunk, false);
    library.charge(state.costs.segment);
    {
      const protocol::WaitsFor waiting(library, "sent", library.rank());
      await_flags(state, {channel.sent}, 0);
    }
    if (offset == 0) protocol::compare_sizes(library, bytes, source);
    protocol::flag_write(library, channel.sent, 0, library.rank());
    get_segment(state, buffer + segment.offset, library.core_of(source), payload + segment.place,
                segment.bytes);
    barrier(state, library.world().address());
    offset = segment.end();
  }
  protocol::tell_message(library, true, source, bytes, begin);
  return success;
}

} // namespace rcce::ircce
