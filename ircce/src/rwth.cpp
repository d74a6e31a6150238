// SPDX-License-Identifier: Apache-2.0
#include "rwth.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "blocking.hpp"
#include "library/protocol/call.hpp"
#include "library/protocol/mpb.hpp"
#include "library/protocol/polling.hpp"
#include "line_flags.hpp"
#include "progress.hpp"
#include "requests.hpp"

namespace rcce::ircce::rwth {
namespace {

/// In place of a program's request.
using Scratch = std::array<std::byte, 192>;

/// The original does not look at ranks, and accesses memory that is not there.
void check_rank(const State& state, int rank) {
  if (!state.library.valid_rank(rank))
    protocol::misuse(state.library,
                     fmt::format("rank {} is out of range 0..{}", rank, state.library.size() - 1));
}

/// Replaces a message of no bytes by one of a dummy byte.
void fill_empty(State& state, char*& buffer, std::size_t& size) {
  if (size > 0) return;
  buffer = state.dummy();
  size = 1;
}

/// A message without a request, with what only iRCCE's protocol has.
void pass_now(State& state, bool sending, char* buffer, std::size_t size, int peer, int how, Tag tag) {
  Scratch scratch{};
  const Request request =
      sending ? state.send_request(scratch.data()) : state.receive_request(scratch.data());
  Transfer transfer =
      make_transfer(state, sending, (how & rockcreek_ircce_pipelined) != 0, buffer, size, peer, request);
  transfer.stores = (how & rockcreek_rwth_discarding) == 0;
  transfer.tag = tag.data;
  transfer.tag_bytes = tag.bytes;
  pass(state, transfer);
}

/// In vain.
int looked_at_source(State& state, int source) {
  protocol::looked(state.library, {"flag sent", state.library.rank(), source});
  return success;
}

Completed completed(const State& state, int peer, std::size_t size) {
  const Activity& activity = state.library.ue.activity;
  return {activity.call, peer, size, activity.since, state.library.core.now()};
}

} // namespace

int send(State& state, char* buffer, std::size_t size, int dest, int how, Tag tag) {
  check_rank(state, dest);
  if (!state.sends.empty()) return rejected;
  fill_empty(state, buffer, size);
  protocol::Library& library = state.library;
  if (how == 0 && tag.data == nullptr) {
    protocol::send_segments(library, protocol::channel(library, library.rank(), dest), buffer, size, dest);
  } else {
    pass_now(state, true, buffer, size, dest, how, tag);
  }
  library.ue.last_send = completed(state, dest, size);
  return success;
}

int receive(State& state, char* buffer, std::size_t size, int source, int* test, int how, Tag tag) {
  check_rank(state, source);
  if (test != nullptr) *test = 0;
  if (state.receives.contains(source)) return rejected;
  fill_empty(state, buffer, size);
  protocol::Library& library = state.library;
  const protocol::Channel channel = protocol::channel(library, source, library.rank());
  if (test != nullptr) {
    if (!flag_is_set(state, channel.sent)) return looked_at_source(state, source);
    *test = 1;
  }
  if (how == 0 && tag.data == nullptr) {
    protocol::receive_segments(library, channel, buffer, size, source);
  } else {
    pass_now(state, false, buffer, size, source, how, tag);
  }
  library.ue.last_receive = completed(state, source, size);
  return success;
}

int probe(State& state, int source, int* test, protocol::MpbPointer* payload, Tag tag) {
  check_rank(state, source);
  if (test != nullptr) *test = 0;
  if (state.receives.contains(source)) return rejected;
  protocol::Library& library = state.library;
  const protocol::Channel channel = protocol::channel(library, source, library.rank());
  if (test == nullptr) {
    const protocol::WaitsFor waiting(library, "sent", library.rank());
    await_flags(state, {channel.sent}, 0);
  } else {
    if (!flag_is_set(state, channel.sent)) return looked_at_source(state, source);
    *test = 1;
  }
  if (payload != nullptr) {
    const std::size_t offset = protocol::own_offset(library, channel.buffer, mesh::line_bytes);
    *payload = reinterpret_cast<protocol::MpbPointer>(library.engine.mpb(library.core_of(source)) + offset);
  }
  if (tag.data != nullptr) line_tag(state, channel.sent, tag.data, tag.bytes);
  return success;
}

int send_to_all(State& state, char* buffer, std::size_t size) {
  if (!state.sends.empty()) return rejected;
  fill_empty(state, buffer, size);
  return msend(state, buffer, static_cast<long>(size));
}

int receive_of_all(State& state, char* buffer, std::size_t size, int source) {
  check_rank(state, source);
  if (state.receives.contains(source)) return rejected;
  fill_empty(state, buffer, size);
  return mrecv(state, buffer, static_cast<long>(size), source);
}

int isend(State& state, char* buffer, std::size_t size, int dest, void* request) {
  check_rank(state, dest);
  fill_empty(state, buffer, size);
  return ircce::isend(state, buffer, static_cast<long>(size), dest, request, 0);
}

int irecv(State& state, char* buffer, std::size_t size, int source, void* request, int how) {
  check_rank(state, source);
  fill_empty(state, buffer, size);
  return ircce::irecv(state, buffer, static_cast<long>(size), source, request, how);
}

int irecv_push(State& state, int source) {
  check_rank(state, source);
  const auto queue = state.receives.find(source);
  if (queue == state.receives.end() || step(state, *queue->second.front())) return success;
  (void)looked_at_source(state, source);
  return state.codes.pending;
}

int lock(State& state, int id, bool once) {
  protocol::Library& library = state.library;
  const int core = library.core_of(id);
  const Picoseconds begin = library.core.now();
  bool taken = library.core.lock_try(core);
  // The chip's core tries again and again: as often as a first attempt fits into the time of waiting.
  const Picoseconds attempt = std::max<Picoseconds>(library.core.now() - begin, 1);
  int failed = 0;
  if (!taken && !once) {
    const Picoseconds waits_since = library.core.now();
    const protocol::WaitsFor waiting(library, "lock", id);
    library.core.lock_acquire(core);
    const Picoseconds waited = library.core.now() - waits_since;
    failed = static_cast<int>(std::min<Picoseconds>(1 + waited / attempt, std::numeric_limits<int>::max()));
    taken = true;
  }
  if (!taken) {
    protocol::looked(library, {"the lock", id});
    return state.codes.pending;
  }
  library.note_lock(core, true);
  return failed;
}

} // namespace rcce::ircce::rwth
