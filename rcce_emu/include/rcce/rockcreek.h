/* SPDX-License-Identifier: Apache-2.0 */
/* rockcreek.h - what Rockcreek offers to programs beside the original interface. RCCE.h includes it. */
#ifndef ROCKCREEK_H
#define ROCKCREEK_H

/* Present in every program that is compiled for Rockcreek. */
#define ROCKCREEK 1

#include "rcce_emu/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime's side of what stands here as inline functions, so that programs that do not use them stay as they are. */
int rockcreek_combine(void *ue, int op, int type, void *target, const void *source, int count);
void rockcreek_combines(void *ue, void *target, int count, unsigned long element_bytes);

/* Says that the caller has computed for this many cycles of its core: its clock advances by that time. */
void rcce_compute(long long cycles);

/* Cycles of the core's nominal clock since the start of the run: what its time stamp counter would show. */
long long rcce_cycles(void);

/* Simulated time of the calling core in picoseconds since the start of the run. All cores count from the same instant. */
long long rcce_picoseconds(void);

/* The core does nothing until that instant; returns at once when it has passed. UEs that agree on an instant are released
   together, to the picosecond. */
void rcce_sleep_until(long long picoseconds);

/* Says that the caller has by itself read (write 0) or written (write 1) this memory: its lines move through the simulated
   caches as they would on the chip; no time passes. Without it only the library's own copies do. */
void rcce_touch(const void *memory, unsigned long bytes, int write);

/* Says that the caller enters a collective operation of all UEs that the program has made out of other calls, with this root
   (-1: none) and this number of bytes. rccerun --check mpb reports UEs that do not agree on them, or that enter their
   collectives in another order; no time passes. */
void rcce_collective(const char *name, int root, unsigned long bytes);

/* target[i] = target[i] op source[i] for `count` >= 0 elements of the type (RCCE_INT ... RCCE_DOUBLE), op being RCCE_SUM ...
   RCCE_PROD: one step of a reduction that the program makes out of messages. Integers wrap round; results are rounded to
   the type after every step, so that a fixed order of calls gives the same bits everywhere. Takes the core's time that
   RCCE_reduce takes to combine as many elements, where code of the program's own takes none (--compute none). Both buffers
   are the caller's, of any alignment; they may be the same, but not overlap otherwise. Only the target changes.
   RCCE_SUCCESS, RCCE_ERROR_ILLEGAL_OP or RCCE_ERROR_ILLEGAL_TYPE; a negative count ends the UE with a message. */
static __inline__ int rcce_combine(int op, int type, void *target, const void *source, int count) {
  return rockcreek_combine(rockcreek_image.ue, op, type, target, source, count);
}

/* The same by a function of the program's, for other operators and elements: called once with these arguments, where
   `count` > 0. Takes the same time for each element, beside what the function's own code is charged by --compute. */
static __inline__ void rcce_combine_with(void (*combine)(void *target, const void *source, int count), void *target,
                                         const void *source, int count, unsigned long element_bytes) {
  rockcreek_combines(rockcreek_image.ue, target, count, element_bytes);
  if (count > 0) combine(target, source, count);
}

#ifdef __cplusplus
}
#endif

#endif
