/* SPDX-License-Identifier: Apache-2.0 */
/* The calls from the iRCCE part of a program image into the runtime. `ue` is the image's handle of its core,
 * `of` what the runtime has to know of this program's iRCCE. Flags, requests and wait lists are passed by
 * address. Plain C. */
#ifndef ROCKCREEK_IRCCE_ENTRIES_H
#define ROCKCREEK_IRCCE_ENTRIES_H

#include <stddef.h>

#ifdef __cplusplus
#define ROCKCREEK_NOEXCEPT noexcept
extern "C" {
#else
#define ROCKCREEK_NOEXCEPT
#endif

typedef volatile unsigned char *rockcreek_ircce_mpb;

/* Where the fields of a request are, in bytes from its start; 0: there is none (no optional field comes
 * first). */
struct rockcreek_ircce_layout {
  unsigned privbuf, combuf, chunk, subchunk1, subchunk2, ready, sent, flag_set_value, size, peer, sync;
  unsigned wsize, remainder, nbytes, bufptr, label, finished, started, next;
  unsigned flag_set_bytes; /* of flag_set_value */
  unsigned copy; /* RWTH's RCCE: whether the bytes go to the user's buffer */
};

struct rockcreek_ircce {
  unsigned generation; /* 10: iRCCE 1.x and the calls of RWTH's RCCE, 20: iRCCE 2.0 */
  struct rockcreek_ircce_layout send, receive;
  void **isend_queue;
  void **irecv_queue; /* by source */
  void **isend_queue32; /* by destination; null in 2.0 */
  void **any_source_queue; /* null in 1.x, as the next two */
  int *recent_source;
  int *recent_length;
};

/* As programs know it: iRCCE_WAIT_LISTELEM. */
struct rockcreek_ircce_element {
  int type; /* 0: receive, 1: send */
  struct rockcreek_ircce_element *next;
  void *request;
};

enum { rockcreek_ircce_pipelined = 1, rockcreek_ircce_blocking = 2 };

#define ROCKCREEK_IRCCE_HEAD void *ue, const struct rockcreek_ircce *of, const char *call

#include "rcce_emu/ircce_calls_entries.inc" /* of the calls that hand their arguments on; here all others */

/* requests; `how`: the two words above */
/* with the counters of the barrier; -1: it has none */
int rockcreek_ircce_init(ROCKCREEK_IRCCE_HEAD, int first_counter, int second_counter) ROCKCREEK_NOEXCEPT;
int rockcreek_ircce_isend(ROCKCREEK_IRCCE_HEAD, char *buffer, long size, int dest, void *request,
                          int how) ROCKCREEK_NOEXCEPT;
int rockcreek_ircce_irecv(ROCKCREEK_IRCCE_HEAD, char *buffer, long size, int source, void *request,
                          int how) ROCKCREEK_NOEXCEPT;
int rockcreek_ircce_status(ROCKCREEK_IRCCE_HEAD, void *send, void *receive) ROCKCREEK_NOEXCEPT;

/* wait lists: test each element in order, until the first finished one where `any`; wait until all are
 * finished, or one is. Both give the first finished element, null for none; finished requests say so
 * themselves. The list is the program's and not changed. */
struct rockcreek_ircce_element *rockcreek_ircce_test_list(ROCKCREEK_IRCCE_HEAD,
                                                          struct rockcreek_ircce_element *first,
                                                          int any) ROCKCREEK_NOEXCEPT;
struct rockcreek_ircce_element *rockcreek_ircce_wait_list(ROCKCREEK_IRCCE_HEAD,
                                                          struct rockcreek_ircce_element *first,
                                                          int any) ROCKCREEK_NOEXCEPT;

/* pipelined messages, probing, multicast */
int rockcreek_ircce_srecv(ROCKCREEK_IRCCE_HEAD, char *buffer, long size, int source,
                          int *test) ROCKCREEK_NOEXCEPT;
int rockcreek_ircce_barrier(ROCKCREEK_IRCCE_HEAD, void *comm) ROCKCREEK_NOEXCEPT;

/* copies, memory */
void rockcreek_ircce_copy(ROCKCREEK_IRCCE_HEAD, void *target, const void *source,
                          size_t bytes) ROCKCREEK_NOEXCEPT;

/* flags: of a whole line with `tag`; otherwise as RCCE keeps them */
int rockcreek_ircce_line_alloc(ROCKCREEK_IRCCE_HEAD, void *flag) ROCKCREEK_NOEXCEPT;
int rockcreek_ircce_line_write(ROCKCREEK_IRCCE_HEAD, const void *flag, int value, int id, const void *tag,
                               int bytes) ROCKCREEK_NOEXCEPT;
int rockcreek_ircce_line_read(ROCKCREEK_IRCCE_HEAD, const void *flag, int *value, int id, void *tag,
                              int bytes) ROCKCREEK_NOEXCEPT;
int rockcreek_ircce_line_wait(ROCKCREEK_IRCCE_HEAD, const void *flag, int value, void *tag,
                              int bytes) ROCKCREEK_NOEXCEPT;
int rockcreek_ircce_line_test(ROCKCREEK_IRCCE_HEAD, const void *flag, int value, int *result, void *tag,
                              int bytes) ROCKCREEK_NOEXCEPT;

/* tm2c's messages of one line */
int rockcreek_ircce_line_message(ROCKCREEK_IRCCE_HEAD, int sending, char *buffer, int peer,
                                 void *request) ROCKCREEK_NOEXCEPT;
int rockcreek_ircce_push_lines(ROCKCREEK_IRCCE_HEAD, int sending) ROCKCREEK_NOEXCEPT;

/* RWTH's RCCE: messages that synchronise though they have no bytes. Null: no request, tag or test. `how`: the
 * words on top, and this one */
enum { rockcreek_rwth_discarding = 4 };
int rockcreek_rwth_send(ROCKCREEK_IRCCE_HEAD, char *buffer, size_t size, int dest, int how, const void *tag,
                        int bytes) ROCKCREEK_NOEXCEPT;
int rockcreek_rwth_recv(ROCKCREEK_IRCCE_HEAD, char *buffer, size_t size, int source, int *test, int how,
                        void *tag, int bytes) ROCKCREEK_NOEXCEPT;
int rockcreek_rwth_probe(ROCKCREEK_IRCCE_HEAD, int source, int *test, rockcreek_ircce_mpb *payload, void *tag,
                         int bytes) ROCKCREEK_NOEXCEPT;
int rockcreek_rwth_msend(ROCKCREEK_IRCCE_HEAD, char *buffer, size_t size) ROCKCREEK_NOEXCEPT;
int rockcreek_rwth_mrecv(ROCKCREEK_IRCCE_HEAD, char *buffer, size_t size, int source) ROCKCREEK_NOEXCEPT;
int rockcreek_rwth_isend(ROCKCREEK_IRCCE_HEAD, char *buffer, size_t size, int dest,
                         void *request) ROCKCREEK_NOEXCEPT;
int rockcreek_rwth_irecv(ROCKCREEK_IRCCE_HEAD, char *buffer, size_t size, int source, void *request,
                         int how) ROCKCREEK_NOEXCEPT;
int rockcreek_rwth_irecv_push(ROCKCREEK_IRCCE_HEAD, int source) ROCKCREEK_NOEXCEPT;
/* its barriers: on atomic counters; along a tree of ranks in `comm` (parent -1: the root); in steps */
int rockcreek_rwth_counter_barrier(ROCKCREEK_IRCCE_HEAD, void *comm) ROCKCREEK_NOEXCEPT;
int rockcreek_rwth_tree_barrier(ROCKCREEK_IRCCE_HEAD, void *comm, int parent, int children,
                                const int *child) ROCKCREEK_NOEXCEPT;
int rockcreek_rwth_step_barrier(ROCKCREEK_IRCCE_HEAD, void *comm, int *step, int *label) ROCKCREEK_NOEXCEPT;
/* its locks: how often taking it has failed before; or, `once`, whether it has failed */
int rockcreek_rwth_lock(ROCKCREEK_IRCCE_HEAD, int id, int once) ROCKCREEK_NOEXCEPT;

/* atomic increment registers, by number */
int rockcreek_ircce_counter_alloc(ROCKCREEK_IRCCE_HEAD, int *counter) ROCKCREEK_NOEXCEPT;
int rockcreek_ircce_counter_increment(ROCKCREEK_IRCCE_HEAD, int counter) ROCKCREEK_NOEXCEPT;
int rockcreek_ircce_counter_read(ROCKCREEK_IRCCE_HEAD, int counter) ROCKCREEK_NOEXCEPT;
void rockcreek_ircce_counter_write(ROCKCREEK_IRCCE_HEAD, int counter, int value) ROCKCREEK_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
