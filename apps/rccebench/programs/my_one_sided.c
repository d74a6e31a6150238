/* SPDX-License-Identifier: Apache-2.0 */
/* A reduction of your own, to begin with: a chain without messages. Every rank puts partial results, part by
 * part, straight into the message-passing buffer (MPB) of the rank before it; that rank combines its own
 * operand into them and puts them on.
 *
 *   rccebench compare --operation reduce --with my_one_sided.c --algorithms put_chain,linear --sizes
 *     8192,190000 --cores 48
 *
 * Operands are combined in one order, whoever comes first: from the last rank of the chain to the root. */
#include <stdlib.h>
#include <string.h>

#include <iRCCE.h>
#include <RCCE_lib.h>

#include <algorithms/algorithm.h>

enum { slots = 2 }; /* of the payload area: while one is read, the other is written */

/* All variables are the UE's own. Flags hold 0 to 255: they count on from call to call, and are never
 * cleared. Both ends of a flag count along, so each knows the value that comes next. */
static struct {
  RCCE_FLAG full;  /* in the reader's MPB: the slot has been written */
  RCCE_FLAG empty; /* in the writer's MPB: the slot may be written */
  unsigned char written, read, given, awaited; /* how often, modulo 256 */
} slot_of[slots];
static char *partial; /* a part of the vector, in private memory */

/* On every rank alike, once, before the first run. */
static int prepare(const rockcreek_call *call) {
  int error = RCCE_SUCCESS;
  for (int i = 0; i < 2 * slots && error == RCCE_SUCCESS; ++i) {
    RCCE_FLAG *const flag = i % 2 ? &slot_of[i / 2].full : &slot_of[i / 2].empty;
    error = RCCE_flag_alloc(flag);
    if (error == RCCE_SUCCESS)
      error = RCCE_flag_write(flag, 0, RCCE_ue());
  }
  if (error != RCCE_SUCCESS)
    return error;
  partial = (char *)aligned_alloc(4096, (RCCE_chunk / 4096 + 1) * 4096);
  if (!partial)
    return rockcreek_refuse("%s: no memory", call->algorithm->name);
  return RCCE_barrier(&RCCE_COMM_WORLD); /* nobody may write a flag that its owner is still to clear */
}

static int put_chain(const rockcreek_call *call) {
  const int ranks = RCCE_num_ues(), self = RCCE_ue();
  const int place = (self - call->root + ranks) % ranks; /* in the chain; the root is 0 */
  const int up = (self + ranks - 1) % ranks, down = (self + 1) % ranks;
  const int reads = place < ranks - 1, writes = place > 0;
  const size_t most = RCCE_chunk / slots, asked = (size_t)rockcreek_value(call, "part");
  const size_t part = (asked < most ? asked : most) / RCCE_LINE_SIZE * RCCE_LINE_SIZE;
  const size_t parts = (call->bytes + part - 1) / part;
  /* The own payload area is free between calls. From here on the rank below may write to it. */
  for (size_t i = 0; reads && i < slots && i < parts; ++i)
    RCCE_flag_write(&slot_of[i].empty, ++slot_of[i].given, down);
  for (size_t i = 0; i < parts; ++i) {
    const size_t offset = i * part, length = call->bytes - offset < part ? call->bytes - offset : part;
    const t_vcharp slot = RCCE_buff_ptr + i % slots * part;
    const char *const operand = call->source + offset, *result = operand;
    if (reads) {
      RCCE_wait_until(slot_of[i % slots].full, ++slot_of[i % slots].read);
      iRCCE_get((t_vcharp)partial, slot, (int)length, self);
      if (i + slots < parts)
        RCCE_flag_write(&slot_of[i % slots].empty, ++slot_of[i % slots].given, down);
      rcce_combine(call->op, call->type, partial, operand, (int)(length * call->count / call->bytes));
      result = partial;
    }
    if (writes) {
      RCCE_wait_until(slot_of[i % slots].empty, ++slot_of[i % slots].awaited);
      /* the address in the own MPB stands for the same place in up's */
      iRCCE_put(slot, (t_vcharp)result, (int)length, up);
      RCCE_flag_write(&slot_of[i % slots].full, ++slot_of[i % slots].written, up);
    } else {
      rcce_copy(call->buffer + offset, result, length);
    }
  }
  return RCCE_SUCCESS;
}

ROCKCREEK_ALGORITHM(my_put_chain,
    .name = "reduce/put_chain",
    .operation = ROCKCREEK_REDUCE,
    .summary = "a chain of ranks, which put their partial results into the next one's buffer",
    .source = "me",
    .parameters = {{.name = "part", .unit = "bytes", .least = 32, .most = ROCKCREEK_MOST_BYTES,
                    .default_value = 1024, .tried = "256-2048:x2",
                    .help = "bytes of one part of the vector, at most half of the payload area"}},
    .needs = ROCKCREEK_FIXED_ORDER,
    .prepare = prepare,
    .run = put_chain);
