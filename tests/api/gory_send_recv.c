/* Send, receive and test of the gory interface with the caller's own buffer and flags, for several chunk
 * sizes. */
#include "RCCE.h"

#include "ue_check.h"

enum { largest = 20000, margin = 33 };
static unsigned char message[largest], room[largest + 2 * margin];

int RCCE_APP(int argc, char** argv) {
  static const unsigned long chunks[3] = {32, 1024, 8064};
  static const unsigned long lengths[8] = {0, 1, 31, 32, 33, 1057, 8192, 20000};
  RCCE_FLAG sent, ready;
  t_vcharp buffer;
  int me, ues, next, previous, c, n, test;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  ues = RCCE_num_ues();
  next = (me + 1) % ues;
  previous = (me + ues - 1) % ues;
  CHECK_INT(RCCE_flag_alloc(&sent), 0);
  CHECK_INT(RCCE_flag_alloc(&ready), 0);
  buffer = RCCE_malloc(8064);
  CHECK(buffer != NULL, "no buffer");
  RCCE_flag_write(&sent, RCCE_FLAG_UNSET, me);
  RCCE_flag_write(&ready, RCCE_FLAG_UNSET, me);
  RCCE_barrier(&RCCE_COMM_WORLD);

  CHECK_INT(RCCE_send((char*)message, buffer, 32, &ready, &sent, 0, me), 0);
  CHECK_INT(RCCE_recv((char*)message, buffer, 32, &ready, &sent, 0, me), 0);
  test = 0;
  CHECK_INT(RCCE_recv_test((char*)message, buffer, 32, &ready, &sent, 0, me, &test), 0);
  CHECK_INT(test, 1);
  if (ues > 1)
    for (c = 0; c < 3; ++c)
      for (n = 0; n < 8; ++n) {
        /* Round the ring, even ranks send first; the last of an odd ring receives first. */
        unsigned long length = lengths[n];
        int step;
        fill_pattern(message, me, length);
        memset(room, POISON, sizeof room);
        for (step = 0; step < 2; ++step)
          if ((me % 2 == 0 && me != ues - 1) == (step == 0)) {
            CHECK_INT(RCCE_send((char*)message, buffer, chunks[c], &ready, &sent, length, next), 0);
          } else if (n % 2) {
            CHECK_INT(RCCE_recv((char*)room + margin, buffer, chunks[c], &ready, &sent, length, previous), 0);
          } else {
            do
              CHECK_INT(RCCE_recv_test((char*)room + margin, buffer, chunks[c], &ready, &sent, length,
                                       previous, &test),
                        0);
            while (!test);
          }
        CHECK(find_fault(room + margin, previous, length) < 0, "chunk %lu, length %lu from %d", chunks[c],
              length, previous);
        CHECK(find_unpoisoned(room, margin) < 0 && find_unpoisoned(room + margin + length, margin) < 0,
              "chunk %lu, length %lu: bytes around", chunks[c], length);
      }
  return check_finalize();
}
