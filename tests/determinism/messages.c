/* SPDX-License-Identifier: Apache-2.0 */
/* A random program without races: all UEs draw the same messages, collective calls and barriers, and do
 * theirs in that order. Arguments: a seed, how many of them, and `requests` where messages may stay pending
 * beside others. Every UE prints when it ends, and a digest of what it has received. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"
#include "iRCCE.h"

enum { most = 9000, open = 4, pending = 1, complete = 2 };

static unsigned long long state, digest;
static unsigned draw(unsigned limit) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)((state >> 33) % limit);
}

static char out[open][most], in[open][most];
static iRCCE_SEND_REQUEST sends[open];
static iRCCE_RECV_REQUEST receives[open];
static int sending[open], receiving[open], lengths[open];

static void take(const char *bytes, int length) {
  for (int i = 0; i < length; i += 7) digest = (digest ^ (unsigned char)bytes[i]) * 0x100000001b3ull;
}

static void finish(int slot) {
  if (sending[slot]) iRCCE_isend_wait(&sends[slot]);
  if (receiving[slot] == pending) iRCCE_irecv_wait(&receives[slot]);
  /* here always: when a request is complete depends on the times */
  if (receiving[slot]) take(in[slot], lengths[slot]);
  sending[slot] = receiving[slot] = 0;
}

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  iRCCE_init();
  const int me = RCCE_ue(), ues = RCCE_num_ues(), count = argc > 2 ? atoi(argv[2]) : 50;
  const int requests = argc > 3 && !strcmp(argv[3], "requests");
  state = argc > 1 ? strtoull(argv[1], 0, 10) : 1;
  for (int i = 0; i < count; i++) {
    const unsigned kind = draw(10), cycles = draw(20000);
    const int length = 1 + (int)draw(draw(3) ? 200 : most - 1), slot = (int)draw(open);
    const int from = (int)draw((unsigned)ues),
              to = (from + 1 + (int)draw((unsigned)(ues > 1 ? ues - 1 : 1))) % ues;
    if ((int)draw((unsigned)ues) == me) rcce_compute(cycles);
    if (kind < 6) {
      if (from == to || (me != from && me != to)) continue;
      if (requests && kind < 3) {
        finish(slot);
        lengths[slot] = length;
        if (me == from) {
          memset(out[slot], i + me, (size_t)length);
          sending[slot] = iRCCE_isend(out[slot], (size_t)length, to, &sends[slot]) != iRCCE_SUCCESS;
        } else {
          const int status = iRCCE_irecv(in[slot], (size_t)length, from, &receives[slot]);
          receiving[slot] = status == iRCCE_SUCCESS ? complete : pending;
        }
      } else {
        /* a blocking call of RCCE's would be in their way */
        for (int one = 0; one < open; one++) finish(one);
        if (me == from) {
          memset(out[0], i * 3 + me, (size_t)length);
          RCCE_send(out[0], (size_t)length, to);
        } else {
          RCCE_recv(in[0], (size_t)length, from);
          take(in[0], length);
        }
      }
      continue;
    }
    for (int one = 0; one < open; one++) finish(one);
    switch (kind) {
    case 6: RCCE_barrier(&RCCE_COMM_WORLD); break;
    case 7:
      if (me == from) memset(in[0], i, (size_t)length);
      RCCE_bcast(in[0], (size_t)length, from, RCCE_COMM_WORLD);
      take(in[0], length);
      break;
    case 8: {
      int given = me * i, sum = 0;
      RCCE_allreduce((char *)&given, (char *)&sum, 1, RCCE_INT, RCCE_SUM, RCCE_COMM_WORLD);
      take((char *)&sum, sizeof sum);
      break;
    }
    default: rcce_compute(cycles);
    }
  }
  for (int one = 0; one < open; one++) finish(one);
  printf("%d ends at %lld ps, digest %016llx\n", me, rcce_picoseconds(), digest);
  RCCE_finalize();
  return 0;
}
