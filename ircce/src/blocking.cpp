// SPDX-License-Identifier: Apache-2.0
#include "blocking.hpp"

#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <vector>

#include "library/protocol/call.hpp"
#include "library/protocol/flags.hpp"
#include "library/protocol/polling.hpp"
#include "line_flags.hpp"
#include "progress.hpp"
#include "requests.hpp"

namespace rcce::ircce {
namespace {

/// In place of a program's request.
using Scratch = std::array<std::byte, 192>;

void* sent_flag(State& state, int source) {
  return protocol::channel(state.library, source, state.library.rank()).sent;
}

/// Those whose messages an any-source call may take.
std::vector<int> eligible_sources(const State& state) {
  std::vector<int> sources;
  for (int source = 0; source < state.library.size(); ++source)
    if (eligible(state, source)) sources.push_back(source);
  return sources;
}

/// Waits for a message from any other rank: which one it is.
int await_source(State& state) {
  const std::vector<int> sources = eligible_sources(state);
  if (sources.empty())
    protocol::misuse(state.library, "waits for a message from any rank, and there is no other rank");
  std::vector<void*> flags;
  flags.reserve(sources.size());
  for (const int source : sources) flags.push_back(sent_flag(state, source));
  const protocol::WaitsFor waiting(state.library, "sent", state.library.rank());
  return sources[await_flags(state, flags, 0)];
}

/// The value of a flag that has been seen set.
int announced_length(State& state, int source) {
  return line_value(state, sent_flag(state, source));
}

/// One look at each possible source; any_source where nothing is there.
int look_for_source(State& state) {
  for (const int source : eligible_sources(state))
    if (flag_is_set(state, sent_flag(state, source))) return source;
  return any_source;
}

/// In vain; any_source: at all.
void looked_at_source(State& state, int source) {
  protocol::looked(state.library, {"flag sent", state.library.rank(), source});
}

/// Small messages travel in the flag's own line, where a flag has one: iRCCE 2.0 on RCCE 1.0.
bool is_small(const State& state, long size) {
  return state.any_length && size <= static_cast<long>(tag_bytes);
}

void send_small(State& state, const char* buffer, int size, int dest) {
  protocol::Library& library = state.library;
  const protocol::Channel channel = protocol::channel(library, library.rank(), dest);
  const Picoseconds begin = library.core.now();
  library.announce({dest, static_cast<std::size_t>(size), library.ue.activity.call});
  library.charge(state.costs.segment);
  library.core.touch(buffer, static_cast<std::size_t>(size), false);
  line_write(state, channel.sent, size, dest, buffer, size);
  protocol::wait_until(library, channel.ready, 1, "ready");
  protocol::flag_write(library, channel.ready, 0, library.rank());
  library.announce({});
  protocol::tell_message(library, false, dest, static_cast<std::size_t>(size), begin);
}

void receive_small(State& state, char* buffer, int size, int source) {
  protocol::Library& library = state.library;
  const Picoseconds begin = library.core.now();
  const protocol::Channel channel = protocol::channel(library, source, library.rank());
  library.charge(state.costs.segment);
  {
    const protocol::WaitsFor waiting(library, "sent", library.rank());
    line_wait(state, channel.sent, size, buffer, size);
  }
  line_write(state, channel.sent, 0, library.rank(), nullptr, 0);
  protocol::flag_write(library, channel.ready, 1, source);
  protocol::tell_message(library, true, source, static_cast<std::size_t>(size), begin);
}

/// A message from there has been seen, not received.
void note_probed(State& state, int source) {
  if (state.image.recent_source != nullptr) *state.image.recent_source = source;
  if (state.any_length) *state.image.recent_length = announced_length(state, source);
}

void check_rank(State& state, int source) {
  if (!state.library.valid_rank(source))
    protocol::misuse(state.library,
                     fmt::format("rank {} is out of range 0..{}; iRCCE_ANY_SOURCE is -1", source,
                                 state.library.size() - 1));
}

int receive(State& state, char* buffer, std::size_t size, int source, bool any_length) {
  protocol::Library& library = state.library;
  Activity& activity = library.ue.activity;
  activity.peer = source;
  activity.bytes = any_length ? 0 : size;
  if (any_length) {
    const protocol::WaitsFor waiting(library, "sent", library.rank());
    await_flags(state, {sent_flag(state, source)}, 0);
    size = static_cast<std::size_t>(announced_length(state, source));
  }
  state.set_recent(source, size);
  if (is_small(state, static_cast<long>(size))) {
    receive_small(state, buffer, static_cast<int>(size), source);
  } else {
    Scratch scratch{};
    Transfer transfer =
        make_transfer(state, false, true, buffer, size, source, state.receive_request(scratch.data()));
    pass(state, transfer);
  }
  library.ue.last_receive = {activity.call, source, size, activity.since, library.core.now()};
  return success;
}

} // namespace

int ssend(State& state, char* buffer, long size, int dest) {
  if (size < 0) return state.bad_size();
  if (size == 0 && state.first_generation()) {
    return state.first_generation() && !state.library.valid_rank(dest) ? state.bad_rank() : success;
  }
  if (!state.library.valid_rank(dest)) return state.bad_rank();
  wait_for_sends(state);
  if (size == 0) buffer = state.dummy(), size = 1;
  const auto bytes = static_cast<std::size_t>(size);
  if (is_small(state, size)) {
    state.library.ue.activity.peer = dest;
    state.library.ue.activity.bytes = bytes;
    send_small(state, buffer, static_cast<int>(size), dest);
  } else {
    Scratch scratch{};
    Transfer transfer =
        make_transfer(state, true, true, buffer, bytes, dest, state.send_request(scratch.data()));
    pass(state, transfer);
  }
  const Activity& activity = state.library.ue.activity;
  state.library.ue.last_send = {activity.call, dest, bytes, activity.since, state.library.core.now()};
  return success;
}

int srecv(State& state, char* buffer, long size, int source, int* test) {
  const bool any_length = state.any_length && size == -1;
  const bool wildcard = !state.first_generation() && source == any_source;
  if (!wildcard && !state.library.valid_rank(source) &&
      (size > 0 || any_length || state.first_generation() || (size == 0 && test == nullptr)))
    return state.bad_rank();
  if (size < 0 && !any_length) {
    tell(test, 1);
    return state.bad_size();
  }
  if (size == 0 && (state.first_generation() || test != nullptr)) {
    tell(test, 1);
    return success;
  }
  if (test != nullptr) {
    step_receives(state);
    if (wildcard ? !state.receives.empty() || !state.unmatched.empty() : state.receives.contains(source)) {
      tell(test, 0);
      looked_at_source(state, source);
      return state.codes.pending;
    }
    if (wildcard) source = look_for_source(state);
    const bool there = source != any_source && (wildcard || flag_is_set(state, sent_flag(state, source)));
    if (!there) {
      state.set_recent(source, static_cast<std::size_t>(size));
      tell(test, 0);
      looked_at_source(state, source);
      return state.codes.pending;
    }
    tell(test, 1);
  } else if (wildcard) {
    wait_for_all_receives(state);
    source = await_source(state);
  } else {
    wait_for_receives(state, source);
  }
  if (size == 0) buffer = state.dummy(), size = 1;
  return receive(state, buffer, static_cast<std::size_t>(size), source, any_length);
}

int probe(State& state, int source, int* rank) {
  if (source == any_source) {
    wait_for_all_receives(state);
    source = await_source(state);
  } else {
    check_rank(state, source);
    state.library.ue.activity.peer = source;
    const protocol::WaitsFor waiting(state.library, "sent", state.library.rank());
    await_flags(state, {sent_flag(state, source)}, 0);
  }
  note_probed(state, source);
  tell(rank, source);
  return success;
}

int iprobe(State& state, int source, int* rank, int* found) {
  if (source == any_source) {
    source = look_for_source(state);
  } else {
    check_rank(state, source);
    if (!flag_is_set(state, sent_flag(state, source))) source = any_source;
  }
  if (source != any_source)
    note_probed(state, source);
  else
    looked_at_source(state, state.library.ue.activity.peer);
  tell(rank, source);
  tell(found, source != any_source);
  return success;
}

} // namespace rcce::ircce
