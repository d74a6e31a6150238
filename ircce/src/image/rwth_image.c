/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of RWTH's RCCE in a program image (rccecc --rwth): as ircce_image.c has iRCCE's, from which they
 * differ in names, request objects and return codes. Compiled with the same macros. */
#ifdef ROCKCREEK_RWTH
#ifndef SCC_COUPLED_SYSTEMS
#define SCC_COUPLED_SYSTEMS /* declares all there is */
#endif
#include "RCCE_lib.h"
#include "ircce_entries.h"
#include "rcce_emu/image.h"

rockcreek_ircce_mpb rockcreek_shrealloc(void *ue, rockcreek_ircce_mpb block, size_t size);

#define API __attribute__((weak, visibility("default")))

/* Heads of the queues, which RWTH's programs do not see. */
static void *send_queue;
static ROCKCREEK_WIDE void *receive_queues[RCCE_MAXNP];

#ifndef GORY
static RCCE_RECV_REQUEST blocking_receive; /* of calls without a request object */
#define FIELDS(type) \
  .privbuf = offsetof(type, privbuf), .combuf = offsetof(type, combuf), .chunk = offsetof(type, chunk), \
  .ready = offsetof(type, ready), .sent = offsetof(type, sent), .size = offsetof(type, size), \
  .wsize = offsetof(type, wsize), .remainder = offsetof(type, remainder), .nbytes = offsetof(type, nbytes), \
  .bufptr = offsetof(type, bufptr), .label = offsetof(type, label), .finished = offsetof(type, finished), \
  .next = offsetof(type, next), .copy = offsetof(type, copy)
#endif

static const struct rockcreek_ircce rockcreek_rwth = {
  .generation = 10,
#ifndef GORY
  .send = {FIELDS(RCCE_SEND_REQUEST), .peer = offsetof(RCCE_SEND_REQUEST, dest)},
  .receive = {FIELDS(RCCE_RECV_REQUEST), .peer = offsetof(RCCE_RECV_REQUEST, source)},
#endif
  .isend_queue = &send_queue,
  .irecv_queue = receive_queues,
};

/* The first words of every call. */
#define SELF rockcreek_image.ue, &rockcreek_rwth, __func__

#ifndef GORY
/* --- messages ------------------------------------------------------------------------------------------- */
API int RCCE_send(char *privbuf, size_t size, int dest) {
  return rockcreek_rwth_send(SELF, privbuf, size, dest, 0, NULL, 0);
}
API int RCCE_recv(char *privbuf, size_t size, int source) {
  return rockcreek_rwth_recv(SELF, privbuf, size, source, NULL, 0, NULL, 0);
}
API int RCCE_recv_test(char *privbuf, size_t size, int source, int *test) {
  return rockcreek_rwth_recv(SELF, privbuf, size, source, test, 0, NULL, 0);
}
API int RCCE_send_pipe(char *privbuf, size_t size, int dest) {
  return rockcreek_rwth_send(SELF, privbuf, size, dest, rockcreek_ircce_pipelined, NULL, 0);
}
API int RCCE_recv_pipe(char *privbuf, size_t size, int source) {
  return rockcreek_rwth_recv(SELF, privbuf, size, source, NULL, rockcreek_ircce_pipelined, NULL, 0);
}
API int RCCE_send_mcast(char *privbuf, size_t size) { return rockcreek_rwth_msend(SELF, privbuf, size); }
API int RCCE_recv_mcast(char *privbuf, size_t size, int source) {
  return rockcreek_rwth_mrecv(SELF, privbuf, size, source);
}
#ifndef SINGLEBITFLAGS
API int RCCE_send_tagged(char *privbuf, size_t size, int dest, void *tag, int len) {
  return rockcreek_rwth_send(SELF, privbuf, size, dest, 0, tag, len);
}
API int RCCE_recv_tagged(char *privbuf, size_t size, int source, void *tag, int len) {
  return rockcreek_rwth_recv(SELF, privbuf, size, source, NULL, 0, tag, len);
}
API int RCCE_recv_probe_tagged(int source, int *test, t_vcharp *payload, void *tag, int len) {
  return rockcreek_rwth_probe(SELF, source, test, payload, tag, len);
}
#endif
API int RCCE_recv_probe(int source, int *test, t_vcharp *payload) {
  return rockcreek_rwth_probe(SELF, source, test, payload, NULL, 0);
}
API int RCCE_recv_cancel(size_t size, int source) {
  return rockcreek_rwth_recv(SELF, NULL, size, source, NULL, rockcreek_rwth_discarding, NULL, 0);
}

