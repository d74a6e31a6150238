/* RCCE_put, RCCE_get, RCCE_put_char, RCCE_get_char of the gory interface: every error in its order, data at
 * every kind of place, own and other MPB, private memory at odd addresses, shared memory. */
#include "RCCE_lib.h"

#include "ue_check.h"

static unsigned char memory[9000];
#define PRIVATE(n) ((t_vcharp)(memory + (n)))

static void check_errors(t_vcharp buffer) {
  int ues = RCCE_num_ues(), me = RCCE_ue();
  t_vcharp managed = RCCE_comm_buffer[me];
  CHECK_INT(RCCE_put(NULL, NULL, 1, -1), RCCE_ERROR_TARGET);
  CHECK_INT(RCCE_put(buffer, NULL, 1, -1), RCCE_ERROR_SOURCE);
  CHECK_INT(RCCE_put(buffer, PRIVATE(0), 1, -1), RCCE_ERROR_ID);
  CHECK_INT(RCCE_put(buffer, PRIVATE(0), 1, ues), RCCE_ERROR_ID);
  CHECK_INT(RCCE_put(PRIVATE(0), PRIVATE(0), 1, me), RCCE_ERROR_MESSAGE_LENGTH);
  CHECK_INT(RCCE_put(PRIVATE(0), PRIVATE(0), -32, me), RCCE_ERROR_MESSAGE_LENGTH);
  CHECK_INT(RCCE_put(PRIVATE(0), PRIVATE(64), 32, me), RCCE_ERROR_TARGET);
  CHECK_INT(RCCE_put(managed + RCCE_BUFF_SIZE - 32, PRIVATE(0), 64, me), RCCE_ERROR_TARGET);
  CHECK_INT(RCCE_put(buffer + 1, PRIVATE(0), 32, me), RCCE_ERROR_ALIGNMENT);
  CHECK_INT(RCCE_put(buffer, buffer + 33, 32, me), RCCE_ERROR_ALIGNMENT);
  CHECK_INT(RCCE_get(NULL, NULL, 1, -1), RCCE_ERROR_TARGET);
  CHECK_INT(RCCE_get(PRIVATE(0), NULL, 1, -1), RCCE_ERROR_SOURCE);
  CHECK_INT(RCCE_get(PRIVATE(0), buffer, 1, -1), RCCE_ERROR_ID);
  CHECK_INT(RCCE_get(PRIVATE(0), buffer, 1, ues), RCCE_ERROR_ID);
  CHECK_INT(RCCE_get(PRIVATE(0), PRIVATE(0), 33, me), RCCE_ERROR_MESSAGE_LENGTH);
  CHECK_INT(RCCE_get(PRIVATE(0), PRIVATE(64), 32, me), RCCE_ERROR_SOURCE);
  CHECK_INT(RCCE_get(PRIVATE(0), PRIVATE(0), 32, me), RCCE_ERROR_SOURCE);
  CHECK_INT(RCCE_get(PRIVATE(0), managed + RCCE_BUFF_SIZE - 32, 64, me), RCCE_ERROR_SOURCE);
  CHECK_INT(RCCE_get(PRIVATE(0), buffer + 1, 32, me), RCCE_ERROR_ALIGNMENT);
  CHECK_INT(RCCE_get(buffer + 1, buffer + 64, 32, me), RCCE_ERROR_ALIGNMENT);
  CHECK_INT(RCCE_put(buffer, PRIVATE(1), 0, me), 0);
  CHECK_INT(RCCE_get(PRIVATE(1), buffer, 0, me), 0);
#if !defined(GENERATION_1_0)
  CHECK_INT(RCCE_put_char(NULL, NULL, -1), RCCE_ERROR_TARGET);
  CHECK_INT(RCCE_put_char(buffer, NULL, -1), RCCE_ERROR_SOURCE);
  CHECK_INT(RCCE_put_char(buffer, PRIVATE(0), ues), RCCE_ERROR_ID);
  CHECK_INT(RCCE_put_char(PRIVATE(0), PRIVATE(1), me), RCCE_ERROR_TARGET);
  CHECK_INT(RCCE_put_char(buffer, buffer, me), RCCE_ERROR_DATA_OVERLAP);
  CHECK_INT(RCCE_get_char(NULL, NULL, -1), RCCE_ERROR_TARGET);
  CHECK_INT(RCCE_get_char(PRIVATE(0), NULL, -1), RCCE_ERROR_SOURCE);
  CHECK_INT(RCCE_get_char(PRIVATE(0), buffer, -1), RCCE_ERROR_ID);
  CHECK_INT(RCCE_get_char(PRIVATE(0), PRIVATE(1), me), RCCE_ERROR_SOURCE);
  CHECK_INT(RCCE_get_char(buffer, buffer, me), RCCE_ERROR_DATA_OVERLAP);
#endif
}

