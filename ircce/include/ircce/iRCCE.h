/* SPDX-License-Identifier: Apache-2.0 */
/* iRCCE.h - non-blocking and further communication on top of RCCE, as Rockcreek provides it.
 *
 * What this header declares depends on the macros that RCCE.h knows (SINGLEBITFLAGS; GORY is refused) and on
 *   AIR                  the atomic increment registers and the barrier that uses them
 *   _iRCCE_TAGGED_FLAGS_ tagged flags also under the prefix RCCE_
 *   ROCKCREEK_TM2C       with 1.x: the calls that the tm2c project has added; rccecc --ircce tm2c sets it
 *   ROCKCREEK_IRCCE      generation of the library: 20 (default) or 10 for iRCCE 1.x; rccecc --ircce sets it
 *                        */
#ifndef IRCCE_H
#define IRCCE_H

#include "RCCE.h"

#ifdef GORY
#error "iRCCE exists for the simplified interface only: compile without -DGORY"
#endif

#ifndef ROCKCREEK_IRCCE
#define ROCKCREEK_IRCCE 20
#endif

#include <sys/types.h>

/* --- versions, results
 * ----------------------------------------------------------------------------------- */
#define iRCCE_SUCCESS RCCE_SUCCESS
#if ROCKCREEK_IRCCE >= 20
#define iRCCE_VERSION "2.0"
#define iRCCE_FLAIR
#define iRCCE_ERROR -1
#define iRCCE_PENDING -2
#define iRCCE_RESERVED -3
#define iRCCE_NOT_ENQUEUED -4
#else
#define iRCCE_PENDING -1
#define iRCCE_RESERVED -2
#define iRCCE_NOT_ENQUEUED -3
#endif

#define iRCCE_WAIT_LIST_RECV_TYPE 0
#define iRCCE_WAIT_LIST_SEND_TYPE 1

