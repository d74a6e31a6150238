/* A five-point stencil on a block of rows per UE, borders exchanged by put, get and flags. The sum over all
 * blocks has to be that of the same computation on one core, which every UE does as well. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "RCCE.h"

enum { width = 64, rows = 8, steps = 20, row_bytes = width * sizeof(float) };

static float block[2][rows + 2][width] __attribute__((aligned(4096)));
static float whole[2][48 * rows + 2][width];

static float start_value(int row, int column) {
  return (float)((row * 37 + column * 11) % 100) / 100.0f;
}

static void update(float (*from)[width], float (*to)[width], int count) {
  int r, c;
  for (r = 1; r <= count; ++r) {
    to[r][0] = from[r][0];
    to[r][width - 1] = from[r][width - 1];
    for (c = 1; c < width - 1; ++c)
      to[r][c] = 0.2f * (from[r][c] + from[r - 1][c] + from[r + 1][c] + from[r][c - 1] + from[r][c + 1]);
  }
}

int RCCE_APP(int argc, char** argv) {
  RCCE_FLAG from_above, from_below, taken_above, taken_below;
  t_vcharp above_buffer, below_buffer;
  int me, ues, r, c, step;
  double sum = 0, want = 0, begin;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  ues = RCCE_num_ues();
  if (RCCE_flag_alloc(&from_above) || RCCE_flag_alloc(&from_below) || RCCE_flag_alloc(&taken_above) ||
      RCCE_flag_alloc(&taken_below))
    return 1;
  RCCE_flag_write(&from_above, RCCE_FLAG_UNSET, me);
  RCCE_flag_write(&from_below, RCCE_FLAG_UNSET, me);
  RCCE_flag_write(&taken_above, RCCE_FLAG_SET, me);
  RCCE_flag_write(&taken_below, RCCE_FLAG_SET, me);
  above_buffer = RCCE_malloc(row_bytes);
  below_buffer = RCCE_malloc(row_bytes);

  for (r = 0; r < ues * rows + 2; ++r)
    for (c = 0; c < width; ++c) whole[0][r][c] = whole[1][r][c] = start_value(r, c);
  for (r = 0; r < rows + 2; ++r)
    for (c = 0; c < width; ++c) block[0][r][c] = block[1][r][c] = start_value(me * rows + r, c);
  RCCE_barrier(&RCCE_COMM_WORLD);
  begin = RCCE_wtime();

  for (step = 0; step < steps; ++step) {
    float(*now)[width] = block[step % 2];
    if (me > 0) { /* my first row is the lower border of the block above */
      RCCE_wait_until(taken_above, RCCE_FLAG_SET);
      RCCE_flag_write(&taken_above, RCCE_FLAG_UNSET, me);
      RCCE_put(below_buffer, (t_vcharp)now[1], row_bytes, me - 1);
      RCCE_flag_write(&from_below, RCCE_FLAG_SET, me - 1);
    }
    if (me < ues - 1) {
      RCCE_wait_until(taken_below, RCCE_FLAG_SET);
      RCCE_flag_write(&taken_below, RCCE_FLAG_UNSET, me);
      RCCE_put(above_buffer, (t_vcharp)now[rows], row_bytes, me + 1);
      RCCE_flag_write(&from_above, RCCE_FLAG_SET, me + 1);
    }
    if (me < ues - 1) {
      RCCE_wait_until(from_below, RCCE_FLAG_SET);
      RCCE_flag_write(&from_below, RCCE_FLAG_UNSET, me);
      RCCE_get((t_vcharp)now[rows + 1], below_buffer, row_bytes, me);
      RCCE_flag_write(&taken_above, RCCE_FLAG_SET, me + 1);
    }
    if (me > 0) {
      RCCE_wait_until(from_above, RCCE_FLAG_SET);
      RCCE_flag_write(&from_above, RCCE_FLAG_UNSET, me);
      RCCE_get((t_vcharp)now[0], above_buffer, row_bytes, me);
      RCCE_flag_write(&taken_below, RCCE_FLAG_SET, me - 1);
    }
    update(now, block[1 - step % 2], rows);
  }
  begin = RCCE_wtime() - begin;
  for (step = 0; step < steps; ++step) update(whole[step % 2], whole[1 - step % 2], ues * rows);
  for (r = 1; r <= rows; ++r)
    for (c = 0; c < width; ++c) {
      sum += block[steps % 2][r][c];
      want += whole[steps % 2][me * rows + r][c];
    }
  printf("rank %d: checksum %.6f, alone %.6f, %.3f us\n", me, sum, want, begin * 1e6);
  RCCE_finalize();
  return sum == want ? 0 : 1;
}
