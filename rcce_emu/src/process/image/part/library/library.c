/* SPDX-License-Identifier: Apache-2.0 */
/* What rccecc links into a shared library (-shared). The program's record leads to the UE; in a process that
 * is no program of ours there is none, and the library does without. */
#include "rcce_emu/image.h"

extern struct rockcreek_image rockcreek_image __attribute__((weak));
#define UE (&rockcreek_image ? rockcreek_image.ue : 0)
#define TELLS (&rockcreek_image && rockcreek_image.tells)

#include "../entries.h"
#pragma weak rockcreek_spin_rounds
#pragma weak rockcreek_accessed
#pragma weak rockcreek_accessed_in_loop
#pragma weak rockcreek_observed
#pragma weak rockcreek_given

static void spin_rounds(void *ue, unsigned rounds, const void *first, const void *second, const void *third,
                        const void *fourth) {
  if (ue) rockcreek_spin_rounds(ue, rounds, first, second, third, fourth);
}
#define rockcreek_spin_rounds spin_rounds

static void accessed(void *ue, const void *address, unsigned long bytes, unsigned how, unsigned long *lines) {
  if (ue) rockcreek_accessed(ue, address, bytes, how, lines);
}
#define rockcreek_accessed accessed
static void accessed_in_loop(void *ue, unsigned long rounds, const struct rockcreek_stream *streams,
                             unsigned long count, unsigned long *lines) {
  if (ue) rockcreek_accessed_in_loop(ue, rounds, streams, count, lines);
}
#define rockcreek_accessed_in_loop accessed_in_loop
#ifdef ROCKCREEK_MEMORY
__attribute__((weak)) unsigned long rockcreek_lines[ROCKCREEK_LINES]; /* likewise */
#endif
__attribute__((weak)) unsigned long rockcreek_own_cycles = 0; /* the program's, where there is one */
/* likewise */
__attribute__((weak)) unsigned rockcreek_most_cycles = ROCKCREEK_MOST_CYCLES,
                               rockcreek_cycles_left = ROCKCREEK_MOST_CYCLES;
__attribute__((weak)) double rockcreek_waits_until = 0; /* likewise */

#include "../waiting.h"
