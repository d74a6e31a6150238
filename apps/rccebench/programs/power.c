/* SPDX-License-Identifier: Apache-2.0 */
/* A 5-point stencil on the first UEs, at one speed, while the others wait at another. Arguments: divider of
 * the UEs that work, divider of the others, number of those that work, points along a side, rounds. Prints a
 * sum over the points. */
#include <RCCE.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 6 };
static int me, workers, side;

static void set_speed(int divider) {
  RCCE_REQUEST request;
  int new_divider, new_level;
  /* the domain's first core does it for all of them */
  RCCE_iset_power(divider, &request, &new_divider, &new_level);
  RCCE_wait_power(&request);
}

static void exchange(double *out, double *in, int with) {
  const size_t bytes = (size_t)side * sizeof(double);
  if (me % 2 == 0) {
    RCCE_send((char *)out, bytes, with);
    RCCE_recv((char *)in, bytes, with);
  } else {
    RCCE_recv((char *)in, bytes, with);
    RCCE_send((char *)out, bytes, with);
  }
}

static void work(double *from, double *to, int rows, int rounds) {
  for (int round = 0; round < rounds; round++) {
    if (me > 0) exchange(from + side, from, me - 1);
    if (me < workers - 1) exchange(from + rows * side, from + (rows + 1) * side, me + 1);
    for (int y = 1; y <= rows; y++)
      for (int x = 1; x < side - 1; x++) {
        const double *at = from + y * side + x;
        to[y * side + x] = 0.2 * (at[0] + at[-1] + at[1] + at[-side] + at[side]);
      }
    double *const next = from;
    from = to;
    to = next;
  }
}

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  if (argc < WORDS) return 2;
  me = RCCE_ue();
  const int divider = atoi(argv[1]), idle_divider = atoi(argv[2]), rounds = atoi(argv[5]);
  workers = atoi(argv[3]);
  side = atoi(argv[4]);
  const int rows = side / workers, points = (rows + 2) * side;
  double *const first = malloc((size_t)points * sizeof(double)),
                *const second = malloc((size_t)points * sizeof(double));
  if (first == NULL || second == NULL) return 2;
  for (int i = 0; i < points; i++) first[i] = second[i] = (i + me) % 7;
  set_speed(me < workers ? divider : idle_divider);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me < workers) work(first, second, rows, rounds);
  RCCE_barrier(&RCCE_COMM_WORLD);
  double sum = 0, all = 0;
  for (int i = side; i < (rows + 1) * side; i++) sum += rounds % 2 == 0 ? first[i] : second[i];
  if (me >= workers) sum = 0;
  RCCE_reduce((char *)&sum, (char *)&all, 1, RCCE_DOUBLE, RCCE_SUM, 0, RCCE_COMM_WORLD);
  if (me == 0) printf("power %.17g\n", all);
  return RCCE_finalize();
}
