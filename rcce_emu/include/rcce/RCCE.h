/* SPDX-License-Identifier: Apache-2.0 */
/* RCCE.h - the message-passing interface of the Intel Single-chip Cloud Computer, as Rockcreek provides it.
 *
 * What this header declares depends on macros that the compile line sets, exactly as with the original
 * library:
 *   GORY                 the low-level interface (MPB memory, flags, put, get) instead of the simplified one
 *   SINGLEBITFLAGS       one bit per flag
 *   RC_POWER_MANAGEMENT  frequency and voltage control
 *   SHMADD, SHMADD_CACHEABLE   the larger, and the cacheable, off-chip shared memory
 * and on some of our own:
 *   ROCKCREEK_RCCE       generation of the library: 20 (default) or 10
 *   ROCKCREEK_RWTH       RWTH Aachen's RCCE, a modified 1.0; rccecc --rwth sets it
 *   RCCE_MAXNP           most UEs of a job; 48 unless raised for larger meshes. Empty: objects that go with
 *                        every number, to which RCCE_COMM is opaque
 *   RCCE_BUFF_SIZE_MAX   bytes of message-passing buffer per UE; 8192 unless the machine has another size */
#ifndef RCCE_H
#define RCCE_H

#include <stdio.h>
#include <stdlib.h>

#ifndef ROCKCREEK_RCCE
#ifdef ROCKCREEK_RWTH
#define ROCKCREEK_RCCE 10
#else
#define ROCKCREEK_RCCE 20
#endif
#endif
#ifdef ROCKCREEK_RWTH
#include <sys/types.h>
#endif

/* --- versions
 * -------------------------------------------------------------------------------------------- */
#if ROCKCREEK_RCCE >= 20
#define RCCE_VERSION "1.1.0.x"
#define _RCCE
#else
#define _RCCE "1.0.13 release"
#endif

/* A program's entry point is main under either spelling: UEs are processes of their own. */
#define RCCE_APP main

/* The library's diagnostics go to standard output. */
#define STDERR stdout

/* --- sizes
 * ----------------------------------------------------------------------------------------------- */
#define LOG2_LINE_SIZE 5
#define RCCE_LINE_SIZE (1 << LOG2_LINE_SIZE)
#ifndef RCCE_BUFF_SIZE_MAX
#define RCCE_BUFF_SIZE_MAX (1 << 13)
#endif
#ifdef SHMADD
#define RCCE_SHM_SIZE_MAX 0x20000000
#elif defined(ROCKCREEK_RWTH) && defined(SCC_COUPLED_SYSTEMS)
#define RCCE_SHM_SIZE_MAX (1 << 22)
#else
#define RCCE_SHM_SIZE_MAX (1 << 26)
#endif
#ifndef RCCE_MAXNP
#ifdef ROCKCREEK_RWTH
#define RCCE_MAXNP 96 /* of two boards */
#else
#define RCCE_MAXNP 48
#endif
#endif

/* --- results
 * --------------------------------------------------------------------------------------------- */
#define RCCE_SUCCESS 0
#define RCCE_ERROR_BASE 1234321
#define RCCE_ERROR_TARGET (RCCE_ERROR_BASE + 1)
#define RCCE_ERROR_SOURCE (RCCE_ERROR_BASE + 2)
#define RCCE_ERROR_ID (RCCE_ERROR_BASE + 3)
#define RCCE_ERROR_MESSAGE_LENGTH (RCCE_ERROR_BASE + 4)
#define RCCE_ERROR_FLAG_UNDEFINED (RCCE_ERROR_BASE + 5)
#define RCCE_ERROR_NUM_UES (RCCE_ERROR_BASE + 6)
#define RCCE_ERROR_DATA_OVERLAP (RCCE_ERROR_BASE + 7)
#define RCCE_ERROR_ALIGNMENT (RCCE_ERROR_BASE + 8)
#define RCCE_ERROR_DEBUG_FLAG (RCCE_ERROR_BASE + 9)
#define RCCE_ERROR_FLAG_NOT_IN_COMM_BUFFER (RCCE_ERROR_BASE + 10)
#define RCCE_ERROR_FLAG_STATUS_UNDEFINED (RCCE_ERROR_BASE + 11)
#define RCCE_ERROR_FLAG_NOT_ALLOCATED (RCCE_ERROR_BASE + 12)
#define RCCE_ERROR_VAL_UNDEFINED (RCCE_ERROR_BASE + 13)
#define RCCE_ERROR_INVALID_ERROR_CODE (RCCE_ERROR_BASE + 14)
#define RCCE_ERROR_RPC_NOT_ALLOCATED (RCCE_ERROR_BASE + 15)
#define RCCE_ERROR_RPC_INTERNAL (RCCE_ERROR_BASE + 16)
#define RCCE_ERROR_MULTIPLE_RPC_REQUESTS (RCCE_ERROR_BASE + 17)
#define RCCE_ERROR_FDIVIDER (RCCE_ERROR_BASE + 18)
#define RCCE_ERROR_FREQUENCY_EXCEEDED (RCCE_ERROR_BASE + 19)
#define RCCE_ERROR_NO_ACTIVE_RPC_REQUEST (RCCE_ERROR_BASE + 20)
#define RCCE_ERROR_STALE_RPC_REQUEST (RCCE_ERROR_BASE + 21)
#define RCCE_ERROR_COMM_UNDEFINED (RCCE_ERROR_BASE + 22)
#define RCCE_ERROR_ILLEGAL_OP (RCCE_ERROR_BASE + 23)
#define RCCE_ERROR_ILLEGAL_TYPE (RCCE_ERROR_BASE + 24)
#define RCCE_ERROR_MALLOC (RCCE_ERROR_BASE + 25)
#define RCCE_ERROR_COMM_INITIALIZED (RCCE_ERROR_BASE + 26)
#define RCCE_ERROR_CORE_NOT_IN_HOSTFILE (RCCE_ERROR_BASE + 27)
#define RCCE_MAX_ERROR_STRING 45

