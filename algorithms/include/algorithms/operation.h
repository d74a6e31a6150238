/* SPDX-License-Identifier: Apache-2.0 */
/* The collective operations: what a call of each has, in one place. The C library, the program that times them and rccebench
   read this description; an operation more is an entry here, a C function in collectives.h, what every rank must hold
   afterwards in apps/rccebench/programs/collective.c, and its algorithms. */
#ifndef ROCKCREEK_ALGORITHMS_OPERATION_H
#define ROCKCREEK_ALGORITHMS_OPERATION_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rockcreek_operation {
  ROCKCREEK_BCAST,
  ROCKCREEK_BARRIER,
  ROCKCREEK_REDUCE,
  ROCKCREEK_ALLREDUCE,
  ROCKCREEK_OPERATIONS /* how many there are */
} rockcreek_operation;

typedef struct rockcreek_operation_description {
  const char *name;  /* what its algorithms' names begin with, before the slash */
  int has_message;   /* a call has a buffer and a number of bytes */
  int has_root;      /* a call names a rank that the others depend on */
  int combines;      /* the message is a vector of elements, which an operator combines with those of the others */
  const char *until; /* "time until the last rank ...": what its time is measured to */
  const char *right; /* what is said when every rank found what it has to find, ... */
  const char *wrong; /* ... and what is counted when not */
} rockcreek_operation_description;

/* In the order of rockcreek_operation. */
extern const rockcreek_operation_description rockcreek_operations[ROCKCREEK_OPERATIONS];

#ifdef __cplusplus
}
#endif
#endif
