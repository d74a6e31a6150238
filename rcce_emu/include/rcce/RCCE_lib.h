/* SPDX-License-Identifier: Apache-2.0 */
/* RCCE_lib.h - the inside of the library, as far as programs have come to use it: internal variables,
 * unchecked low-level functions, helpers. Its content follows the original's; programs include it after or
 * instead of RCCE.h. */
#ifndef RCCE_LIB_H
#define RCCE_LIB_H

#include "RCCE.h"
#include <string.h>

#define PAD32byte(n) ((n) % 32 == 0 ? (n) : (n) + 32 - (n) % 32)

#define BOTH_IN_COMM_BUFFER 12
#define SOURCE_IN_PRIVATE_MEMORY 34
#define TARGET_IN_PRIVATE_MEMORY 56

#ifdef SINGLEBITFLAGS
#define RCCE_FLAGS_PER_BYTE 8
#else
#define RCCE_FLAGS_PER_BYTE 1
#endif
#define RCCE_FLAGS_PER_LINE (RCCE_LINE_SIZE * RCCE_FLAGS_PER_BYTE)

#if ROCKCREEK_RCCE < 20
#define WORDSIZE 32
#define LEFTMOSTBIT (WORDSIZE - 1)
#endif

#define RCCE_SUM_INT (RCCE_SUM + 4 * RCCE_INT)
#define RCCE_SUM_LONG (RCCE_SUM + 4 * RCCE_LONG)
#define RCCE_SUM_FLOAT (RCCE_SUM + 4 * RCCE_FLOAT)
#define RCCE_SUM_DOUBLE (RCCE_SUM + 4 * RCCE_DOUBLE)
#define RCCE_MIN_INT (RCCE_MIN + 4 * RCCE_INT)
#define RCCE_MIN_LONG (RCCE_MIN + 4 * RCCE_LONG)
#define RCCE_MIN_FLOAT (RCCE_MIN + 4 * RCCE_FLOAT)
#define RCCE_MIN_DOUBLE (RCCE_MIN + 4 * RCCE_DOUBLE)
#define RCCE_MAX_INT (RCCE_MAX + 4 * RCCE_INT)
#define RCCE_MAX_LONG (RCCE_MAX + 4 * RCCE_LONG)
#define RCCE_MAX_FLOAT (RCCE_MAX + 4 * RCCE_FLOAT)
#define RCCE_MAX_DOUBLE (RCCE_MAX + 4 * RCCE_DOUBLE)
#define RCCE_PROD_INT (RCCE_PROD + 4 * RCCE_INT)
#define RCCE_PROD_LONG (RCCE_PROD + 4 * RCCE_LONG)
#define RCCE_PROD_FLOAT (RCCE_PROD + 4 * RCCE_FLOAT)
#define RCCE_PROD_DOUBLE (RCCE_PROD + 4 * RCCE_DOUBLE)

#define RCCE_COMM_INITIALIZED 45328976
#define RCCE_COMM_NOT_INITIALIZED -45328976

