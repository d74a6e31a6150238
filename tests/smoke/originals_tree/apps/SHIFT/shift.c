/* The same with the low-level calls: each UE puts its data into the buffer of the next, two flags say
   when. */
#include "RCCE.h"

#define WORDS 400

static double data[WORDS];

static double sum(void) {
  double total = 0;
  int i;
  for (i = 0; i < WORDS; i++) total += data[i];
  return total;
}

int RCCE_APP(int argc, char **argv) {
  int rounds, me, next, previous, i;
  t_vcharp window;
  RCCE_FLAG full, empty;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  next = (me + 1) % RCCE_num_ues();
  previous = (me + RCCE_num_ues() - 1) % RCCE_num_ues();
  if (argc != 2) {
    if (me == 0) printf("needs one parameter, the number of rounds\n");
    exit(1);
  }
  rounds = atoi(argv[1]);
  window = RCCE_malloc(sizeof data);
  if (RCCE_flag_alloc(&full) || RCCE_flag_alloc(&empty)) return (1);
  RCCE_flag_write(&full, RCCE_FLAG_UNSET, me);
  RCCE_flag_write(&empty, RCCE_FLAG_SET, me);
  RCCE_barrier(&RCCE_COMM_WORLD);

  for (i = 0; i < WORDS; i++) data[i] = me + 0.5 * i;
  printf("Initial sum on UE %03d equals %f\n", me, sum());
  while (rounds-- > 0) {
    RCCE_wait_until(empty, RCCE_FLAG_SET);
    RCCE_flag_write(&empty, RCCE_FLAG_UNSET, me);
    RCCE_put(window, (t_vcharp)data, sizeof data, next);
    RCCE_flag_write(&full, RCCE_FLAG_SET, next);
    RCCE_wait_until(full, RCCE_FLAG_SET);
    RCCE_flag_write(&full, RCCE_FLAG_UNSET, me);
    RCCE_get((t_vcharp)data, window, sizeof data, me);
    RCCE_flag_write(&empty, RCCE_FLAG_SET, previous);
  }
  printf("Final sum on UE %03d equals %f\n", me, sum());
  RCCE_finalize();
  return 0;
}
