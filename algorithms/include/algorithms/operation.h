/* SPDX-License-Identifier: Apache-2.0 */
/* The collective operations: what a call of each has, in one place. The C library, the program that times and
   checks them, and rccebench read this description. An operation more is an entry here, a C function in
   collectives.h, its limit in algorithms/lab/limits.cpp, and its algorithms. */
#ifndef ROCKCREEK_ALGORITHMS_OPERATION_H
#define ROCKCREEK_ALGORITHMS_OPERATION_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rockcreek_operation {
  ROCKCREEK_BCAST,
  ROCKCREEK_BARRIER,
  ROCKCREEK_REDUCE,
  ROCKCREEK_ALLREDUCE,
  ROCKCREEK_GATHER,
  ROCKCREEK_SCATTER,
  ROCKCREEK_ALLGATHER,
  ROCKCREEK_ALLTOALL,
  ROCKCREEK_REDUCE_SCATTER,
  ROCKCREEK_SCAN,
  ROCKCREEK_OPERATIONS /* how many there are */
} rockcreek_operation;

/* What a rank has in one of its buffers: how much of a vector of as many bytes as the call names. */
typedef enum rockcreek_share {
  ROCKCREEK_NOTHING,
  ROCKCREEK_WHOLE, /* the whole vector */
  ROCKCREEK_BLOCK, /* the rank's block of it, by rockcreek_block_begin */
  ROCKCREEK_COLUMN /* the rank's block of the vector of each rank, one behind the other */
} rockcreek_share;

typedef struct rockcreek_operation_description {
  const char *name;  /* what its algorithms' names begin with, before the slash */
  const char *function; /* its C function in collectives.h, as messages name it */
  const char *plural; /* "broadcasts", as help texts call its calls */
  int has_message;   /* a call has a buffer and a number of bytes */
  int has_root;      /* a call names a rank that the others depend on */
  /* vectors consist of elements, which an operator combines with those of other ranks ... */
  int combines;
  int of_lower_ranks; /* ... only of ranks that are not above the one that gets the result */
  rockcreek_share source, target;     /* what a rank has before the call, and afterwards */
  int only_root_source, only_root_target; /* that is so at the root; other ranks have nothing */
  int in_place;      /* the source lies in the buffer that becomes the target */
  const char *until; /* "time until the last rank ...": what its time is measured to */
  const char *right; /* what is said when every rank found what it has to find, ... */
  const char *wrong; /* ... and what is counted when not */
} rockcreek_operation_description;

/* In the order of rockcreek_operation. */
extern const rockcreek_operation_description rockcreek_operations[ROCKCREEK_OPERATIONS];

/* Where the block of a rank begins, and the one of the rank before it ends, in a vector of `length` bytes or
   elements. Block 0 begins at 0; "block `ranks`" at `length`. Lengths of blocks differ by 1 at most. 0 <=
   rank <= ranks. */
static __inline__ size_t rockcreek_block_begin(size_t length, int ranks, int rank) {
  return length / (size_t)ranks * (size_t)rank + length % (size_t)ranks * (size_t)rank / (size_t)ranks;
}

#ifdef __cplusplus
}
#endif
#endif