/* --- non-blocking messages ------------------------------------------------------------------------------ */
API int RCCE_isend(char *privbuf, size_t size, int dest, RCCE_SEND_REQUEST *request) {
  return rockcreek_rwth_isend(SELF, privbuf, size, dest, request);
}
API int RCCE_isend_test(RCCE_SEND_REQUEST *request, int *test) {
  return rockcreek_ircce_isend_test(SELF, request, test);
}
API int RCCE_isend_wait(RCCE_SEND_REQUEST *request) { return rockcreek_ircce_isend_wait(SELF, request); }
API int RCCE_isend_push(int dest) {
  (void)dest; /* there is one queue for all */
  return rockcreek_ircce_isend_push(SELF);
}
API int RCCE_irecv(char *privbuf, size_t size, int source, RCCE_RECV_REQUEST *request) {
  if (request) return rockcreek_rwth_irecv(SELF, privbuf, size, source, request, 0);
  return rockcreek_rwth_irecv(SELF, privbuf, size, source, &blocking_receive, rockcreek_ircce_blocking);
}
API int RCCE_irecv_test(RCCE_RECV_REQUEST *request, int *test) {
  return rockcreek_ircce_irecv_test(SELF, request, test);
}
API int RCCE_irecv_wait(RCCE_RECV_REQUEST *request) { return rockcreek_ircce_irecv_wait(SELF, request); }
API int RCCE_irecv_push(int source) { return rockcreek_rwth_irecv_push(SELF, source); }

/* --- MPB memory ----------------------------------------------------------------------------------------- */
rockcreek_ircce_mpb rockcreek_malloc(void *ue, size_t size);
API t_vcharp RCCE_malloc(size_t size) {
  const t_vcharp line = size == RCCE_LINE_SIZE ? rockcreek_malloc(rockcreek_image.ue, size) : NULL;
  if (line) return line;
  fprintf(stderr,
          size == RCCE_LINE_SIZE
              ? "RCCE_malloc: the message-passing buffer is full\n"
              : "RCCE_malloc: %lu bytes are asked for; there are single lines of %d bytes\n",
          (unsigned long)size, RCCE_LINE_SIZE);
  exit(-1);
}
#else
/* The same block in the MPB of `ID`. */
API t_vcharp RCCE_palloc(size_t size, int ID) {
  const t_vcharp block = RCCE_malloc(size);
  return block ? RCCE_comm_buffer[ID] + (block - RCCE_comm_buffer[RCCE_IAM]) : NULL;
}
API int RCCE_test_flag(RCCE_FLAG flag, RCCE_FLAG_STATUS val, int *result) {
  return rockcreek_ircce_test_flag(SELF, &flag, (int)val, result);
}
#ifndef SINGLEBITFLAGS
API int RCCE_flag_write_tagged(RCCE_FLAG *flag, RCCE_FLAG_STATUS val, int ID, char *tag, int len) {
  return rockcreek_ircce_line_write(SELF, flag, (int)val, ID, tag, len);
}
API int RCCE_flag_read_tagged(RCCE_FLAG flag, RCCE_FLAG_STATUS *val, int ID, char *tag, int len) {
  int value = 0;
  const int result = rockcreek_ircce_line_read(SELF, &flag, &value, ID, tag, len);
  if (val) *val = value;
  return result;
}
#endif
#endif

