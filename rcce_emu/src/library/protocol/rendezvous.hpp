// SPDX-License-Identifier: Apache-2.0
// The rendezvous of RCCE_send and RCCE_recv, segment by segment through the sender's message-passing buffer
// (MPB).
#pragma once

#include <cstddef>
#include <memory>

#include "library/protocol/messages.hpp"

namespace rcce::protocol {

/// Passes the messages of one UE. Of the class that suits its flags and its core, chosen when its library is
/// made.
class Rendezvous {
 public:
  virtual ~Rendezvous() = default;
  /// One side of a message of `size` bytes, from its first segment to its last.
  virtual void send(const Channel& channel, const char* buffer, std::size_t size, int dest) = 0;
  virtual void receive(const Channel& channel, char* buffer, std::size_t size, int source) = 0;
};

/// For a library that knows its core, its flags and its checker.
[[nodiscard]] std::unique_ptr<Rendezvous> make_rendezvous(Library& library);

} // namespace rcce::protocol
