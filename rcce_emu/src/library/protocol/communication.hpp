// SPDX-License-Identifier: Apache-2.0
// What members of a communicator do together: split, barrier, broadcast, reductions. All linear at member 0
// or the root, as in the original.
#pragma once

#include <cstddef>

#include <string>

#include "library/protocol/library.hpp"

namespace rcce::protocol {

/// The color of all.
inline int everybody(int /*rank*/, void* /*aux*/) {
  return 1;
}
/// RCCE_comm_split without the error print of its own. `color` is the program's.
int comm_split(Library& library, int (*color)(int rank, void* aux), void* aux, Communicator comm);
int comm_free(Library& library, Communicator comm);

/// Member 0 polls every member's gather flag for the new value, then writes all release flags.
int barrier(Library& library, Communicator comm);

/// Tells the observers who want to hear of it that this member enters a collective; `parameters` are those on
/// which all members have to agree: ", root 0".
void tell_collective(Library& library, Communicator comm, const char* kind,
                     const std::string& parameters = "");

int broadcast(Library& library, char* buffer, std::size_t bytes, int root, Communicator comm);

/// RCCE_reduce (root is a rank in comm) and RCCE_allreduce.
int reduce(Library& library, char* in, char* out, int count, int type, int op, int root, Communicator comm);
int allreduce(Library& library, char* in, char* out, int count, int type, int op, Communicator comm);

} // namespace rcce::protocol
