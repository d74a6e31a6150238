// SPDX-License-Identifier: Apache-2.0
// Non-blocking messages: posting, testing, waiting, pushing, cancelling. The functions are those of the same
// name in iRCCE; requests are the program's objects, null where the program gives none.
#pragma once

#include "state.hpp"

namespace rcce::ircce {

/// `how`: the words rockcreek_ircce_pipelined and _blocking.
int isend(State& state, char* buffer, long size, int dest, void* request, int how);
int irecv(State& state, char* buffer, long size, int source, void* request, int how);

int isend_test(State& state, void* request, int* test);
int irecv_test(State& state, void* request, int* test);
int isend_wait(State& state, void* request);
int irecv_wait(State& state, void* request);
int isend_push(State& state);
int irecv_push(State& state);
int isend_cancel(State& state, void* request, int* test);
int irecv_cancel(State& state, void* request, int* test);
/// tm2c's iRCCE_isend32 and iRCCE_irecv32: messages of one line, with a queue for each partner; and a step
/// for the head of each of these queues.
int line_message(State& state, bool sending, char* buffer, int peer, void* request);
int push_lines(State& state, bool sending);
/// iRCCE_get_status; one of the two is null.
int status(State& state, void* send, void* receive);

/// Wait lists: see the words on rockcreek_ircce_test_list and _wait_list in image/ircce_entries.h.
ListElement* test_list(State& state, ListElement* first, bool any);
ListElement* wait_list(State& state, ListElement* first, bool any);

/// The record of a message that begins now. A null buffer is allowed where nothing is copied.
[[nodiscard]] Transfer make_transfer(State& state, bool sending, bool pipelined, char* buffer,
                                     std::size_t size, int peer, const Request& request);

} // namespace rcce::ircce
