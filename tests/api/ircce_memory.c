/* iRCCE's copies, memory in MPBs, flags with and without tags, atomic counters, barrier and multicast. */
#include "iRCCE_lib.h"

#include "ue_check.h"

static unsigned char out[20000], in[20000];

static void barrier(void) { RCCE_barrier(&RCCE_COMM_WORLD); }

static void copies(int me, int ues) {
  const int next = (me + 1) % ues, before = (me + ues - 1) % ues;
  static const int lengths[] = {0, 1, 31, 32, 33, 100, 1000};
  t_vcharp room;
  unsigned i;
#if ROCKCREEK_IRCCE >= 20
  const size_t chunk = RCCE_chunk;
  CHECK(iRCCE_malloc(33) == NULL && iRCCE_malloc(chunk + 32) == NULL, "no such memory");
  CHECK(iRCCE_malloc(0) == RCCE_buff_ptr, "no bytes");
  room = iRCCE_malloc(1024);
  CHECK(room != NULL && RCCE_buff_ptr == room + 1024 && RCCE_chunk == chunk - 1024, "1024 bytes");
#else
  room = RCCE_buff_ptr;
#endif
  for (i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    const int length = lengths[i];
    memset(in, POISON, sizeof in);
    fill_pattern(out, me, length);
    CHECK_INT(iRCCE_put(room + 3, out, length, next), 0);
    barrier();
    CHECK_INT(iRCCE_get(in, room + 3, length, me), 0);
    CHECK(find_fault(in, before, length) < 0, "put of %d bytes", length);
    CHECK(find_unpoisoned(in + length, 100) < 0, "behind a get of %d bytes", length);
    CHECK_INT(iRCCE_get(in, room + 3, length, next), 0);
    CHECK(find_fault(in, me, length) < 0, "get of %d bytes from the next one", length);
    barrier();
    CHECK(iRCCE_memcpy_put((void*)(room + 5), out, length) == room + 5, "result of memcpy");
    memset(in, POISON, sizeof in);
    CHECK(iRCCE_memcpy_get(in, (void*)(room + 5), length) == in, "result of memcpy");
    CHECK(find_fault(in, me, length) < 0, "memcpy of %d bytes", length);
    barrier();
  }
}

