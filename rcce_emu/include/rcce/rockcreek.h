/* SPDX-License-Identifier: Apache-2.0 */
/* rockcreek.h - what Rockcreek offers to programs in addition to the original interface. RCCE.h includes
   it. */
#ifndef ROCKCREEK_H
#define ROCKCREEK_H

/* -ansi -pedantic -Werror is about the program, not about long long here. */
#pragma GCC system_header

/* Present in every program that is compiled for Rockcreek. */
#define ROCKCREEK 1

#include "../rcce_emu/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime's part of the inline functions below. These are inline so that programs that do not use them do
   not change. */
int rockcreek_combine(void *ue, int op, int type, void *target, const void *source, int count);
void rockcreek_combines(void *ue, void *target, const void *source, int count, unsigned long element_bytes);
void rockcreek_mesh(void *ue, int *columns, int *rows, int *cores_per_tile);

/* Advances the caller's clock by this many cycles of its core, as if it had computed for that time. */
void rcce_compute(long long cycles);

/* Cycles of the core's nominal clock since the start of the run, as its time stamp counter would show
   them. */
long long rcce_cycles(void);

/* Simulated time of the calling core in picoseconds since the start of the run. All cores count from the same
   instant. */
long long rcce_picoseconds(void);

/* The core sleeps until that instant. Returns at once if the instant has passed. UEs that agree on an instant
   are released together, to the picosecond. */
void rcce_sleep_until(long long picoseconds);

/* Reports that the caller's own code has read (write 0) or written (write 1) this memory. Its lines then move
   through the simulated caches as on the chip; no time passes. Without this call only the library's own
   copies move lines. */
void rcce_touch(const void *memory, unsigned long bytes, int write);

/* Copies `bytes` bytes within private memory, with the time that it takes: 20 core cycles, 8 for each line,
   and what lines take that are in no first-level cache. Target lines are fetched first, as iRCCE's copies do
   it. The caller owns both, of any alignment; they must not overlap, unless they are the same: then nothing
   is done. With --compute none a memcpy takes no time, and moves no lines. */
void rcce_copy(void *target, const void *source, unsigned long bytes);

/* Reports that the caller enters a collective operation of all UEs, which the program builds from other
   calls, with this root (-1: none) and this number of bytes. rccerun --check mpb reports UEs that differ in
   these, or in the order of their collective operations. No time passes. */
void rcce_collective(const char *name, int root, unsigned long bytes);

/* target[i] = target[i] op source[i] for `count` >= 0 elements of the type (RCCE_INT ... RCCE_DOUBLE), op
   being RCCE_SUM ... RCCE_PROD: one step of a reduction that the program builds from messages. Integers wrap
   round. Results are rounded to the type after every step, so a fixed order of calls gives the same bits
   everywhere. With every --compute it takes as long as RCCE_reduce takes to combine as many elements: cycles
   for each, and what lines of both take that are in no first-level cache. The caller owns both
   buffers, of any alignment; they may be the same, but must not overlap otherwise. Only the target changes.
   Returns RCCE_SUCCESS, RCCE_ERROR_ILLEGAL_OP or RCCE_ERROR_ILLEGAL_TYPE; a negative count ends the UE with a
   message. */
static __inline__ int rcce_combine(int op, int type, void *target, const void *source, int count) {
  return rockcreek_combine(rockcreek_image.ue, op, type, target, source, count);
}

/* The same by a function of the program, for other operators and elements. It is called once with these
   arguments if `count` > 0. Takes the same time for each 8 bytes of an element (one of less is one), in
   addition to what --compute charges for the function's own code. */
static __inline__ void rcce_combine_with(void (*combine)(void *target, const void *source, int count),
                                         void *target, const void *source, int count,
                                         unsigned long element_bytes) {
  rockcreek_combines(rockcreek_image.ue, target, source, count, element_bytes);
  if (count > 0) combine(target, source, count);
}

/* Stores the shape of the simulated machine: columns and rows of tiles, and the cores of a tile. Core c
   (RC_COREID[rank] of RCCE_lib.h) lies on tile c / cores_per_tile, which is in column tile % columns and row
   tile / columns. A null pointer is left out. No time passes. */
static __inline__ void rcce_mesh(int *columns, int *rows, int *cores_per_tile) {
  rockcreek_mesh(rockcreek_image.ue, columns, rows, cores_per_tile);
}

#ifdef __cplusplus
}
#endif

#endif
