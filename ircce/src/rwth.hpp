// SPDX-License-Identifier: Apache-2.0
// The calls of RWTH's RCCE that Intel's lacks, by iRCCE's means: messages with requests of their own,
// pipelined, tagged and for all; probes; further barriers; locks that count. A message of no bytes is one
// dummy byte.
#pragma once

#include "copies.hpp"
#include "state.hpp"

namespace rcce::ircce::rwth {

/// RCCE_REJECTED: unfinished requests of the same direction are in the way of a blocking call.
inline constexpr int rejected = -3;

struct Tag {
  void* data; ///< null: none
  int bytes;
};

/// `how`: the words rockcreek_ircce_pipelined and rockcreek_rwth_discarding.
int send(State& state, char* buffer, std::size_t size, int dest, int how, Tag tag);
/// With `test`: only a message that has begun to come.
int receive(State& state, char* buffer, std::size_t size, int source, int* test, int how, Tag tag);
/// Looks for a message, or without `test` waits for it, and tells where it lies in the sender's MPB.
int probe(State& state, int source, int* test, protocol::MpbPointer* payload, Tag tag);
int send_to_all(State& state, char* buffer, std::size_t size);
int receive_of_all(State& state, char* buffer, std::size_t size, int source);

int isend(State& state, char* buffer, std::size_t size, int dest, void* request);
int irecv(State& state, char* buffer, std::size_t size, int source, void* request, int how);
/// One step for the first receive from there.
int irecv_push(State& state, int source);

/// On atomic counters for the world, else RCCE_barrier.
int counter_barrier(State& state, void* comm);
/// By the communicator's flags, from the leaves to the root and back; ranks are those in `comm`.
int tree_barrier(State& state, void* comm, int parent, int children, const int* child);
/// RCCE_barrier in steps: what there is to do without waiting. `step` and `label` are the communicator's.
int step_barrier(State& state, void* comm, int& step, int& label);

/// Number of attempts that fail before the lock is taken; `once`: a single attempt, and whether that failed.
int lock(State& state, int id, bool once);

} // namespace rcce::ircce::rwth
