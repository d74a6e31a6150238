/* RCCE_send and RCCE_recv, non-gory: lengths around lines, chunks and buffers, both directions of every pair
 * that the number of UEs allows (all pairs up to 5 UEs, else neighbours and the ends), buffers at odd
 * addresses between poisoned bytes. */
#include "RCCE_lib.h"

#include "ue_check.h"

enum { margin = 67, largest = 100001 };
static unsigned char room[largest + 2 * margin];
static unsigned char message[largest + 1];

static void exchange(int sender, int receiver, unsigned long length) {
  int me = RCCE_ue();
  if (me == sender) {
    unsigned char* at = message + 1;
    memset(message, POISON, sizeof message);
    fill_pattern(at, sender, length);
    CHECK_INT(RCCE_send((char*)at, length, receiver), 0);
    CHECK(find_fault(at, sender, length) < 0, "send changed its buffer: length %lu", length);
  }
  if (me == receiver) {
    long fault;
    memset(room, POISON, sizeof room);
    CHECK_INT(RCCE_recv((char*)room + margin, length, sender), 0);
    fault = find_fault(room + margin, sender, length);
    CHECK(fault < 0, "%d -> %d, length %lu: byte %ld is wrong", sender, receiver, length, fault);
    CHECK(find_unpoisoned(room, margin) < 0, "%d -> %d, length %lu: bytes before", sender, receiver, length);
    CHECK(find_unpoisoned(room + margin + length, sizeof room - margin - length) < 0,
          "%d -> %d, length %lu: bytes behind", sender, receiver, length);
  }
}

int RCCE_APP(int argc, char** argv) {
  unsigned long lengths[16];
  int count = 0, me, ues, n, a, b;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  ues = RCCE_num_ues();
  lengths[count++] = 0;
  lengths[count++] = 1;
  lengths[count++] = 31;
  lengths[count++] = 32;
  lengths[count++] = 33;
  lengths[count++] = RCCE_chunk - 1;
  lengths[count++] = RCCE_chunk;
  lengths[count++] = RCCE_chunk + 1;
  lengths[count++] = RCCE_chunk + 32;
  lengths[count++] = RCCE_chunk + 33;
  lengths[count++] = 8192;
  lengths[count++] = 2 * RCCE_chunk;
  lengths[count++] = 100001;

  CHECK_INT(RCCE_send((char*)message, 8, ues), RCCE_ERROR_ID);
  CHECK_INT(RCCE_send((char*)message, 8, -1), RCCE_ERROR_ID);
  CHECK_INT(RCCE_send((char*)message, 0, ues), RCCE_ERROR_ID);
  CHECK_INT(RCCE_recv((char*)message, 8, ues), RCCE_ERROR_ID);
  CHECK_INT(RCCE_recv((char*)message, 8, -1), RCCE_ERROR_ID);
  /* Length 0 does not synchronise, so even oneself will do, without a buffer. */
  CHECK_INT(RCCE_send(NULL, 0, me), 0);
  CHECK_INT(RCCE_recv(NULL, 0, me), 0);

  for (n = 0; n < count; ++n)
    for (a = 0; a < ues; ++a)
      for (b = 0; b < ues; ++b) {
        int wanted = a != b &&
            (ues <= 5 || b == (a + 1) % ues || (a == ues - 1 && b == 0) || (a == 0 && b == ues - 1));
        if (wanted) exchange(a, b, lengths[n]);
      }

  /* Everybody sends to the last one at once, twice: order is kept per sender. */
  if (me == ues - 1) {
    for (a = 0; a < ues - 1; ++a) {
      int first = -1, second = -1;
      RCCE_recv((char*)&first, sizeof first, a);
      RCCE_recv((char*)&second, sizeof second, a);
      CHECK_INT(first, 1000 + a);
      CHECK_INT(second, 2000 + a);
    }
  } else {
    int first = 1000 + me, second = 2000 + me;
    RCCE_send((char*)&first, sizeof first, ues - 1);
    RCCE_send((char*)&second, sizeof second, ues - 1);
  }
  return check_finalize();
}
