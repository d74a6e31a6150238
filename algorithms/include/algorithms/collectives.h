/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations by name, for RCCE programs in C and C++. Link the archive that `rccecc
   -lrockcreek_algorithms` finds. Every UE of the program calls with the same arguments, as for RCCE_bcast.
   `rccebench bcast --help` lists the names.

   Options are text separated by blanks: "part=4096 fan_out=2"; NULL or "" takes the defaults. Options that an
   algorithm does not have or allow are errors. Every function returns RCCE_SUCCESS, or an error with a
   message on stderr: RCCE_ERROR_ID for unknown names, options and ranks, or the error of RCCE or iRCCE if a
   call that the algorithm makes fails. */
#ifndef ROCKCREEK_ALGORITHMS_COLLECTIVES_H
#define ROCKCREEK_ALGORITHMS_COLLECTIVES_H

#include <stddef.h>
#include <stdio.h>

#include "algorithms/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Allocates what the algorithm keeps until the end (flags, MPB space), with the options of its later use.
   Collective; call it after RCCE_init and, if the program uses iRCCE, after iRCCE_init. It only keeps the
   preparation out of a timed part: the first call of an algorithm prepares it as well. Later calls do
   nothing. */
int rockcreek_prepare(const char *algorithm, const char *options);

/* Broadcasts `bytes` bytes at `buffer` from rank `root` to all UEs. On return, each UE's buffer holds them.
   The caller owns the buffer. */
int rockcreek_bcast(const char *algorithm, char *buffer, size_t bytes, int root, const char *options);

/* Combines `count` elements of every UE into `target` at rank `root`: target[i] = source[i] of one rank op
   source[i] of another op ... `type` is RCCE_INT ... RCCE_DOUBLE, `op` RCCE_SUM ... RCCE_PROD; else it
   returns RCCE_ERROR_ILLEGAL_TYPE or _OP. The caller owns both buffers, which must not overlap. The source
   does not change. At other ranks than the root the target does not change either and may be NULL. The
   algorithm decides the order in which operands are combined. */
int rockcreek_reduce(const char *algorithm, const void *source, void *target, size_t count, int type, int op,
                     int root, const char *options);

/* The same, with the result in the target of every UE. */
int rockcreek_allreduce(const char *algorithm, const void *source, void *target, size_t count, int type,
                        int op, const char *options);

/* The same, of which each rank gets its block alone. Block r of n begins at element
   rockcreek_block_begin(count, n, r) (algorithms/operation.h). `count` is that of the whole source. */
int rockcreek_reduce_scatter(const char *algorithm, const void *source, void *target, size_t count, int type,
                             int op, const char *options);

/* The same, where rank r gets what combining the operands of the ranks 0 to r gives. */
int rockcreek_scan(const char *algorithm, const void *source, void *target, size_t count, int type, int op,
                   const char *options);

/* Calls on vectors that have a block for each rank. `bytes` is the length of a whole vector. Block r of n
   begins at its byte rockcreek_block_begin(bytes, n, r) (algorithms/operation.h): where n divides `bytes`,
   all have bytes / n. The caller owns both buffers, which must not overlap. The source does not change.
   gather: `target` of the root gets the blocks of all ranks, which each have their own at `source`. Other
   ranks may pass NULL. */
int rockcreek_gather(const char *algorithm, const void *source, void *target, size_t bytes, int root,
                     const char *options);
/* Each rank gets its block of the vector at `source` of the root into `target`. Other ranks may pass NULL as
   source. */
int rockcreek_scatter(const char *algorithm, const void *source, void *target, size_t bytes, int root,
                      const char *options);
/* As gather, with the vector in the target of every UE. */
int rockcreek_allgather(const char *algorithm, const void *source, void *target, size_t bytes,
                        const char *options);

/* Each rank has a vector at `source`, and gets its block of the vector of each rank into `target`, that of
   rank 0 first: with n ranks, n times as many bytes as its block has. */
int rockcreek_alltoall(const char *algorithm, const void *source, void *target, size_t bytes,
                       const char *options);

/* Returns when every UE has called. */
int rockcreek_barrier(const char *algorithm, const char *options);

/* In all calls above, the name "auto" (without options) takes the algorithm that was measured to be fastest
   on the simulated machine (algorithms/tuned), at the tuned number of cores and size nearest to the call's,
   among those the program can use. Preparing "auto" prepares the algorithms that it takes for messages of any
   size, and for the barrier. */
typedef struct rockcreek_choice {
  const char *algorithm; /* both are static strings */
  const char *options;
} rockcreek_choice;

/* Writes to `choice` what "auto" takes for such a call. `operation` is the name of an operation, such as
   "bcast". Where the operation has no root or no bytes, these are ignored. Local; the result is the same on
   every UE. */
int rockcreek_choose(const char *operation, size_t bytes, int root, rockcreek_choice *choice);

/* Writes one JSON object: the operations, the program's table of algorithms, and the rows that cannot be
   used, each with its fault. Does not need RCCE_init. */
void rockcreek_describe(FILE *to);

#ifdef __cplusplus
}
#endif
#endif
