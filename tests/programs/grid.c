/* Rows and columns of a process grid by RCCE_comm_split, a sum along each, and a broadcast down the columns.
 */
#include <stdio.h>
#include <stdlib.h>

#include "RCCE.h"

static int my_row(int rank, void* aux) {
  return rank / *(int*)aux;
}
static int my_column(int rank, void* aux) {
  return rank % *(int*)aux;
}

int RCCE_APP(int argc, char** argv) {
  RCCE_COMM row, column;
  int me, ues, width, in, sum_row, sum_column, top, i, want_row = 0, want_column = 0;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  ues = RCCE_num_ues();
  width = argc > 1 ? atoi(argv[1]) : 2;
  RCCE_comm_split(my_row, &width, &row);
  RCCE_comm_split(my_column, &width, &column);
  in = me + 1;
  RCCE_allreduce((char*)&in, (char*)&sum_row, 1, RCCE_INT, RCCE_SUM, row);
  in = me + 1;
  RCCE_allreduce((char*)&in, (char*)&sum_column, 1, RCCE_INT, RCCE_SUM, column);
  top = me;
  RCCE_bcast((char*)&top, sizeof top, 0, column);
  for (i = 0; i < ues; ++i) {
    if (i / width == me / width) want_row += i + 1;
    if (i % width == me % width) want_column += i + 1;
  }
  for (i = 0; i < ues; ++i) {
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (i == me) {
      printf("rank %d: row %d of %d, sum %d; column %d of %d, sum %d; top %d\n", me, row.my_rank, row.size,
             sum_row, column.my_rank, column.size, sum_column, top);
      fflush(stdout);
    }
  }
  RCCE_finalize();
  return sum_row != want_row || sum_column != want_column || top != me % width;
}