#if ROCKCREEK_IRCCE >= 20
static void flags(int me, int ues) {
  const int next = (me + 1) % ues, before = (me + ues - 1) % ues;
  RCCE_FLAG flag;
  RCCE_FLAG_STATUS value = 7;
  int test = 7;
#ifndef SINGLEBITFLAGS
  char tag[40] = "from nobody", got[40];
  size_t chunk = RCCE_chunk;
  CHECK_INT(iRCCE_get_max_tagged_len(), 28);
  CHECK_INT((int)iRCCE_MAX_TAGGED_LEN, 28);
  CHECK_INT(iRCCE_flag_alloc_tagged(&flag), 0);
  CHECK_INT((int)(chunk - RCCE_chunk), 32);
  CHECK_INT(iRCCE_flag_write(&flag, 0, me), 0);
  barrier();
  CHECK_INT(iRCCE_test_tagged(flag, 12345678, &test, NULL, 0), 0);
  CHECK_INT(test, 0);
  barrier();
  sprintf(tag, "from rank %d, 28 bytes of text", me);
  CHECK_INT(iRCCE_flag_write_tagged(&flag, 12345678, next, tag, 28), 0);
  CHECK_INT(iRCCE_flag_write_tagged(&flag, 5, next, tag, 29), RCCE_ERROR_MESSAGE_LENGTH);
  CHECK_INT(iRCCE_flag_write_tagged(&flag, 5, next, NULL, 4), RCCE_ERROR_VAL_UNDEFINED);
  memset(got, '?', sizeof got);
  CHECK_INT(iRCCE_wait_tagged(flag, 12345678, got, 1000), RCCE_ERROR_MESSAGE_LENGTH);
  CHECK_INT(iRCCE_wait_tagged(flag, 12345678, got, 28), 0);
  sprintf(tag, "from rank %d, 28 bytes of text", before);
  CHECK(memcmp(got, tag, 28) == 0 && got[28] == '?', "tag '%.28s'", got);
  memset(got, '?', sizeof got);
  CHECK_INT(iRCCE_test_tagged(flag, 12345678, &test, got, -1), RCCE_ERROR_MESSAGE_LENGTH);
  CHECK_INT(iRCCE_test_tagged(flag, 12345678, &test, got, 5), 0);
  CHECK_INT(test, 1);
  CHECK(memcmp(got, "from ?", 6) == 0, "tag of 5 bytes '%.6s'", got);
  CHECK_INT(iRCCE_flag_read_tagged(flag, &value, next, got, -1), RCCE_ERROR_MESSAGE_LENGTH);
  CHECK_INT(iRCCE_flag_read_tagged(flag, &value, next, got, 28), 0);
  CHECK_INT(value, 12345678);
  sprintf(tag, "from rank %d,", me);
  CHECK(memcmp(got, tag, strlen(tag)) == 0 && got[28] == '?', "tag of the next one '%.28s'", got);
  barrier();
  CHECK_INT(iRCCE_flag_write(&flag, -3, next), 0);
  CHECK_INT(iRCCE_wait_until(flag, -3), 0);
  CHECK_INT(iRCCE_flag_read(flag, &value, me), 0);
  CHECK_INT(value, -3);
  barrier();
  CHECK_INT(iRCCE_flag_write(&flag, 0, me), 0);
  memset(got, '?', sizeof got);
  CHECK_INT(iRCCE_flag_read_tagged(flag, &value, me, got, 28), 0);
  CHECK(value == 0 && got[0] == '?', "the tag of a flag that is 0");
#endif
  barrier();
  CHECK_INT(iRCCE_flag_alloc(&flag), 0);
  CHECK_INT(iRCCE_flag_write(&flag, 0, me), 0);
  barrier();
  CHECK_INT(iRCCE_flag_write(&flag, 1, next), 0);
  CHECK_INT(iRCCE_wait_until(flag, 1), 0);
  CHECK_INT(iRCCE_flag_read(flag, &value, me), 0);
  CHECK_INT(value, 1);
  CHECK_INT(iRCCE_test_flag(RCCE_sent_flag[before], 0, &test), 0);
  CHECK_INT(test, 1);
  (void)before;
  barrier();
}

static void multicast(int me, int ues) {
  static const int lengths[] = {0, 1, 31, 32, 33, 4096, 8031, 8032, 8033, 20000};
  int root, i;
  for (i = 0; i < (int)(sizeof lengths / sizeof *lengths); ++i)
    for (root = 0; root < ues; root += ues > 5 ? ues - 1 : 1) {
      const int length = lengths[i];
      memset(in, POISON, sizeof in);
      if (me == root) fill_pattern(in, root, length);
      if (i % 2) {
        CHECK_INT(iRCCE_mcast((char*)in, length, root), iRCCE_SUCCESS);
      } else {
        CHECK_INT(iRCCE_bcast((char*)in, length, root, RCCE_COMM_WORLD), iRCCE_SUCCESS);
      }
      CHECK(find_fault(in, root, length) < 0, "multicast of %d bytes from %d", length, root);
      CHECK(find_unpoisoned(in + length, sizeof in - length) < 0, "behind a multicast of %d bytes", length);
    }
  memset(in, POISON, sizeof in);
  fill_pattern(out, 0, 100);
  if (me == 0) {
    CHECK_INT(iRCCE_msend((char*)out, 100), iRCCE_SUCCESS);
  } else {
    CHECK_INT(iRCCE_mrecv((char*)in, 100, iRCCE_ANY_SOURCE), iRCCE_SUCCESS);
    CHECK(find_fault(in, 0, 100) < 0, "multicast from any source");
    CHECK_INT(iRCCE_get_source(NULL), 0);
  }
  CHECK_INT(iRCCE_mcast((char*)in, 100, ues), RCCE_ERROR_ID);
}

