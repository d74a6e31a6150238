// SPDX-License-Identifier: Apache-2.0
// Messages: the rendezvous of RCCE_send and RCCE_recv, segment by segment through the sender's MPB.
#pragma once

#include <cstddef>

#include "library/protocol/library.hpp"

namespace rcce::protocol {

/// The path of a message: the sender's MPB at `buffer`, at most `chunk` bytes at once. `sent` is set at the
/// receiver, `ready` at the sender. Flags are the program's RCCE_FLAG objects.
struct Channel {
  MpbPointer buffer;
  std::size_t chunk;
  void* ready;
  void* sent;
};

/// For a receiver that has seen `sent`. Sizes that differ mean rubbish on the chip or a wait for ever, which
/// nobody can want: the first of them is told on stderr, and the run ends with the status of findings.
void compare_sizes(Library& library, std::size_t size, int source);

/// The channel of the simplified interface from UE `source` to UE `dest`.
[[nodiscard]] Channel channel(Library& library, int source, int dest);

void send_segments(Library& library, const Channel& channel, const char* buffer, std::size_t size, int dest);
void receive_segments(Library& library, const Channel& channel, char* buffer, std::size_t size, int source);
/// Receives if the first segment is there, else returns false at once.
bool receive_if_sent(Library& library, const Channel& channel, char* buffer, std::size_t size, int source);

/// True if observers want to hear of messages.
[[nodiscard]] bool observe_messages(const Library& library);
/// Tells them, and who adds up, that this UE's side of a message is complete: that of the sender, or
/// `received`. `peer` is a rank, or Outgoing::to_all; `begin` the clock when this side began.
void tell_message(const Library& library, bool received, int peer, std::size_t bytes, Picoseconds begin);

/// RCCE_send, RCCE_recv of the simplified interface.
int send(Library& library, const char* buffer, std::size_t size, int dest);
int receive(Library& library, char* buffer, std::size_t size, int source);

} // namespace rcce::protocol