#ifdef __cplusplus
extern "C" {
#endif

#if ROCKCREEK_IRCCE >= 20
extern const int iRCCE_ANY_SOURCE;
#if !defined(SINGLEBITFLAGS) && !defined(RCCE_VERSION)
#define _iRCCE_ANY_LENGTH_
extern const int iRCCE_ANY_LENGTH;
#endif
#ifndef SINGLEBITFLAGS
#define iRCCE_MAX_TAGGED_LEN (RCCE_LINE_SIZE - sizeof(int))
#endif
#endif

/* --- types
 * ----------------------------------------------------------------------------------------------- */
typedef struct _iRCCE_SEND_REQUEST {
  char *privbuf;   /* the user's buffer */
  t_vcharp combuf; /* where segments pass through the sender's MPB */
  size_t chunk;    /* most bytes that pass at once */
#if ROCKCREEK_IRCCE >= 20
  size_t subchunk1; /* the two parts of a full chunk of a pipelined message */
  size_t subchunk2;
#endif
  RCCE_FLAG *ready;
  RCCE_FLAG *sent;
#if ROCKCREEK_IRCCE >= 20
  RCCE_FLAG_STATUS flag_set_value;
#endif
  size_t size;
  int dest;
#if ROCKCREEK_IRCCE >= 20
  int sync; /* pipelined */
#endif
  size_t wsize;     /* bytes in full chunks */
  size_t remainder; /* bytes behind them */
  size_t nbytes;    /* of the present segment */
  char *bufptr;     /* where the present segment begins */
  int label;        /* where the next step goes on */
  int finished;
  struct _iRCCE_SEND_REQUEST *next;
} iRCCE_SEND_REQUEST;

typedef struct _iRCCE_RECV_REQUEST {
  char *privbuf;
  t_vcharp combuf;
  size_t chunk;
#if ROCKCREEK_IRCCE >= 20
  size_t subchunk1;
  size_t subchunk2;
#endif
  RCCE_FLAG *ready;
  RCCE_FLAG *sent;
#if ROCKCREEK_IRCCE >= 20
  RCCE_FLAG_STATUS flag_set_value;
#endif
  size_t size;
  int source;
#if ROCKCREEK_IRCCE >= 20
  int sync;
#endif
  size_t wsize;
  size_t remainder;
  size_t nbytes;
  char *bufptr;
  int label;
  int finished;
  int started; /* a segment has arrived */
  struct _iRCCE_RECV_REQUEST *next;
} iRCCE_RECV_REQUEST;

typedef struct _iRCCE_WAIT_LISTELEM {
  int type;
  struct _iRCCE_WAIT_LISTELEM *next;
  void *req;
} iRCCE_WAIT_LISTELEM;

typedef struct _iRCCE_WAIT_LIST {
  iRCCE_WAIT_LISTELEM *first;
  iRCCE_WAIT_LISTELEM *last;
} iRCCE_WAIT_LIST;

#if ROCKCREEK_IRCCE >= 20
#ifdef AIR
typedef volatile struct _iRCCE_AIR {
  int *counter;
  int *init;
} iRCCE_AIR;
#endif
typedef ssize_t rockcreek_ircce_size;
#else
typedef size_t rockcreek_ircce_size;
#endif

/* --- start
 * ----------------------------------------------------------------------------------------------- */
int iRCCE_init(void);

/* --- non-blocking messages
 * ------------------------------------------------------------------------------- */
int iRCCE_isend(char *privbuf, rockcreek_ircce_size size, int dest, iRCCE_SEND_REQUEST *request);
int iRCCE_isend_test(iRCCE_SEND_REQUEST *request, int *test);
int iRCCE_isend_wait(iRCCE_SEND_REQUEST *request);
int iRCCE_isend_push(void);
int iRCCE_irecv(char *privbuf, rockcreek_ircce_size size, int source, iRCCE_RECV_REQUEST *request);
int iRCCE_irecv_test(iRCCE_RECV_REQUEST *request, int *test);
int iRCCE_irecv_wait(iRCCE_RECV_REQUEST *request);
int iRCCE_irecv_push(void);

/* --- pipelined messages, probing
 * ------------------------------------------------------------------------- */
#if ROCKCREEK_IRCCE >= 20
int iRCCE_ssend(char *privbuf, ssize_t size, int dest);
int iRCCE_srecv(char *privbuf, ssize_t size, int source);
int iRCCE_srecv_test(char *privbuf, ssize_t size, int source, int *test);
int iRCCE_issend(char *privbuf, ssize_t size, int dest, iRCCE_SEND_REQUEST *request);
int iRCCE_isrecv(char *privbuf, ssize_t size, int source, iRCCE_RECV_REQUEST *request);
int iRCCE_probe(int source, int *test_rank);
int iRCCE_iprobe(int source, int *test_rank, int *test_flag);
#else
int iRCCE_send(char *privbuf, size_t size, int dest);
int iRCCE_recv(char *privbuf, size_t size, int source);
#endif

/* --- wait lists, cancelling
 * ------------------------------------------------------------------------------ */
void iRCCE_init_wait_list(iRCCE_WAIT_LIST *list);
void iRCCE_add_to_wait_list(iRCCE_WAIT_LIST *list, iRCCE_SEND_REQUEST *send, iRCCE_RECV_REQUEST *recv);
int iRCCE_test_all(iRCCE_WAIT_LIST *list, int *test);
int iRCCE_wait_all(iRCCE_WAIT_LIST *list);
int iRCCE_test_any(iRCCE_WAIT_LIST *list, iRCCE_SEND_REQUEST **send, iRCCE_RECV_REQUEST **recv);
int iRCCE_wait_any(iRCCE_WAIT_LIST *list, iRCCE_SEND_REQUEST **send, iRCCE_RECV_REQUEST **recv);
int iRCCE_isend_cancel(iRCCE_SEND_REQUEST *request, int *test);
int iRCCE_irecv_cancel(iRCCE_RECV_REQUEST *request, int *test);

#if ROCKCREEK_IRCCE < 20 && defined(ROCKCREEK_TM2C)
/* --- messages of 32 bytes with a queue for each partner; what a list holds
 * ----------------------------------- */
int iRCCE_isend32(char *privbuf, int dest, iRCCE_SEND_REQUEST *request);
int iRCCE_isend32_test(iRCCE_SEND_REQUEST *request, int *test);
int iRCCE_isend32_push(void);
int iRCCE_irecv32(char *privbuf, int source, iRCCE_RECV_REQUEST *request);
int iRCCE_irecv32_test(iRCCE_RECV_REQUEST *request, int *test);
int iRCCE_irecv32_push(void);
unsigned int iRCCE_wait_list_length(iRCCE_WAIT_LIST *list);
void iRCCE_print_waitlist(iRCCE_WAIT_LIST *list, unsigned int sender);
void iRCCE_print_sendlist(iRCCE_WAIT_LIST *list, unsigned int sender);
int RCCE_barrier_nb(RCCE_COMM *comm);
#endif

/* --- queries
 * --------------------------------------------------------------------------------------------- */
#if ROCKCREEK_IRCCE >= 20
int iRCCE_get_dest(iRCCE_SEND_REQUEST *request);
int iRCCE_get_source(iRCCE_RECV_REQUEST *request);
int iRCCE_get_size(iRCCE_SEND_REQUEST *send, iRCCE_RECV_REQUEST *recv);
int iRCCE_get_length(void);
#endif

/* --- copying, memory in MPBs
 * ----------------------------------------------------------------------------- */
int iRCCE_put(t_vcharp target, t_vcharp source, int num_bytes, int ID);
int iRCCE_get(t_vcharp target, t_vcharp source, int num_bytes, int ID);
void *iRCCE_memcpy_put(void *dest, const void *src, size_t count);
void *iRCCE_memcpy_get(void *dest, const void *src, size_t count);
#if ROCKCREEK_IRCCE >= 20
t_vcharp iRCCE_malloc(size_t size);
#endif

/* --- flags
 * ----------------------------------------------------------------------------------------------- */
#if ROCKCREEK_IRCCE >= 20
#ifndef SINGLEBITFLAGS
int iRCCE_flag_alloc_tagged(RCCE_FLAG *flag);
int iRCCE_flag_write_tagged(RCCE_FLAG *flag, RCCE_FLAG_STATUS val, int ID, void *tag, int len);
int iRCCE_flag_read_tagged(RCCE_FLAG flag, RCCE_FLAG_STATUS *val, int ID, void *tag, int len);
int iRCCE_wait_tagged(RCCE_FLAG flag, RCCE_FLAG_STATUS val, void *tag, int len);
int iRCCE_test_tagged(RCCE_FLAG flag, RCCE_FLAG_STATUS val, int *result, void *tag, int len);
int iRCCE_get_max_tagged_len(void);
#endif
int iRCCE_flag_alloc(RCCE_FLAG *flag);
int iRCCE_flag_write(RCCE_FLAG *flag, RCCE_FLAG_STATUS val, int ID);
int iRCCE_flag_read(RCCE_FLAG flag, RCCE_FLAG_STATUS *val, int ID);
int iRCCE_wait_until(RCCE_FLAG flag, RCCE_FLAG_STATUS val);
#endif

/* --- atomic increment registers
 * -------------------------------------------------------------------------- */
#if ROCKCREEK_IRCCE >= 20 && defined(AIR)
int iRCCE_atomic_alloc(iRCCE_AIR **reg);
int iRCCE_atomic_inc(iRCCE_AIR *reg, int *value);
int iRCCE_atomic_read(iRCCE_AIR *reg, int *value);
int iRCCE_atomic_write(iRCCE_AIR *reg, int value);
#endif

/* --- collectives
 * ----------------------------------------------------------------------------------------- */
#if ROCKCREEK_IRCCE >= 20
int iRCCE_barrier(RCCE_COMM *comm);
int iRCCE_mcast(char *buf, size_t size, int root);
int iRCCE_msend(char *privbuf, ssize_t size);
int iRCCE_mrecv(char *privbuf, ssize_t size, int source);
int iRCCE_bcast(char *buf, size_t size, int root, RCCE_COMM comm);
#endif

#ifdef __cplusplus
}
#endif

