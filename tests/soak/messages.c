/* messages MESSAGES BARRIERS: round trips of one line between ranks 0 and 1, each compared, while the others
 * wait in a barrier, then barriers of all. Rank 0 prints the memory of the process after a tenth of each and
 * at its end. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "RCCE.h"

static int me;

static long resident_kib(void) {
  long pages = 0, resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &pages, &resident) != 2) exit(3);
  fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void tell(const char* what, long count, long tenth, long end) {
  if (me == 0)
    printf("%s %ld resident KiB at a tenth %ld at the end %ld growth %ld\n", what, count, tenth, end,
           end - tenth);
}

int RCCE_APP(int argc, char** argv) {
  long line[4], i, trips, barriers, tenth = 0;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  trips = atol(argv[1]) / 2;
  barriers = atol(argv[2]);
  for (i = 0; i < trips && me < 2; ++i) {
    if (i == trips / 10) tenth = resident_kib();
    if (me == 0) {
      line[0] = i, line[1] = ~i, line[2] = 3 * i, line[3] = i ^ 12345;
      RCCE_send((char*)line, sizeof line, 1);
      line[0] = line[1] = line[2] = line[3] = -1;
      RCCE_recv((char*)line, sizeof line, 1);
    } else {
      RCCE_recv((char*)line, sizeof line, 0);
    }
    if (line[0] != i || line[1] != ~i || line[2] != 3 * i || line[3] != (i ^ 12345)) {
      printf("rank %d: message %ld is wrong\n", me, i);
      return 1;
    }
    if (me == 1) RCCE_send((char*)line, sizeof line, 0);
  }
  if (me == 0) tell("messages", 2 * trips, tenth, resident_kib());
  RCCE_barrier(&RCCE_COMM_WORLD);
  for (i = 0; i < barriers; ++i) {
    if (i == barriers / 10) tenth = resident_kib();
    RCCE_barrier(&RCCE_COMM_WORLD);
  }
  if (me == 0) tell("barriers", barriers, tenth, resident_kib());
  RCCE_finalize();
  return 0;
}