static void check_data(t_vcharp buffer, int bytes) {
  int ues = RCCE_num_ues(), me = RCCE_ue(), next = (me + 1) % ues, previous = (me + ues - 1) % ues;
  unsigned char byte;
  t_vcharp shared;
  long fault;
  int n;

  /* From an odd private address to the next UE, fetched back from there and looked at directly here. */
  fill_pattern(memory + 3, me, (unsigned long)bytes);
  CHECK_INT(RCCE_put(buffer, PRIVATE(3), bytes, next), 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  RC_cache_invalidate();
  fault = find_fault((unsigned char*)buffer, previous, (unsigned long)bytes);
  CHECK(fault < 0, "byte %ld of what rank %d put", fault, previous);
  memset(memory, POISON, sizeof memory);
  CHECK_INT(RCCE_get(PRIVATE(5), buffer, bytes, next), 0);
  fault = find_fault(memory + 5, me, (unsigned long)bytes);
  CHECK(fault < 0, "byte %ld fetched back from rank %d", fault, next);
  CHECK(find_unpoisoned(memory, 5) < 0 && find_unpoisoned(memory + 5 + bytes, 100) < 0, "bytes around");
  RCCE_barrier(&RCCE_COMM_WORLD);

  /* MPB to MPB: from the next one's into the own, half a buffer further. */
  fill_pattern(memory, me, 64);
  CHECK_INT(RCCE_put(buffer, PRIVATE(0), 64, me), 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  CHECK_INT(RCCE_get(buffer + 128, buffer, 64, next), 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  CHECK_INT(RCCE_get(PRIVATE(0), buffer + 128, 64, me), 0);
  CHECK(find_fault(memory, next, 64) < 0, "own buffer after a get into it");
  CHECK_INT(RCCE_put(buffer + 192, buffer + 128, 64, previous), 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  CHECK_INT(RCCE_get(PRIVATE(0), buffer + 192, 64, me), 0);
  CHECK(find_fault(memory, (next + 1) % ues, 64) < 0, "what the next one passed on");
  RCCE_barrier(&RCCE_COMM_WORLD);

  /* Shared memory on the other side. */
  shared = RCCE_shmalloc(64 * RCCE_MAXNP) + 64 * me;
  for (n = 0; n < 64; ++n) shared[n] = pattern(me, 64, (unsigned long)n);
  CHECK_INT(RCCE_put(buffer, shared, 64, next), 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  CHECK_INT(RCCE_get(shared, buffer, 64, me), 0);
  CHECK(find_fault((unsigned char*)shared, previous, 64) < 0, "shared memory");
  RCCE_barrier(&RCCE_COMM_WORLD);

  /* Single bytes at any place. */
#if !defined(GENERATION_1_0)
  byte = (unsigned char)(100 + me);
  CHECK_INT(RCCE_put_char(buffer + 7, &byte, next), 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  byte = 0;
  CHECK_INT(RCCE_get_char(&byte, buffer + 7, me), 0);
  CHECK_INT(byte, 100 + previous);
  CHECK_INT(RCCE_get_char(&byte, buffer + 7, next), 0);
  CHECK_INT(byte, 100 + me);
  CHECK_INT(*(volatile int*)(RCCE_comm_buffer[me] - 32), 1); /* the dummy line, written behind put_char */
  /* The last byte of the buffer, too. */
  byte = (unsigned char)(50 + me);
  CHECK_INT(RCCE_put_char(RCCE_comm_buffer[me] + RCCE_BUFF_SIZE - 1, &byte, me), 0);
  byte = 0;
  CHECK_INT(RCCE_get_char(&byte, RCCE_comm_buffer[me] + RCCE_BUFF_SIZE - 1, me), 0);
  CHECK_INT(byte, 50 + me);
#else
  (void)byte;
#endif
  RCCE_barrier(&RCCE_COMM_WORLD);
}

int RCCE_APP(int argc, char** argv) {
  t_vcharp buffer;
  RCCE_init(&argc, &argv);
  buffer = RCCE_malloc(8096);
  CHECK(buffer != NULL, "no buffer");
  check_errors(buffer);
  RCCE_barrier(&RCCE_COMM_WORLD);
  check_data(buffer, 32);
  check_data(buffer, 8096);
  RCCE_finalize();
  return check_end();
}
