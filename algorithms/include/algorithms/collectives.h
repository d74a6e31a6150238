/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations by name, for RCCE programs in C and C++. Link the archive that `rccecc -lrockcreek_algorithms` finds.
   Every UE of the program calls with the same arguments, as for RCCE_bcast. `rccebench bcast --help` lists the names.

   Options are text: "part=4096 fan_out=2", a blank between two; NULL or "" takes the defaults. What an algorithm does not
   know or allow is an error. Every function returns RCCE_SUCCESS, or an error with a message on stderr: RCCE_ERROR_ID for
   unknown names, options and ranks, the error of RCCE or iRCCE where a call that the algorithm makes fails. */
#ifndef ROCKCREEK_ALGORITHMS_COLLECTIVES_H
#define ROCKCREEK_ALGORITHMS_COLLECTIVES_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes what the algorithm keeps for good (flags, MPB space), with the options that it is then to be used with: collective,
   after RCCE_init and, where the program calls that, iRCCE_init. Only for who wants it outside of what is timed: the first
   call of an algorithm prepares it. Later calls do nothing. */
int rockcreek_prepare(const char *algorithm, const char *options);

/* Broadcasts `bytes` bytes at `buffer` from rank `root` to all UEs, whose buffers hold them on return. The caller owns the
   buffer. */
int rockcreek_bcast(const char *algorithm, char *buffer, size_t bytes, int root, const char *options);

/* Combines `count` elements of every UE into `target` at rank `root`: target[i] = source[i] of one rank op source[i] of another
   op ... `type` is RCCE_INT ... RCCE_DOUBLE, `op` RCCE_SUM ... RCCE_PROD; RCCE_ERROR_ILLEGAL_TYPE or _OP otherwise. The caller
   owns both buffers, which do not overlap; the source stays as it is, and at other ranks than the root so does the target,
   which may be NULL there. Which order the operands are combined in is up to the algorithm. */
int rockcreek_reduce(const char *algorithm, const void *source, void *target, size_t count, int type, int op, int root,
                     const char *options);

/* The same, with the result in the target of every UE. */
int rockcreek_allreduce(const char *algorithm, const void *source, void *target, size_t count, int type, int op,
                        const char *options);

/* Returns when every UE has called. */
int rockcreek_barrier(const char *algorithm, const char *options);

/* The name "auto", which takes no options, in all calls above means: what was measured to be fastest on the simulated
   machine (algorithms/tuned), at the tuned number of cores and size nearest to the call's, among what the program can use.
   Preparing "auto" prepares what it takes for messages of any size, and for the barrier. */
typedef struct rockcreek_choice {
  const char *algorithm; /* of static storage, as the options */
  const char *options;
} rockcreek_choice;

/* What "auto" takes for such a call: says it in `choice`. `operation` is "bcast", "reduce", "allreduce" (root does not
   matter then) or "barrier" (nor do bytes). Local, and the same on every UE. */
int rockcreek_choose(const char *operation, size_t bytes, int root, rockcreek_choice *choice);

/* Writes the operations, the program's table of algorithms, and the rows that cannot be used, each with its fault, as one JSON
   object. Needs no RCCE_init. */
void rockcreek_describe(FILE *to);

#ifdef __cplusplus
}
#endif
#endif
