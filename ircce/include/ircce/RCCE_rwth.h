/* SPDX-License-Identifier: Apache-2.0 */
/* RCCE_rwth.h - what RWTH Aachen's RCCE, a modified 1.0, has beyond Intel's. RCCE.h includes it as
 * ROCKCREEK_EXTENSION (rccecc --rwth); programs include RCCE.h only. Where they include iRCCE.h too, its
 * macros hide the requests here.
 *   SCC_COUPLED_SYSTEMS  the calls for two coupled boards; there is one here */
#ifndef RCCE_RWTH_H
#define RCCE_RWTH_H

#if ROCKCREEK_RCCE >= 20
#error "RWTH's RCCE is a 1.0: compile without --rcce 2.0"
#endif

#define RCCE_MAXNP_PER_BOARD 48
#define RCCE_MAX_BOARDS 2

#define RCCE_PENDING -1
#define RCCE_RESERVED -2
#define RCCE_REJECTED -3
#define RCCE_ERROR_NO_MULTICAST_SUPPORT (RCCE_ERROR_BASE + 28)

#ifndef ABS
#define ABS(x) (((x) < 0) ? -(x) : (x))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- types
 * ----------------------------------------------------------------------------------------------- */
typedef struct {
  int parent; /* ranks in the communicator; -1: this is the root */
  int num_children;
  int child[RCCE_MAXNP];
} tree_t;

#ifndef GORY
typedef struct _RCCE_SEND_REQUEST {
  char *privbuf;   /* the user's buffer */
  t_vcharp combuf; /* where segments pass through the sender's MPB */
  size_t chunk;    /* most bytes that pass at once */
  RCCE_FLAG *ready;
  RCCE_FLAG *sent;
  size_t size;
  int dest;
  int copy;
  void *tag;
  int len;
  RCCE_FLAG *probe;
  size_t wsize;     /* bytes in full chunks */
  size_t remainder; /* bytes behind them */
  size_t nbytes;    /* of the present segment */
  char *bufptr;     /* where the present segment begins */
  int label;        /* where the next step goes on */
  int finished;
  struct _RCCE_SEND_REQUEST *next;
} RCCE_SEND_REQUEST;

typedef struct _RCCE_RECV_REQUEST {
  char *privbuf;
  t_vcharp combuf;
  size_t chunk;
  RCCE_FLAG *ready;
  RCCE_FLAG *sent;
  size_t size;
  int source;
  int copy;
  void *tag;
  int len;
  RCCE_FLAG *probe;
  size_t wsize;
  size_t remainder;
  size_t nbytes;
  char *bufptr;
  int label;
  int finished;
  struct _RCCE_RECV_REQUEST *next;
} RCCE_RECV_REQUEST;

/* --- messages: RCCE_REJECTED while requests of the same direction (receiving: from there) are unfinished
 * ---- */
int RCCE_send_pipe(char *privbuf, size_t size, int dest);
int RCCE_recv_pipe(char *privbuf, size_t size, int source);
int RCCE_send_mcast(char *privbuf, size_t size);
int RCCE_recv_mcast(char *privbuf, size_t size, int source);
int RCCE_recv_probe(int source, int *test, t_vcharp *payload);
#ifndef SINGLEBITFLAGS
int RCCE_send_tagged(char *privbuf, size_t size, int dest, void *tag, int len);
int RCCE_recv_tagged(char *privbuf, size_t size, int source, void *tag, int len);
int RCCE_recv_probe_tagged(int source, int *test, t_vcharp *payload, void *tag, int len);
#endif
int RCCE_recv_cancel(size_t size, int source);

/* --- non-blocking messages
 * ------------------------------------------------------------------------------- */
int RCCE_isend(char *privbuf, size_t size, int dest, RCCE_SEND_REQUEST *request);
int RCCE_isend_test(RCCE_SEND_REQUEST *request, int *test);
int RCCE_isend_wait(RCCE_SEND_REQUEST *request);
int RCCE_isend_push(int dest);
int RCCE_irecv(char *privbuf, size_t size, int source, RCCE_RECV_REQUEST *request);
int RCCE_irecv_test(RCCE_RECV_REQUEST *request, int *test);
int RCCE_irecv_wait(RCCE_RECV_REQUEST *request);
int RCCE_irecv_push(int source);

/* --- MPB memory and flags
 * -------------------------------------------------------------------------------- */
t_vcharp RCCE_malloc(size_t size);
int RCCE_flag_write(RCCE_FLAG *flag, RCCE_FLAG_STATUS val, int ID);
int RCCE_flag_read(RCCE_FLAG flag, RCCE_FLAG_STATUS *val, int ID);
#else
t_vcharp RCCE_palloc(size_t size, int ID);
int RCCE_test_flag(RCCE_FLAG flag, RCCE_FLAG_STATUS val, int *result);
#ifndef SINGLEBITFLAGS
int RCCE_flag_write_tagged(RCCE_FLAG *flag, RCCE_FLAG_STATUS val, int ID, char *tag, int len);
int RCCE_flag_read_tagged(RCCE_FLAG flag, RCCE_FLAG_STATUS *val, int ID, char *tag, int len);
#endif
#endif

/* --- memory
 * ---------------------------------------------------------------------------------------------- */
t_vcharp RCCE_shrealloc(t_vcharp ptr, size_t size);
void *RCCE_memcpy_get(void *dest, const void *src, size_t count);
void *RCCE_memcpy_put(void *dest, const void *src, size_t count);
#define RCCE_memcpy(a, b, c) RCCE_memcpy_put(a, b, c)

/* --- barriers
 * -------------------------------------------------------------------------------------------- */
int RCCE_tree_init(RCCE_COMM *comm, tree_t *tree, int arity);
int RCCE_tree_barrier(RCCE_COMM *comm, tree_t *tree);
int RCCE_tournament_barrier(RCCE_COMM *comm); /* these two were left empty, and return at once */
int RCCE_tournament_fixed_barrier(RCCE_COMM *comm);
int RCCE_dissemination_barrier(RCCE_COMM *comm);
int RCCE_TNS_barrier(RCCE_COMM *comm);
int RCCE_AIR_barrier(RCCE_COMM *comm);
int RCCE_AIR_barrier2(RCCE_COMM *comm);
int RCCE_nb_barrier(RCCE_COMM *comm); /* RCCE_PENDING until it is passed: call it again */
int RCCE_nb_TNS_barrier(RCCE_COMM *comm);
int RCCE_nb_AIR_barrier(RCCE_COMM *comm);

/* --- two boards
 * ------------------------------------------------------------------------------------------ */
#ifdef SCC_COUPLED_SYSTEMS
int RCCE_dev(void);
int RCCE_dev_ue(void);
int RCCE_num_dev(void);
int RCCE_num_ues_dev(int dev);
int RCCE_ue_to_dev(int ue);
#endif

#ifdef __cplusplus
}
#endif

#endif