/* --- other names
 * ----------------------------------------------------------------------------------------- */
#define RCCE_isend iRCCE_isend
#define RCCE_isend_test iRCCE_isend_test
#define RCCE_isend_wait iRCCE_isend_wait
#define RCCE_isend_push iRCCE_isend_push
#define RCCE_irecv iRCCE_irecv
#define RCCE_irecv_test iRCCE_irecv_test
#define RCCE_irecv_wait iRCCE_irecv_wait
#define RCCE_irecv_push iRCCE_irecv_push
#define RCCE_SEND_REQUEST iRCCE_SEND_REQUEST
#define RCCE_RECV_REQUEST iRCCE_RECV_REQUEST

#if ROCKCREEK_IRCCE >= 20
#define iRCCE_send iRCCE_ssend
#define iRCCE_recv iRCCE_srecv
#define iRCCE_recv_test iRCCE_srecv_test
#define iRCCE_issend_test iRCCE_isend_test
#define iRCCE_issend_wait iRCCE_isend_wait
#define iRCCE_issend_push iRCCE_isend_push
#define iRCCE_isrecv_test iRCCE_irecv_test
#define iRCCE_isrecv_wait iRCCE_irecv_wait
#define iRCCE_isrecv_push iRCCE_irecv_push
#define iRCCE_memcpy iRCCE_memcpy_put
#ifdef _iRCCE_TAGGED_FLAGS_
#define RCCE_flag_write_tagged iRCCE_flag_write_tagged
#define RCCE_flag_read_tagged iRCCE_flag_read_tagged
#define RCCE_wait_tagged iRCCE_wait_tagged
#define RCCE_test_tagged iRCCE_test_tagged
#define RCCE_flag_alloc_tagged iRCCE_flag_alloc_tagged
#define RCCE_flag_free_tagged iRCCE_flag_free_tagged
#endif
#endif

/* As in rockcreek_object.h: rccecc reads it when it links. */
__asm__(".pushsection .rockcreek,\"e\",@progbits\n"
        ".asciz \"ircce=" ROCKCREEK_TEXT(ROCKCREEK_IRCCE) "\"\n"
        ".popsection");

#endif