/* --- switches of RCCE_debug_set
 * -------------------------------------------------------------------------- */
#define RCCE_DEBUG_ALL 111111
#define RCCE_DEBUG_SYNCH 111444
#define RCCE_DEBUG_COMM 111555
#define RCCE_DEBUG_RPC 111666
#define RCCE_DEBUG_DEBUG 111888

/* --- flags, reductions
 * ----------------------------------------------------------------------------------- */
#define RCCE_FLAG_SET 1
#define RCCE_FLAG_UNSET 0

#define RCCE_NUM_OPS 4
#define RCCE_OP_BASE 23232323
#define RCCE_SUM (RCCE_OP_BASE)
#define RCCE_MIN (RCCE_OP_BASE + 1)
#define RCCE_MAX (RCCE_OP_BASE + 2)
#define RCCE_PROD (RCCE_OP_BASE + 3)

#define RCCE_TYPE_BASE 63636363
#define RCCE_INT (RCCE_TYPE_BASE)
#define RCCE_LONG (RCCE_TYPE_BASE + 1)
#define RCCE_FLOAT (RCCE_TYPE_BASE + 2)
#define RCCE_DOUBLE (RCCE_TYPE_BASE + 3)

#ifdef __cplusplus
extern "C" {
#endif

/* --- types
 * ----------------------------------------------------------------------------------------------- */
typedef volatile unsigned char *t_vcharp;

#if ROCKCREEK_RCCE >= 20 || (defined(ROCKCREEK_RWTH) && defined(SINGLEBITFLAGS))
typedef struct {
  int location;          /* position in its line */
  t_vcharp flag_addr;    /* the byte that holds it, in the caller's own MPB */
  t_vcharp line_address; /* start of its line */
} RCCE_FLAG;
#elif defined(SINGLEBITFLAGS)
typedef struct {
  int location;
  t_vcharp line_address;
} RCCE_FLAG;
#elif defined(ROCKCREEK_RWTH)
typedef volatile ssize_t *RCCE_FLAG;
#else
typedef volatile int *RCCE_FLAG;
#endif

#ifdef ROCKCREEK_RWTH
typedef ssize_t RCCE_FLAG_STATUS;
#else
typedef int RCCE_FLAG_STATUS;
#endif

#if RCCE_MAXNP + 0 == 0
typedef struct rcce_comm RCCE_COMM;
#else
typedef struct {
  int size;
  int my_rank;
  int initialized;
  int member[RCCE_MAXNP];
  RCCE_FLAG gather;
  RCCE_FLAG release;
#ifdef ROCKCREEK_RWTH
  volatile int cycle;
  volatile int count;
  int step; /* how far a non-blocking barrier is */
  int label;
#endif
} RCCE_COMM;
#endif

extern RCCE_COMM RCCE_COMM_WORLD;

#ifdef RC_POWER_MANAGEMENT
typedef struct {
  int release;
  int old_voltage_level;
  int new_voltage_level;
  int old_frequency_divider;
  int new_frequency_divider;
  long long start_cycle;
} RCCE_REQUEST;

extern RCCE_COMM RCCE_P_COMM;
#define RCCE_POWER_DEFAULT -99999
#endif

/* --- start, end, identity, time
 * -------------------------------------------------------------------------- */
int RCCE_init(int *argc, char ***argv);
int RCCE_finalize(void);
int RCCE_ue(void);
int RCCE_num_ues(void);
double RCCE_wtime(void);

/* --- messages
 * -------------------------------------------------------------------------------------------- */
#ifdef GORY
int RCCE_send(char *privbuf, t_vcharp combuf, size_t chunk, RCCE_FLAG *ready, RCCE_FLAG *sent, size_t size,
              int dest);
#ifdef ROCKCREEK_RWTH
int RCCE_recv(char *privbuf, t_vcharp combuf, size_t chunk, RCCE_FLAG *ready, RCCE_FLAG *sent, size_t size,
              int source, RCCE_FLAG *probe);
int RCCE_recv_test(char *privbuf, t_vcharp combuf, size_t chunk, RCCE_FLAG *ready, RCCE_FLAG *sent,
                   size_t size, int source, int *test, RCCE_FLAG *probe);
#else
int RCCE_recv(char *privbuf, t_vcharp combuf, size_t chunk, RCCE_FLAG *ready, RCCE_FLAG *sent, size_t size,
              int source);
int RCCE_recv_test(char *privbuf, t_vcharp combuf, size_t chunk, RCCE_FLAG *ready, RCCE_FLAG *sent,
                   size_t size, int source, int *test);
#endif

t_vcharp RCCE_malloc(size_t size);
t_vcharp RCCE_malloc_request(size_t size, size_t *chunk);
void RCCE_free(t_vcharp ptr);
int RCCE_put(t_vcharp target, t_vcharp source, int num_bytes, int ID);
int RCCE_get(t_vcharp target, t_vcharp source, int num_bytes, int ID);
#if ROCKCREEK_RCCE >= 20
int RCCE_put_char(t_vcharp target, t_vcharp source, int ID);
int RCCE_get_char(t_vcharp target, t_vcharp source, int ID);
#endif

int RCCE_flag_alloc(RCCE_FLAG *flag);
int RCCE_flag_free(RCCE_FLAG *flag);
int RCCE_flag_write(RCCE_FLAG *flag, RCCE_FLAG_STATUS val, int ID);
int RCCE_flag_read(RCCE_FLAG flag, RCCE_FLAG_STATUS *val, int ID);
int RCCE_wait_until(RCCE_FLAG flag, RCCE_FLAG_STATUS val);
#else
int RCCE_send(char *privbuf, size_t size, int dest);
int RCCE_recv(char *privbuf, size_t size, int source);
int RCCE_recv_test(char *privbuf, size_t size, int source, int *test);

int RCCE_bcast(char *buf, size_t num, int root, RCCE_COMM comm);
int RCCE_reduce(char *inbuf, char *outbuf, int num, int type, int op, int root, RCCE_COMM comm);
int RCCE_allreduce(char *inbuf, char *outbuf, int num, int type, int op, RCCE_COMM comm);
#endif

/* --- communicators, synchronisation
 * ---------------------------------------------------------------------- */
int RCCE_comm_split(int (*color)(int rank, void *aux), void *aux, RCCE_COMM *comm);
int RCCE_comm_free(RCCE_COMM *comm);
int RCCE_comm_size(RCCE_COMM comm, int *size);
int RCCE_comm_rank(RCCE_COMM comm, int *rank);
int RCCE_barrier(RCCE_COMM *comm);
void RCCE_fence(void);
#if ROCKCREEK_RCCE >= 20
int RCCE_acquire_lock(int ID);
int RCCE_release_lock(int ID);
#endif

/* --- off-chip shared memory
 * ------------------------------------------------------------------------------ */
t_vcharp RCCE_shmalloc(size_t size);
#if ROCKCREEK_RCCE < 20
t_vcharp RCCE_shmalloc_request(size_t size, size_t *chunk);
#endif
void RCCE_shfree(t_vcharp ptr);
void RCCE_shflush(void);
#ifdef SHMADD_CACHEABLE
int RCCE_DCMflush(void);
#endif

/* --- diagnostics
 * ----------------------------------------------------------------------------------------- */
int RCCE_debug_set(int flag);
int RCCE_debug_unset(int flag);
int RCCE_error_string(int err_no, char *error_string, int *string_length);

/* --- power
 * ----------------------------------------------------------------------------------------------- */
#ifdef RC_POWER_MANAGEMENT
int RCCE_power_domain(void);
int RCCE_power_domain_master(void);
int RCCE_power_domain_size(void);
int RCCE_iset_power(int Fdiv, RCCE_REQUEST *req, int *new_Fdiv, int *new_Vlevel);
int RCCE_wait_power(RCCE_REQUEST *req);
int RCCE_set_frequency_divider(int Fdiv, int *new_Fdiv);
#endif

#ifdef __cplusplus
}
#endif

#ifdef ROCKCREEK_EXTENSION /* what a library on top adds to this header: rccecc --rwth names RCCE_rwth.h */
#include ROCKCREEK_EXTENSION
#endif

#include "rockcreek.h"
#include "rockcreek_object.h"

#endif
