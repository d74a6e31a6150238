/* SPDX-License-Identifier: Apache-2.0 */
/* Cost per line of one-sided copies between private memory and message-passing buffers; compile with -DGORY.
 *
 *   rccerun -nue 2 copy SWEEPS BYTES [BYTES ...]
 *
 * Rank 0 walks a private buffer of BYTES (a power of two) in pieces of 4096 bytes, SWEEPS times: once putting each piece into
 * its own message-passing buffer, once getting each from rank 1's. It prints "BYTES PUT GET", microseconds per line,
 * first sweep excluded. How large BYTES is decides in which cache the buffer stays. */
#include <stdio.h>
#include <stdlib.h>

#include "RCCE.h"

enum { largest_piece = 4096 };

static t_vcharp window;

static void sweep(unsigned char *buffer, size_t bytes, int put) {
  const size_t piece = bytes < largest_piece ? bytes : largest_piece;
  for (size_t done = 0; done < bytes; done += piece) {
    if (put)
      RCCE_put(window, buffer + done, (int)piece, 0);
    else
      RCCE_get(buffer + done, window, (int)piece, 1);
  }
}

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  if (RCCE_num_ues() != 2 || argc < 3 || atoi(argv[1]) < 1) {
    if (RCCE_ue() == 0)
      printf("usage: rccerun -nue 2 copy SWEEPS BYTES [BYTES ...]\n");
    return 2;
  }
  const int sweeps = atoi(argv[1]);
  window = RCCE_malloc(largest_piece);
  for (int i = 2; i < argc && RCCE_ue() == 0; ++i) {
    const size_t bytes = (size_t)strtoul(argv[i], NULL, 10);
    unsigned char *buffer = malloc(bytes);
    double time[2];
    for (int put = 1; put >= 0; --put) {
      sweep(buffer, bytes, 1); /* a put reads the buffer, so that its lines are where their size lets them be */
      sweep(buffer, bytes, put);
      const double start = RCCE_wtime();
      for (int k = 0; k < sweeps; ++k)
        sweep(buffer, bytes, put);
      time[put] = (RCCE_wtime() - start) / sweeps / (double)(bytes / RCCE_LINE_SIZE) * 1e6;
    }
    printf("%lu %.6f %.6f\n", (unsigned long)bytes, time[1], time[0]);
    free(buffer);
  }
  RCCE_finalize();
  return 0;
}
