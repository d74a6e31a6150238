/* SPDX-License-Identifier: Apache-2.0 */
/* The iRCCE part of every program image: iRCCE's variables and public functions, as rcce_image.c has RCCE's;
 * compiled with the same macros and ROCKCREEK_IRCCE, AIR. On the chip iRCCE is part of the library's archive,
 * so every program of the simplified interface has it. All work is done by the runtime; wait lists are the
 * program's own memory. CMake makes the calls that only hand their arguments on from the headers. */
#ifndef GORY
#include "iRCCE_lib.h"
#include "ircce_entries.h"
#include "rcce_emu/image.h"

#include <string.h>

#define API __attribute__((weak, visibility("default")))

/* --- variables ------------------------------------------------------------------------------------------ */
API iRCCE_SEND_REQUEST *iRCCE_isend_queue = 0;
API ROCKCREEK_WIDE iRCCE_RECV_REQUEST *iRCCE_irecv_queue[RCCE_MAXNP] = {0};
#if ROCKCREEK_IRCCE < 20
API ROCKCREEK_WIDE iRCCE_SEND_REQUEST *iRCCE_isend_queue32[RCCE_MAXNP] = {0};
#endif
#if ROCKCREEK_IRCCE >= 20
extern const int iRCCE_ANY_SOURCE, iRCCE_ANY_LENGTH;
API const int iRCCE_ANY_SOURCE = -1;
API const int iRCCE_ANY_LENGTH = -1;
API iRCCE_RECV_REQUEST *iRCCE_irecv_any_source_queue = 0;
API int iRCCE_recent_source = -1;
API int iRCCE_recent_length = 0;
#endif

/* Of calls without a request object. */
static iRCCE_SEND_REQUEST blocking_send;
static iRCCE_RECV_REQUEST blocking_receive;

#define COMMON_FIELDS(type) \
  .privbuf = offsetof(type, privbuf), .combuf = offsetof(type, combuf), .chunk = offsetof(type, chunk), \
  .ready = offsetof(type, ready), .sent = offsetof(type, sent), .size = offsetof(type, size), \
  .wsize = offsetof(type, wsize), .remainder = offsetof(type, remainder), .nbytes = offsetof(type, nbytes), \
  .bufptr = offsetof(type, bufptr), .label = offsetof(type, label), .finished = offsetof(type, finished), \
  .next = offsetof(type, next)
#if ROCKCREEK_IRCCE >= 20
#define FIELDS(type)                                                                                   \
  COMMON_FIELDS(type), .subchunk1 = offsetof(type, subchunk1), .subchunk2 = offsetof(type, subchunk2), \
                       .flag_set_value = offsetof(type, flag_set_value),                               \
                       .flag_set_bytes = sizeof(RCCE_FLAG_STATUS), .sync = offsetof(type, sync)
#else
#define FIELDS(type) COMMON_FIELDS(type)
#endif

static const struct rockcreek_ircce rockcreek_ircce = {
  .generation = ROCKCREEK_IRCCE,
  .send = {FIELDS(iRCCE_SEND_REQUEST), .peer = offsetof(iRCCE_SEND_REQUEST, dest)},
  .receive = {FIELDS(iRCCE_RECV_REQUEST), .peer = offsetof(iRCCE_RECV_REQUEST, source),
              .started = offsetof(iRCCE_RECV_REQUEST, started)},
  .isend_queue = (void **)&iRCCE_isend_queue,
  .irecv_queue = (void **)iRCCE_irecv_queue,
#if ROCKCREEK_IRCCE < 20
  .isend_queue32 = (void **)iRCCE_isend_queue32,
#else
  .any_source_queue = (void **)&iRCCE_irecv_any_source_queue,
  .recent_source = &iRCCE_recent_source,
  .recent_length = &iRCCE_recent_length,
#endif
};

/* The first words of every call. */
#define SELF rockcreek_image.ue, &rockcreek_ircce, __func__

/* --- atomic increment registers ------------------------------------------------------------------------- */
#if ROCKCREEK_IRCCE >= 20 && defined(AIR)
API ROCKCREEK_WIDE iRCCE_AIR iRCCE_atomic_inc_regs[2 * RCCE_MAXNP];
API int iRCCE_atomic_alloc_counter = 0;
API iRCCE_AIR *iRCCE_atomic_barrier[2] = {0};