#ifdef __cplusplus
extern "C" {
#endif

typedef volatile unsigned int *t_vintp;
typedef volatile unsigned char t_vchar;
typedef volatile unsigned int t_vint;

typedef struct rcce_block {
  t_vcharp space;
  size_t free_size;
  struct rcce_block *next;
} RCCE_BLOCK;

typedef struct {
  RCCE_BLOCK *tail;
} RCCE_BLOCK_S;

typedef struct rcce_flag_line {
  t_vchar flag[RCCE_FLAGS_PER_LINE];
  t_vcharp line_address;
  int members;
  struct rcce_flag_line *next;
} RCCE_FLAG_LINE;

/* --- variables: one set per UE
 * --------------------------------------------------------------------------- */
extern int RCCE_NP;                          /* number of UEs */
extern int RCCE_IAM;                         /* own rank; -1 before RCCE_init */
extern int RCCE_BUFF_SIZE;                   /* managed bytes of an MPB */
extern int RC_MY_COREID;                     /* physical core of this UE */
extern int RC_COREID[RCCE_MAXNP];            /* physical core by rank */
extern double RC_REFCLOCKGHZ;                /* nominal core clock */
extern t_vcharp RCCE_comm_buffer[RCCE_MAXNP]; /* start of the managed part of each UE's MPB */
extern int RCCE_debug_synch, RCCE_debug_comm, RCCE_debug_debug, RCCE_debug_RPC;
extern int RCCE_comm_init_val;
extern RCCE_FLAG_LINE RCCE_flags;
extern t_vcharp RCCE_fool_write_combine_buffer; /* the dummy line of the own MPB */
extern const char *RCCE_estrings[];
#ifndef GORY
extern RCCE_FLAG RCCE_sent_flag[RCCE_MAXNP];
extern RCCE_FLAG RCCE_ready_flag[RCCE_MAXNP];
extern t_vcharp RCCE_buff_ptr;   /* where messages pass through the own MPB */
extern size_t RCCE_chunk;        /* most bytes that pass at once */
extern t_vcharp RCCE_flags_start; /* where the next line of flags would be taken */
#endif

/* --- low-level functions, unchecked in the simplified interface
 * ------------------------------------------- */
#ifndef GORY
t_vcharp RCCE_malloc(size_t size);
t_vcharp RCCE_malloc_request(size_t size, size_t *chunk);
void RCCE_free(t_vcharp ptr);
int RCCE_put(t_vcharp target, t_vcharp source, int num_bytes, int ID);
int RCCE_get(t_vcharp target, t_vcharp source, int num_bytes, int ID);
#if ROCKCREEK_RCCE >= 20
int RCCE_put_char(t_vcharp target, t_vcharp source, int ID);
int RCCE_get_char(t_vcharp target, t_vcharp source, int ID);
#endif
int RCCE_wait_until(RCCE_FLAG flag, RCCE_FLAG_STATUS val);
int RCCE_flag_alloc(RCCE_FLAG *flag);
int RCCE_flag_free(RCCE_FLAG *flag);
int RCCE_flag_write(RCCE_FLAG *flag, RCCE_FLAG_STATUS val, int ID);
int RCCE_flag_read(RCCE_FLAG flag, RCCE_FLAG_STATUS *val, int ID);
#endif
#if ROCKCREEK_RCCE < 20
int RCCE_acquire_lock(int ID);
int RCCE_release_lock(int ID);
#endif

void RCCE_malloc_init(t_vcharp mem, size_t size);
void RCCE_shmalloc_init(t_vcharp mem, size_t size);
int RCCE_qsort(char *base, size_t n, size_t elsize, int (*cmp)(const void *, const void *));
int id_compare(const void *a, const void *b);
int RCCE_probe(RCCE_FLAG flag);
int RCCE_error_return(int debug_flag, int err);
t_vcharp RC_COMM_BUFFER_START(int ue);
void RC_cache_invalidate(void);
int RCCE_global_color(int rank, void *nothing);

#ifdef SINGLEBITFLAGS
RCCE_FLAG_STATUS RCCE_bit_value(t_vcharp line_address, int location);
RCCE_FLAG_STATUS RCCE_flip_bit_value(t_vcharp line_address, int location);
int RCCE_write_bit_value(t_vcharp line_address, int location, RCCE_FLAG_STATUS value);
#endif

#ifdef SHMADD
unsigned getCOREID(void); /* the core's number within its tile: 0 or 1 */
unsigned readTILEID(void);
unsigned readLUT(unsigned slot);
void writeLUT(unsigned slot, unsigned value);
#endif

#ifdef __cplusplus
}
#endif

/* Intel's compilers have the time stamp counter as a built-in function. Here it counts the simulated core's
 * cycles. */
#if !defined(_rdtsc) && !defined(__INTEL_COMPILER)
static inline long long _rdtsc(void) { return rcce_cycles(); }
#endif

#endif
