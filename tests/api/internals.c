/* RCCE_lib.h in a non-gory program: unchecked low-level calls, one-line allocation, sorting, probing, names
 * without a header. */
#include "RCCE_lib.h"

#include "ue_check.h"

extern int MYCOREID();
extern int RCCE_DCMflush();
extern int RC_COMM_BUFFER_SIZE();
extern t_vcharp RC_SHM_BUFFER_START();
extern int RCCE_write_byte_value(t_vcharp, RCCE_FLAG_STATUS);

static int by_value(const void* a, const void* b) {
  return *(const int*)a - *(const int*)b;
}

static int same(int rank, void* aux) {
  (void)rank;
  (void)aux;
  return 3;
}

int RCCE_APP(int argc, char** argv) {
  int numbers[6] = {5, -1, 9, 0, 5, 2}, n, ues, me, next, previous;
  unsigned long chunk;
  size_t got;
  t_vcharp line, base;
  unsigned char bytes[100];
  RCCE_FLAG flag;
  RCCE_FLAG_STATUS value;
  RCCE_init(&argc, &argv);
  ues = RCCE_num_ues();
  me = RCCE_ue();
  next = (me + 1) % ues;
  previous = (me + ues - 1) % ues;

  RCCE_qsort((char*)numbers, 6, sizeof(int), by_value);
  for (n = 1; n < 6; ++n) CHECK(numbers[n - 1] <= numbers[n], "sorted place %d", n);
  n = 4;
  CHECK(id_compare(&numbers[0], &n) < 0 && id_compare(&n, &numbers[0]) > 0 && id_compare(&n, &n) == 0,
        "id_compare");
  CHECK_INT(RCCE_global_color(me, NULL), 1);
  CHECK_INT(RCCE_error_return(0, RCCE_ERROR_ID), RCCE_ERROR_ID);
  CHECK_INT(RCCE_error_return(1, 0), 0);
  CHECK_INT(RC_COMM_BUFFER_SIZE(), 8192 * 48);
  CHECK_INT(RCCE_DCMflush(), 0);
  base = RCCE_shmalloc(1);
  CHECK(base == RC_SHM_BUFFER_START(), "first shared allocation is the start of the region");

  /* RCCE_malloc succeeds for exactly one line and takes it from the chunk. */
  chunk = RCCE_chunk;
  CHECK(RCCE_malloc(64) == NULL && RCCE_malloc(0) == NULL && RCCE_malloc(31) == NULL, "other sizes");
  CHECK_INT(RCCE_chunk, chunk);
  line = RCCE_malloc(32);
  CHECK_INT(RCCE_chunk, chunk - 32);
  CHECK_INT(line - RCCE_comm_buffer[me], 8160 - chunk);
  CHECK_INT(RCCE_buff_ptr - line, 32);
  CHECK(RCCE_malloc_request(5000, &got) != NULL && got == 32, "request gives one line, %lu bytes",
        (unsigned long)got);
  CHECK_INT(RCCE_chunk, chunk - 64);

  /* put and get like memcpy: any length, any alignment, through the line everybody has. */
  RCCE_barrier(&RCCE_COMM_WORLD);
  for (n = 0; n < 13; ++n) bytes[n] = pattern(me, 13, (unsigned long)n);
  CHECK_INT(RCCE_put(line + 5, bytes, 13, next), 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  memset(bytes, POISON, sizeof bytes);
  CHECK_INT(RCCE_get(bytes + 1, line + 5, 13, me), 0);
  CHECK(find_fault(bytes + 1, previous, 13) < 0, "13 bytes at an odd place");
  CHECK(bytes[0] == POISON && bytes[14] == POISON, "bytes around");
  RCCE_barrier(&RCCE_COMM_WORLD);

  CHECK_INT(RCCE_flag_alloc(&flag), 0);
  CHECK_INT(RCCE_flag_write(&flag, 0, me), 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  CHECK_INT(RCCE_probe(flag), 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
#if defined(SINGLEBITFLAGS)
  /* A value other than 0 and 1 leaves the bit as it is. */
  CHECK_INT(RCCE_flag_write(&flag, 1, next), 0);
  CHECK_INT(RCCE_flag_write(&flag, 200, next), 0);
  CHECK_INT(RCCE_wait_until(flag, 1), 0);
  CHECK_INT(RCCE_flag_read(flag, &value, me), 0);
  CHECK_INT(value, 1);
#else
  /* Any byte can be stored and waited for. */
  CHECK_INT(RCCE_flag_write(&flag, 200 + 256, next), 0);
  CHECK_INT(RCCE_wait_until(flag, 200), 0);
  CHECK_INT(RCCE_flag_read(flag, &value, next), 0);
  CHECK(value == 200 || ues > 1, "value %d", value);
  CHECK_INT(RCCE_write_byte_value(flag.flag_addr, 1), 0);
#endif
  RCCE_barrier(&RCCE_COMM_WORLD);
  CHECK_INT(RCCE_probe(flag), 1);

  /* The MPB is plain memory to look at, for every rank. */
  for (n = 0; n < ues; ++n) {
    t_vcharp other = RCCE_comm_buffer[n] + (flag.flag_addr - RCCE_comm_buffer[me]);
    RC_cache_invalidate();
    CHECK(*other != 0, "flag byte of rank %d", n);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);

  /* The world barrier lives in its flags: members' gather flags agree between two barriers. */
  {
    RCCE_FLAG_STATUS mine, theirs;
    CHECK_INT(RCCE_flag_read(RCCE_COMM_WORLD.gather, &mine, me), 0);
    CHECK_INT(RCCE_flag_read(RCCE_COMM_WORLD.release, &theirs, me), 0);
    if (me != 0) CHECK_INT(mine, theirs);
  }

  /* A line of flags that covers old message bytes starts unset in a split. */
  if (ues > 1) {
    static unsigned char ones[8160];
    RCCE_COMM comm;
    memset(ones, 1, sizeof ones);
    if (me == 0)
      for (n = 1; n < ues; ++n) RCCE_recv((char*)ones, sizeof ones, n);
    else
      RCCE_send((char*)ones, sizeof ones, 0);
    for (n = 0; n < 40; ++n) {
      volatile int* board = (volatile int*)RCCE_shmalloc(4);
      memset(&comm, 0, sizeof comm);
      CHECK_INT(RCCE_comm_split(same, NULL, &comm), 0);
      if (me == ues - 1) *board = 1;
      RCCE_barrier(&comm);
      CHECK(*board == 1, "the first barrier of communicator %d was passed early", n);
    }
  }
  return check_finalize();
}