static int number_of(iRCCE_AIR *reg) { return (int)(reg - iRCCE_atomic_inc_regs); }

API int iRCCE_atomic_alloc(iRCCE_AIR **reg) {
  int counter = 0;
  if (rockcreek_ircce_counter_alloc(SELF, &counter) != 0) return iRCCE_ERROR;
  *reg = &iRCCE_atomic_inc_regs[counter];
  ++iRCCE_atomic_alloc_counter;
  return iRCCE_SUCCESS;
}
API int iRCCE_atomic_inc(iRCCE_AIR *reg, int *value) {
  const int before = rockcreek_ircce_counter_increment(SELF, number_of(reg));
  if (value) *value = before;
  return iRCCE_SUCCESS;
}
API int iRCCE_atomic_read(iRCCE_AIR *reg, int *value) {
  *value = rockcreek_ircce_counter_read(SELF, number_of(reg));
  return iRCCE_SUCCESS;
}
API int iRCCE_atomic_write(iRCCE_AIR *reg, int value) {
  rockcreek_ircce_counter_write(SELF, number_of(reg), value);
  return iRCCE_SUCCESS;
}
#endif

/* --- start ---------------------------------------------------------------------------------------------- */
API int iRCCE_init(void) {
  iRCCE_isend_queue = 0;
#ifndef ROCKCREEK_BLIND
  memset(iRCCE_irecv_queue, 0, sizeof iRCCE_irecv_queue);
#endif
#if ROCKCREEK_IRCCE >= 20 && defined(AIR)
  if (iRCCE_atomic_alloc(&iRCCE_atomic_barrier[0]) != iRCCE_SUCCESS) return iRCCE_ERROR;
  if (iRCCE_atomic_alloc(&iRCCE_atomic_barrier[1]) != iRCCE_SUCCESS) return iRCCE_ERROR;
  return rockcreek_ircce_init(SELF, number_of(iRCCE_atomic_barrier[0]), number_of(iRCCE_atomic_barrier[1]));
#else
  return rockcreek_ircce_init(SELF, -1, -1);
#endif
}

/* --- non-blocking messages ------------------------------------------------------------------------------ */
static int how_send(iRCCE_SEND_REQUEST **request, int how) {
  if (*request) return how;
  *request = &blocking_send;
  return how | rockcreek_ircce_blocking;
}
static int how_receive(iRCCE_RECV_REQUEST **request, int how) {
  if (*request) return how;
  *request = &blocking_receive;
  return how | rockcreek_ircce_blocking;
}
API int iRCCE_isend(char *privbuf, rockcreek_ircce_size size, int dest, iRCCE_SEND_REQUEST *request) {
  const int how = how_send(&request, 0);
  return rockcreek_ircce_isend(SELF, privbuf, (long)size, dest, request, how);
}
API int iRCCE_irecv(char *privbuf, rockcreek_ircce_size size, int source, iRCCE_RECV_REQUEST *request) {
  const int how = how_receive(&request, 0);
  return rockcreek_ircce_irecv(SELF, privbuf, (long)size, source, request, how);
}

/* --- pipelined messages, probing ------------------------------------------------------------------------ */
#if ROCKCREEK_IRCCE >= 20
API int iRCCE_srecv(char *privbuf, ssize_t size, int source) {
  return rockcreek_ircce_srecv(SELF, privbuf, size, source, NULL);
}
API int iRCCE_srecv_test(char *privbuf, ssize_t size, int source, int *test) {
  return rockcreek_ircce_srecv(SELF, privbuf, size, source, test);
}
API int iRCCE_issend(char *privbuf, ssize_t size, int dest, iRCCE_SEND_REQUEST *request) {
  const int how = how_send(&request, rockcreek_ircce_pipelined);
  return rockcreek_ircce_isend(SELF, privbuf, size, dest, request, how);
}
API int iRCCE_isrecv(char *privbuf, ssize_t size, int source, iRCCE_RECV_REQUEST *request) {
  const int how = how_receive(&request, rockcreek_ircce_pipelined);
  return rockcreek_ircce_irecv(SELF, privbuf, size, source, request, how);
}
#else
API int iRCCE_send(char *privbuf, size_t size, int dest) {
  return rockcreek_ircce_ssend(SELF, privbuf, (long)size, dest);
}
API int iRCCE_recv(char *privbuf, size_t size, int source) {
  return rockcreek_ircce_srecv(SELF, privbuf, (long)size, source, NULL);
}
#endif

