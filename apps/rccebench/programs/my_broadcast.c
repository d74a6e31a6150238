/* SPDX-License-Identifier: Apache-2.0 */
/* A broadcast of your own, to begin with: a chain. Rank 1 behind the root gets the message from it, rank 2
 * from rank 1, and so on, part by part, so that all links of the chain work at once when there are many
 * parts.
 *
 *   rccebench compare --with my_broadcast.c --sizes 32,8192,190000 --cores 48
 *
 * Cost for m parts: m + n - 2 part times. Every rank must end with every byte, for any number of ranks, bytes
 * and any root. */
#include <RCCE.h>

#include <algorithms/algorithm.h>

static int chain(const rockcreek_call *call) {
  const int ranks = RCCE_num_ues();
  const int self = (RCCE_ue() - call->root + ranks) % ranks; /* place in the chain; the root is 0 */
  const size_t part = (size_t)rockcreek_value(call, "part");
  for (size_t offset = 0; offset < call->bytes; offset += part) {
    char *at = call->buffer + offset;
    const size_t length = call->bytes - offset < part ? call->bytes - offset : part;
    int error = RCCE_SUCCESS;
    if (self > 0)
      error = RCCE_recv(at, length, (RCCE_ue() + ranks - 1) % ranks);
    if (error == RCCE_SUCCESS && self < ranks - 1)
      error = RCCE_send(at, length, (RCCE_ue() + 1) % ranks);
    if (error != RCCE_SUCCESS)
      return error;
  }
  return RCCE_SUCCESS;
}

ROCKCREEK_ALGORITHM(my_chain,
    .name = "bcast/chain",
    .operation = ROCKCREEK_BCAST,
    .summary = "a chain of ranks, part by part",
    .source = "me",
    .parameters = {{.name = "part", .unit = "bytes", .least = 1, .most = ROCKCREEK_MOST_BYTES,
                    .default_value = 4096, .tried = "1024-16384:x2",
                    .help = "bytes of one part of the message"}},
    .run = chain);
