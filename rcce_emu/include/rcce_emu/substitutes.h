/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations of another image in place of the library's own: how `rccerun --collectives` has an
 * unedited program's RCCE_bcast, RCCE_reduce, RCCE_allreduce and RCCE_barrier done by algorithms that were
 * compiled apart from it. Beside each copy of the program a copy of that image is loaded, which offers its
 * functions from a constructor and calls the library as any program does, for the same UE. Plain C. */
#ifndef ROCKCREEK_SUBSTITUTES_H
#define ROCKCREEK_SUBSTITUTES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returned by one of the functions below: the library's own operation is to be done. */
#define ROCKCREEK_NOT_SUBSTITUTED (-1)

/* All are called by every UE of the world, in the same order, with arguments of the operations that they
   stand for, and return what those return. Buffers are the caller's. */
struct rockcreek_substitutes {
  /* Once, at the end of RCCE_init: whether the wish, the text behind --collectives, can be done. */
  int (*begin)(const char *wish);
  int (*bcast)(char *buffer, size_t bytes, int root);
  int (*reduce)(const char *source, char *target, int count, int type, int op, int root);
  int (*allreduce)(const char *source, char *target, int count, int type, int op);
  int (*barrier)(void);
};

/* Offers them for the UE. The record lives as long as the image. */
void rockcreek_substitute(void *ue, const struct rockcreek_substitutes *offer);
/* A call of one of the functions above has set up what it needs, which counts as preparation. The calling
 * image's own copy of the library's variables (RCCE_chunk, RCCE_COMM_WORLD, ...) is the program's then, as
 * after each allocation. */
void rockcreek_follow(void *ue);

#ifdef __cplusplus
}
#endif
#endif