/* --- wait lists ----------------------------------------------------------------------------------------- */
#define ELEMENTS(list) ((struct rockcreek_ircce_element *)(list)->first)

static void append(iRCCE_WAIT_LIST *list, int type, void *request) {
  iRCCE_WAIT_LISTELEM *element = (iRCCE_WAIT_LISTELEM *)malloc(sizeof *element);
  if (!element) abort();
  element->type = type;
  element->next = NULL;
  element->req = request;
  if (list->first) {
    list->last->next = element;
  } else {
    list->first = element;
  }
  list->last = element;
}
/* Removes the elements whose requests are finished; only `only` where it is given. */
static void remove_finished(iRCCE_WAIT_LIST *list, const void *only) {
  iRCCE_WAIT_LISTELEM **link = &list->first, *before = NULL;
  while (*link) {
    iRCCE_WAIT_LISTELEM *element = *link;
    const int finished = element->type == iRCCE_WAIT_LIST_SEND_TYPE
        ? ((iRCCE_SEND_REQUEST *)element->req)->finished
        : ((iRCCE_RECV_REQUEST *)element->req)->finished;
    if (only ? element == only : finished) {
      *link = element->next;
      free(element);
    } else {
      before = element;
      link = &element->next;
    }
  }
  list->last = before;
}
/* Hands out the first finished request. */
static int take_first(iRCCE_WAIT_LIST *list, struct rockcreek_ircce_element *element,
                      iRCCE_SEND_REQUEST **send, iRCCE_RECV_REQUEST **recv) {
  const int sending = element && element->type == iRCCE_WAIT_LIST_SEND_TYPE;
  if (send) *send = element && sending ? (iRCCE_SEND_REQUEST *)element->request : NULL;
  if (recv) *recv = element && !sending ? (iRCCE_RECV_REQUEST *)element->request : NULL;
  if (!element) return iRCCE_PENDING;
  remove_finished(list, element);
  return iRCCE_SUCCESS;
}
API void iRCCE_init_wait_list(iRCCE_WAIT_LIST *list) { list->first = list->last = NULL; }
API void iRCCE_add_send_to_wait_list(iRCCE_WAIT_LIST *list, iRCCE_SEND_REQUEST *request) {
  append(list, iRCCE_WAIT_LIST_SEND_TYPE, request);
}
API void iRCCE_add_recv_to_wait_list(iRCCE_WAIT_LIST *list, iRCCE_RECV_REQUEST *request) {
  append(list, iRCCE_WAIT_LIST_RECV_TYPE, request);
}
API void iRCCE_add_to_wait_list(iRCCE_WAIT_LIST *list, iRCCE_SEND_REQUEST *send, iRCCE_RECV_REQUEST *recv) {
  if (send) append(list, iRCCE_WAIT_LIST_SEND_TYPE, send);
  if (recv) append(list, iRCCE_WAIT_LIST_RECV_TYPE, recv);
}
API int iRCCE_test_all(iRCCE_WAIT_LIST *list, int *test) {
  rockcreek_ircce_test_list(SELF, ELEMENTS(list), 0);
  remove_finished(list, NULL);
  if (test) *test = !list->first;
  return list->first ? iRCCE_PENDING : iRCCE_SUCCESS;
}
API int iRCCE_wait_all(iRCCE_WAIT_LIST *list) {
  rockcreek_ircce_wait_list(SELF, ELEMENTS(list), 0);
  remove_finished(list, NULL);
  return iRCCE_SUCCESS;
}
API int iRCCE_test_any(iRCCE_WAIT_LIST *list, iRCCE_SEND_REQUEST **send, iRCCE_RECV_REQUEST **recv) {
  return take_first(list, rockcreek_ircce_test_list(SELF, ELEMENTS(list), 1), send, recv);
}
API int iRCCE_wait_any(iRCCE_WAIT_LIST *list, iRCCE_SEND_REQUEST **send, iRCCE_RECV_REQUEST **recv) {
  return take_first(list, rockcreek_ircce_wait_list(SELF, ELEMENTS(list), 1), send, recv);
}