/* --- memory --------------------------------------------------------------------------------------------- */
API t_vcharp RCCE_shrealloc(t_vcharp ptr, size_t size) {
  return rockcreek_shrealloc(rockcreek_image.ue, ptr, size);
}
API void *RCCE_memcpy_get(void *dest, const void *src, size_t count) {
  rockcreek_ircce_copy(SELF, dest, src, count);
  return dest;
}
API void *RCCE_memcpy_put(void *dest, const void *src, size_t count) {
  rockcreek_ircce_copy(SELF, dest, src, count);
  return dest;
}

/* --- barriers ------------------------------------------------------------------------------------------- */
API int RCCE_tree_init(RCCE_COMM *comm, tree_t *tree, int arity) {
  int child;
  if (arity < 1) arity = 1;
  tree->parent = comm->my_rank > 0 ? (comm->my_rank - 1) / arity : -1;
  tree->num_children = 0;
  for (child = comm->my_rank * arity + 1; child <= comm->my_rank * arity + arity && child < comm->size;
       child++)
    tree->child[tree->num_children++] = child;
  return RCCE_SUCCESS;
}
API int RCCE_tree_barrier(RCCE_COMM *comm, tree_t *tree) {
  return rockcreek_rwth_tree_barrier(SELF, comm, tree->parent, tree->num_children, tree->child);
}
API int RCCE_tournament_barrier(RCCE_COMM *comm) {
  (void)comm;
  return RCCE_SUCCESS;
}
API int RCCE_tournament_fixed_barrier(RCCE_COMM *comm) {
  (void)comm;
  return RCCE_SUCCESS;
}
API int RCCE_dissemination_barrier(RCCE_COMM *comm) { return RCCE_barrier(comm); }
API int RCCE_TNS_barrier(RCCE_COMM *comm) { return RCCE_barrier(comm); }
API int RCCE_AIR_barrier(RCCE_COMM *comm) { return rockcreek_rwth_counter_barrier(SELF, comm); }
API int RCCE_AIR_barrier2(RCCE_COMM *comm) { return rockcreek_rwth_counter_barrier(SELF, comm); }
API int RCCE_nb_barrier(RCCE_COMM *comm) {
  return rockcreek_rwth_step_barrier(SELF, comm, &comm->step, &comm->label);
}
API int RCCE_nb_TNS_barrier(RCCE_COMM *comm) { return RCCE_nb_barrier(comm); }
API int RCCE_nb_AIR_barrier(RCCE_COMM *comm) { return RCCE_nb_barrier(comm); }

/* --- locks ---------------------------------------------------------------------------------------------- */
int RCCE_try_lock(int ID);
int RCCE_backoff_lock(int ID);
int RCCE_acquire_treelock(RCCE_COMM *comm);
int RCCE_release_treelock(RCCE_COMM *comm);
API int RCCE_acquire_lock(int ID) { return rockcreek_rwth_lock(SELF, ID, 0); }
API int RCCE_try_lock(int ID) { return rockcreek_rwth_lock(SELF, ID, 1); }
API int RCCE_backoff_lock(int ID) { return rockcreek_rwth_lock(SELF, ID, 0); }
/* One lock for all members: that of the first. */
API int RCCE_acquire_treelock(RCCE_COMM *comm) {
  rockcreek_rwth_lock(SELF, comm->member[0], 0);
  return RCCE_SUCCESS;
}
API int RCCE_release_treelock(RCCE_COMM *comm) { return RCCE_release_lock(comm->member[0]); }

/* --- one board ------------------------------------------------------------------------------------------ */
API int RCCE_dev(void) { return 0; }
API int RCCE_dev_ue(void) { return RCCE_IAM; }
API int RCCE_num_dev(void) { return 1; }
API int RCCE_num_ues_dev(int dev) { return dev == 0 ? RCCE_NP : 0; }
API int RCCE_ue_to_dev(int ue) {
  (void)ue;
  return 0;
}
#endif
