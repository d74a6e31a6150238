// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/messages.hpp"

#include <cstdint>
#include <cstdio>
#include <fmt/format.h>

#include "engine/ue/job_state.hpp"
#include "library/protocol/call.hpp"
#include "library/protocol/diagnostics.hpp"
#include "library/protocol/flags.hpp"
#include "library/protocol/rendezvous.hpp"
#include "mesh_sim/observe/observers.hpp"
#include "process/run/report.hpp"

namespace rcce::protocol {

bool observe_messages(const Library& library) {
  return library.ue.observers != nullptr && library.ue.observers->want(mesh::EventMask::messages);
}

namespace {

[[gnu::noinline]] void tell_observers(const Library& library, bool received, int peer, std::size_t bytes,
                                      Picoseconds begin) {
  const int core = library.valid_rank(peer) ? library.cores[static_cast<std::size_t>(peer)] : -1;
  library.ue.observers->notify_alone(&mesh::Observer::message, mesh::EventMask::messages,
                                     mesh::Message{received ? core : library.core_id,
                                                   received ? library.core_id : core, received, bytes, begin,
                                                   library.core.now()});
}

using mesh::line_bytes;

/// A collective call goes through many messages: reports tell of the present one.
/// Returns when this side of it begins, where somebody wants to know.
Picoseconds begin_message(Library& library, bool received, int peer, std::size_t bytes) {
  Activity& activity = library.ue.activity;
  activity.peer = peer;
  activity.bytes = bytes;
  activity.traits = without(activity.traits, sends | receives) | (received ? receives : sends);
  return observe_messages(library) ? library.core.now() : 0;
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_message(Library& library, std::size_t size) {
  if (size > PTRDIFF_MAX)
    misuse(library,
           fmt::format("the size is {}, or {} with a sign: sizes count bytes, from 0", size,
                       static_cast<std::ptrdiff_t>(size)));
  misuse(library,
         library.gory() ? "the chunk is smaller than a line of 32 bytes"
                        : "no room for messages is left in the message-passing buffer: iRCCE_malloc, "
                          "communicators and flags have taken it; allocate less");
}

void check_message(Library& library, const Channel& channel, std::size_t size) {
  if (channel.chunk < line_bytes || size > PTRDIFF_MAX) refuse_message(library, size);
}

[[gnu::cold, gnu::noinline]] void tell_mismatch(Library& library, const Outgoing& message, std::size_t size,
                                                int source) {
  library.mismatch_told = true;
  library.ue.job->note_mismatch();
  const char* const call = library.ue.activity.call;
  std::fprintf(stderr, "rccerun: %s (%s, %s at %s): the data are wrong; both calls must name the same size\n",
               run::mismatch_text(source, message.bytes, library.rank(), size).c_str(),
               message.call != nullptr ? message.call : "its call", call != nullptr ? call : "its call",
               run::microseconds(library.core.now()).c_str());
}

} // namespace

void tell_message(const Library& library, bool received, int peer, std::size_t bytes, Picoseconds begin) {
  if (library.ue.times != nullptr) [[unlikely]]
    library.ue.times->message(received, bytes);
  if (observe_messages(library)) [[unlikely]]
    tell_observers(library, received, peer, bytes, begin);
}

void compare_sizes(Library& library, std::size_t size, int source) {
  if (!library.valid_rank(source) || library.mismatch_told) return;
  const Outgoing& message = library.memory.outgoing(library.core_of(source));
  if ((message.peer == library.rank() || message.peer == Outgoing::to_all) && message.bytes != size)
    tell_mismatch(library, message, size, source);
}

Channel channel(Library& library, int source, int dest) {
  const ImageVariables& image = library.image;
  // They have been allocated in pairs, by rank.
  const auto flag = [&](void* flags, int id, std::size_t of_pair) {
    const auto rank = static_cast<std::size_t>(id);
    std::byte* const object = static_cast<std::byte*>(flags) + rank * image.flag_bytes;
    if (library.message_flags) flag_show(library, object, *library.message_flags + 2 * rank + of_pair);
    return object;
  };
  return {*image.buff_ptr, *image.chunk, flag(image.ready_flag, dest, 1), flag(image.sent_flag, source, 0)};
}

void send_segments(Library& library, const Channel& channel, const char* buffer, std::size_t size, int dest) {
  const Picoseconds begin = begin_message(library, false, dest, size);
  check_message(library, channel, size);
  if (library.extension) library.extension->sending(dest);
  library.announce({dest, size, library.ue.activity.call});
  Rendezvous& rendezvous = *library.rendezvous;
  rendezvous.send(channel, buffer, size, dest);
  // With the low-level interface programs send without this function, too.
  if (library.gory()) library.announce({});
  tell_message(library, false, dest, size, begin);
}

void receive_segments(Library& library, const Channel& channel, char* buffer, std::size_t size, int source) {
  const Picoseconds begin = begin_message(library, true, source, size);
  check_message(library, channel, size);
  if (library.extension) library.extension->receiving(source);
  Rendezvous& rendezvous = *library.rendezvous;
  rendezvous.receive(channel, buffer, size, source);
  tell_message(library, true, source, size, begin);
}

bool receive_if_sent(Library& library, const Channel& channel, char* buffer, std::size_t size, int source) {
  if (probe(library, channel.sent) == 0) return false;
  receive_segments(library, channel, buffer, size, source);
  return true;
}

int send(Library& library, const char* buffer, std::size_t size, int dest) {
  if (!library.valid_rank(dest)) return error_return(library, *library.image.debug_comm, Error::id);
  if (size > 0) send_segments(library, channel(library, library.rank(), dest), buffer, size, dest);
  return 0;
}

int receive(Library& library, char* buffer, std::size_t size, int source) {
  if (!library.valid_rank(source)) return error_return(library, *library.image.debug_comm, Error::id);
  if (size > 0) receive_segments(library, channel(library, source, library.rank()), buffer, size, source);
  return 0;
}

} // namespace rcce::protocol