/* --- tm2c's calls --------------------------------------------------------------------------------------- */
#if ROCKCREEK_IRCCE < 20
API int iRCCE_isend32(char *privbuf, int dest, iRCCE_SEND_REQUEST *request) {
  return rockcreek_ircce_line_message(SELF, 1, privbuf, dest, request);
}
API int iRCCE_irecv32(char *privbuf, int source, iRCCE_RECV_REQUEST *request) {
  return rockcreek_ircce_line_message(SELF, 0, privbuf, source, request);
}
API int iRCCE_isend32_push(void) { return rockcreek_ircce_push_lines(SELF, 1); }
API int iRCCE_irecv32_push(void) { return rockcreek_ircce_push_lines(SELF, 0); }
API int iRCCE_isend32_test(iRCCE_SEND_REQUEST *request, int *test) {
  int result;
  if (request) return rockcreek_ircce_isend_test(SELF, request, test);
  result = rockcreek_ircce_push_lines(SELF, 1);
  if (test) *test = result == iRCCE_SUCCESS;
  return result;
}
API int iRCCE_irecv32_test(iRCCE_RECV_REQUEST *request, int *test) {
  int result;
  if (request) return rockcreek_ircce_irecv_test(SELF, request, test);
  result = rockcreek_ircce_push_lines(SELF, 0);
  if (test) *test = result == iRCCE_SUCCESS;
  return result;
}
API unsigned int iRCCE_wait_list_length(iRCCE_WAIT_LIST *list) {
  const iRCCE_WAIT_LISTELEM *element;
  unsigned int length = 0;
  for (element = list->first; element; element = element->next) ++length;
  return length;
}
API void iRCCE_print_waitlist(iRCCE_WAIT_LIST *list, unsigned int sender) {
  const iRCCE_WAIT_LISTELEM *element;
  for (element = list->first; element; element = element->next) {
    const iRCCE_SEND_REQUEST *send = (const iRCCE_SEND_REQUEST *)element->req;
    const iRCCE_RECV_REQUEST *recv = (const iRCCE_RECV_REQUEST *)element->req;
    if (element->type == iRCCE_WAIT_LIST_SEND_TYPE)
      printf("[%02u] send to %d, %lu bytes%s\n", sender, send->dest, (unsigned long)send->size,
             send->finished ? ", finished" : "");
    else
      printf("[%02u] receive from %d, %lu bytes%s\n", sender, recv->source, (unsigned long)recv->size,
             recv->finished ? ", finished" : "");
  }
}
API void iRCCE_print_sendlist(iRCCE_WAIT_LIST *list, unsigned int sender) {
  iRCCE_print_waitlist(list, sender);
}
API int RCCE_barrier_nb(RCCE_COMM *comm) { return RCCE_barrier(comm); }
#endif

/* --- cancelling, queries -------------------------------------------------------------------------------- */
#if ROCKCREEK_IRCCE >= 20
API int iRCCE_get_dest(iRCCE_SEND_REQUEST *request) { return request ? request->dest : iRCCE_ERROR; }
API int iRCCE_get_source(iRCCE_RECV_REQUEST *request) {
  return request ? request->source : iRCCE_recent_source;
}
API int iRCCE_get_size(iRCCE_SEND_REQUEST *send, iRCCE_RECV_REQUEST *recv) {
  return send ? (int)send->size : recv ? (int)recv->size : iRCCE_recent_length;
}
API int iRCCE_get_length(void) { return iRCCE_recent_length; }
API int iRCCE_get_status(iRCCE_SEND_REQUEST *send, iRCCE_RECV_REQUEST *recv) {
  if (!send && !recv) return iRCCE_ERROR;
  return rockcreek_ircce_status(SELF, send, send ? NULL : recv);
}
/* One step for a request that is at the head of its queue. */
API int iRCCE_push_ssend_request(iRCCE_SEND_REQUEST *request) { return iRCCE_isend_test(request, NULL); }
API int iRCCE_push_srecv_request(iRCCE_RECV_REQUEST *request) { return iRCCE_irecv_test(request, NULL); }
#endif

