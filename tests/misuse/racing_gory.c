/* The same with the low-level interface. $1: which. */
#include <stdio.h>
#include <string.h>

#include "RCCE.h"

enum { bytes = 1024, more_bytes = 3072 };

/* Rank 1 puts a block into the buffer of rank 0, which reads it: `ordered` by a barrier, or not. */
static void block(int me, int ordered) {
  static char data[bytes], more[more_bytes];
  t_vcharp place = RCCE_malloc(bytes), other_place = RCCE_malloc(more_bytes);
  memset(data, 'a' + me, bytes);
  if (me == 0) RCCE_put(place, (t_vcharp)data, bytes, 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 1) RCCE_put(place, (t_vcharp)data, bytes, 0);
  if (ordered) RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) {
    RCCE_get((t_vcharp)more, other_place, more_bytes, 0); /* usually takes long enough */
    RCCE_get((t_vcharp)data, place, bytes, 0);
    printf("%c...%c\n", data[0], data[bytes - 1]);
  }
}

/* Rank 1 sets a flag of rank 0 and rank 2 takes it back; `ordered`: in turn. */
static void flag_of_two(int me, int ordered) {
  RCCE_FLAG flag;
  RCCE_FLAG_STATUS value;
  RCCE_flag_alloc(&flag);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 1) RCCE_flag_write(&flag, RCCE_FLAG_SET, 0);
  if (ordered) RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 2) RCCE_flag_write(&flag, RCCE_FLAG_UNSET, 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me != 0) return;
  RCCE_flag_read(flag, &value, 0);
  printf("%s was the last\n", value == RCCE_FLAG_SET ? "1" : "2");
}

int RCCE_APP(int argc, char** argv) {
  int me;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  if (strcmp(argv[1], "missing-barrier") == 0) block(me, 0);
  if (strcmp(argv[1], "barrier") == 0) block(me, 1);
  if (strcmp(argv[1], "flag-of-two") == 0) flag_of_two(me, 0);
  if (strcmp(argv[1], "flag-in-turn") == 0) flag_of_two(me, 1);
  RCCE_barrier(&RCCE_COMM_WORLD);
  RCCE_finalize();
  return 0;
}
