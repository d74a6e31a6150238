// SPDX-License-Identifier: Apache-2.0
// Blocking pipelined messages, probing, multicast: the functions of the same name in iRCCE.
#pragma once

#include "state.hpp"

namespace rcce::ircce {

/// iRCCE_ssend, iRCCE_srecv; iRCCE_send, iRCCE_recv of 1.x. With `test`: iRCCE_srecv_test.
int ssend(State& state, char* buffer, long size, int dest);
int srecv(State& state, char* buffer, long size, int source, int* test);

int probe(State& state, int source, int* rank);
int iprobe(State& state, int source, int* rank, int* found);

/// Both parts of a multicast over the world, with a barrier behind each segment.
int msend(State& state, char* buffer, long size);
int mrecv(State& state, char* buffer, long size, int source);

/// iRCCE_barrier: on an atomic counter for the world, where the program has those; else RCCE_barrier.
int barrier(State& state, void* comm);

} // namespace rcce::ircce