/* --- copying, memory in MPBs ---------------------------------------------------------------------------- */
API void *iRCCE_memcpy_put(void *dest, const void *src, size_t count) {
  rockcreek_ircce_copy(SELF, dest, src, count);
  return dest;
}
API void *iRCCE_memcpy_get(void *dest, const void *src, size_t count) {
  rockcreek_ircce_copy(SELF, dest, src, count);
  return dest;
}

/* --- flags ---------------------------------------------------------------------------------------------- */
#if ROCKCREEK_IRCCE >= 20
#ifndef SINGLEBITFLAGS
API int iRCCE_get_max_tagged_len(void) { return (int)iRCCE_MAX_TAGGED_LEN; }
API int iRCCE_flag_alloc_tagged(RCCE_FLAG *flag) { return rockcreek_ircce_line_alloc(SELF, flag); }
API int iRCCE_flag_write_tagged(RCCE_FLAG *flag, RCCE_FLAG_STATUS val, int ID, void *tag, int len) {
  return rockcreek_ircce_line_write(SELF, flag, (int)val, ID, tag, len);
}
API int iRCCE_flag_read_tagged(RCCE_FLAG flag, RCCE_FLAG_STATUS *val, int ID, void *tag, int len) {
  int value = 0;
  const int result = rockcreek_ircce_line_read(SELF, &flag, val ? &value : NULL, ID, tag, len);
  if (val) *val = value;
  return result;
}
API int iRCCE_wait_tagged(RCCE_FLAG flag, RCCE_FLAG_STATUS val, void *tag, int len) {
  return rockcreek_ircce_line_wait(SELF, &flag, val, tag, len);
}
API int iRCCE_test_tagged(RCCE_FLAG flag, RCCE_FLAG_STATUS val, int *result, void *tag, int len) {
  return rockcreek_ircce_line_test(SELF, &flag, val, result, tag, len);
}
API int iRCCE_flag_alloc(RCCE_FLAG *flag) { return rockcreek_ircce_line_alloc(SELF, flag); }
API int iRCCE_flag_write(RCCE_FLAG *flag, RCCE_FLAG_STATUS val, int ID) {
  return rockcreek_ircce_line_write(SELF, flag, val, ID, NULL, 0);
}
API int iRCCE_flag_read(RCCE_FLAG flag, RCCE_FLAG_STATUS *val, int ID) {
  return iRCCE_flag_read_tagged(flag, val, ID, NULL, 0);
}
API int iRCCE_wait_until(RCCE_FLAG flag, RCCE_FLAG_STATUS val) {
  return rockcreek_ircce_line_wait(SELF, &flag, val, NULL, 0);
}
#else
API int iRCCE_flag_alloc(RCCE_FLAG *flag) { return RCCE_flag_alloc(flag); }
API int iRCCE_flag_write(RCCE_FLAG *flag, RCCE_FLAG_STATUS val, int ID) {
  return RCCE_flag_write(flag, val, ID);
}
API int iRCCE_flag_read(RCCE_FLAG flag, RCCE_FLAG_STATUS *val, int ID) {
  return RCCE_flag_read(flag, val, ID);
}
API int iRCCE_wait_until(RCCE_FLAG flag, RCCE_FLAG_STATUS val) { return RCCE_wait_until(flag, val); }
#endif

/* --- collectives ---------------------------------------------------------------------------------------- */
API int iRCCE_barrier(RCCE_COMM *comm) {
  /* The world by its address only: a copy of it goes the other way on every UE alike. */
  return rockcreek_ircce_barrier(SELF, comm ? comm : &RCCE_COMM_WORLD);
}
API int iRCCE_mcast(char *buf, size_t size, int root) {
  if (root == RCCE_IAM) return rockcreek_ircce_msend(SELF, buf, (long)size);
  return rockcreek_ircce_mrecv(SELF, buf, (long)size, root);
}
API int iRCCE_bcast(char *buf, size_t size, int root, RCCE_COMM comm) {
  /* The world has flags of its own, whoever copied it. */
  const int world = comm.size == RCCE_COMM_WORLD.size &&
      memcmp(&comm.gather, &RCCE_COMM_WORLD.gather, sizeof comm.gather) == 0;
  return world ? iRCCE_mcast(buf, size, root) : RCCE_bcast(buf, size, root, comm);
}
#endif

/* --- all other calls of the headers: they hand their arguments to the runtime --------------------------- */
#include "rcce_emu/ircce_calls.inc"
#endif