static int odd(int rank, void* nothing) {
  (void)nothing;
  return rank % 2;
}

static void parts(int me) {
  RCCE_COMM half;
  int rank, i;
  RCCE_comm_split(odd, NULL, &half);
  RCCE_comm_rank(half, &rank);
  for (i = 0; i < 3; ++i) CHECK_INT(iRCCE_barrier(&half), iRCCE_SUCCESS);
  memset(in, POISON, sizeof in);
  if (rank == 0) fill_pattern(in, me, 9000);
  CHECK_INT(iRCCE_bcast((char*)in, 9000, 0, half), iRCCE_SUCCESS);
  CHECK(find_fault(in, me % 2, 9000) < 0, "broadcast in a part");
}
#endif

static void meet(int ues) {
#if ROCKCREEK_IRCCE >= 20
  int round;
  for (round = 0; round < 5; ++round) {
    double arrived, left;
    char times[sizeof(double)];
    int i;
    rcce_compute(1000 * (RCCE_ue() * 7 % 5));
    arrived = RCCE_wtime();
    CHECK_INT(iRCCE_barrier(round % 2 ? &RCCE_COMM_WORLD : NULL), iRCCE_SUCCESS);
    left = RCCE_wtime();
    memcpy(times, &arrived, sizeof times);
    for (i = 0; i < ues; ++i) {
      double other = arrived;
      RCCE_bcast((char*)&other, sizeof other, i, RCCE_COMM_WORLD);
      CHECK(other <= left, "rank %d came to the barrier after this one had left", i);
    }
  }
#endif
  (void)ues;
}

#if ROCKCREEK_IRCCE >= 20 && defined(AIR)
static void counters(int me, int ues) {
  iRCCE_AIR *first, *second, *more = NULL;
  int value = 7, i, taken = 4;
  CHECK_INT(iRCCE_atomic_alloc(&first), iRCCE_SUCCESS);
  CHECK_INT(iRCCE_atomic_alloc(&second), iRCCE_SUCCESS);
  CHECK(first != second, "two counters");
  CHECK_INT(iRCCE_atomic_alloc_counter, taken);
  barrier();
  for (i = 0; i < 10; ++i) CHECK_INT(iRCCE_atomic_inc(first, i % 2 ? &value : NULL), iRCCE_SUCCESS);
  CHECK(value >= 9 && value < 10 * ues, "a value before the last increment: %d", value);
  barrier();
  iRCCE_atomic_read(first, &value);
  CHECK_INT(value, 10 * ues);
  iRCCE_atomic_read(first, &value);
  CHECK_INT(value, 10 * ues);
  iRCCE_atomic_read(second, &value);
  CHECK_INT(value, 0);
  barrier();
  if (me == ues - 1) iRCCE_atomic_write(second, 55);
  barrier();
  iRCCE_atomic_read(second, &value);
  CHECK_INT(value, 55);
  while (taken < 2 * ues) {
    CHECK_INT(iRCCE_atomic_alloc(&more), iRCCE_SUCCESS);
    ++taken;
  }
  CHECK_INT(iRCCE_atomic_alloc(&more), iRCCE_ERROR);
  barrier();
}
#endif

int RCCE_APP(int argc, char** argv) {
  int me, ues;
  RCCE_init(&argc, &argv);
  CHECK_INT(iRCCE_init(), iRCCE_SUCCESS);
  me = RCCE_ue();
  ues = RCCE_num_ues();
  copies(me, ues);
  meet(ues);
#if ROCKCREEK_IRCCE >= 20
  flags(me, ues);
  multicast(me, ues);
  parts(me);
#ifdef AIR
  if (ues >= 2) counters(me, ues);
#endif
#endif
  barrier();
  RCCE_finalize();
  return check_end();
}
