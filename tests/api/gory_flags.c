/* Flags of the gory interface: positions, capacity, freeing, write, read, wait, error codes and what is
 * printed for them. */
#include "RCCE_lib.h"

#include "ue_check.h"

#if defined(SINGLEBITFLAGS)
enum { per_line = 256, capacity = 65278 };
#else
enum { per_line = 32, capacity = 8158 };
#endif

static RCCE_FLAG flags[66000];

static void check_values(void) {
  RCCE_FLAG flag;
  RCCE_FLAG_STATUS value;
  int ues = RCCE_num_ues(), me = RCCE_ue(), rank;
  CHECK_INT(RCCE_flag_alloc(&flag), 0);
  CHECK_INT(flag.location, 2);
  CHECK(flag.line_address == RCCE_comm_buffer[me], "line");
  CHECK_INT(RCCE_flag_write(&flag, RCCE_FLAG_UNSET, me), 0);
  RCCE_barrier(&RCCE_COMM_WORLD);

  /* Everybody sets the flag of the next one, reads it there, waits for its own and unsets it. */
  rank = (me + 1) % ues;
  CHECK_INT(RCCE_flag_write(&flag, RCCE_FLAG_SET, rank), 0);
  CHECK_INT(RCCE_wait_until(flag, RCCE_FLAG_SET), 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  value = 55;
  CHECK_INT(RCCE_flag_read(flag, &value, rank), 0);
  CHECK_INT(value, 1);
  CHECK_INT(RCCE_probe(flag), 1);
#if defined(SINGLEBITFLAGS)
  CHECK_INT(*flag.flag_addr & 4, 4); /* bit k from the least significant one */
#else
  CHECK_INT(*flag.flag_addr, 1);
#endif
  RCCE_barrier(&RCCE_COMM_WORLD);
  CHECK_INT(RCCE_flag_write(&flag, RCCE_FLAG_UNSET, me), 0);
  CHECK_INT(RCCE_wait_until(flag, RCCE_FLAG_UNSET), 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  CHECK_INT(RCCE_flag_read(flag, &value, rank), 0);
  CHECK_INT(value, 0);
  CHECK_INT(RCCE_probe(flag), 0);

  /* Error codes, in the order of the checks. */
  CHECK_INT(RCCE_flag_write(NULL, 2, -1), RCCE_ERROR_FLAG_UNDEFINED);
  CHECK_INT(RCCE_flag_write(&flag, 2, -1), RCCE_ERROR_FLAG_STATUS_UNDEFINED);
  CHECK_INT(RCCE_flag_write(&flag, -1, 0), RCCE_ERROR_FLAG_STATUS_UNDEFINED);
  CHECK_INT(RCCE_flag_write(&flag, 1, -1), RCCE_ERROR_ID);
  CHECK_INT(RCCE_flag_write(&flag, 1, ues), RCCE_ERROR_ID);
  CHECK_INT(RCCE_flag_read(flag, NULL, -1), RCCE_ERROR_VAL_UNDEFINED);
  CHECK_INT(RCCE_flag_read(flag, &value, ues), RCCE_ERROR_ID);
  CHECK_INT(RCCE_wait_until(flag, 2), RCCE_ERROR_FLAG_STATUS_UNDEFINED);

  CHECK_INT(RCCE_flag_free(NULL), RCCE_ERROR_FLAG_UNDEFINED);
  CHECK_INT(RCCE_flag_free(&flag), 0);
  CHECK_INT(flag.location, -1);
  CHECK(flag.line_address == NULL, "line address after free");
  CHECK(flag.flag_addr != NULL, "flag address stays after free");
  CHECK_INT(RCCE_flag_free(&flag), RCCE_ERROR_FLAG_UNDEFINED);
  CHECK_INT(RCCE_flag_write(&flag, 1, me), RCCE_ERROR_FLAG_UNDEFINED);
  CHECK_INT(RCCE_flag_read(flag, &value, me), RCCE_ERROR_FLAG_UNDEFINED);
  CHECK_INT(RCCE_wait_until(flag, 1), RCCE_ERROR_FLAG_NOT_ALLOCATED);
  flag.location = 3;
  flag.line_address = flag.flag_addr = (t_vcharp)&flag;
  CHECK_INT(RCCE_wait_until(flag, 1), RCCE_ERROR_FLAG_NOT_IN_COMM_BUFFER);
  flag.location = per_line + 1;
  CHECK_INT(RCCE_flag_write(&flag, 1, me), RCCE_ERROR_FLAG_UNDEFINED);
}

static void check_capacity(void) {
  t_vcharp managed = RCCE_comm_buffer[RCCE_ue()];
  RCCE_FLAG extra, other;
  int n = 0, k;
  while (n < capacity + 100 && RCCE_flag_alloc(&flags[n]) == 0) ++n;
  CHECK_INT(n, capacity);
  for (n = 0; n < capacity; ++n) {
    k = n + 2;
    if (flags[n].location != k % per_line || flags[n].line_address != managed + 32 * (k / per_line)) {
      CHECK(0, "flag %d: location %d, line %ld", n, flags[n].location,
            (long)(flags[n].line_address - managed));
      break;
    }
  }
  CHECK_INT(RCCE_flag_alloc(&extra), RCCE_ERROR_FLAG_NOT_ALLOCATED);
  CHECK_INT(RCCE_flag_alloc(&extra), RCCE_ERROR_FLAG_NOT_ALLOCATED);
  CHECK(RCCE_malloc(32) == NULL, "flags took everything");

  /* A freed position is given out again, lowest of the first line with room. */
  CHECK_INT(RCCE_flag_free(&flags[100]), 0);
  CHECK_INT(RCCE_flag_free(&flags[3]), 0);
  CHECK_INT(RCCE_flag_alloc(&extra), 0);
  CHECK_INT(extra.location, 5);
  CHECK_INT(RCCE_flag_alloc(&other), 0);
  CHECK_INT(other.location, 102 % per_line);
  CHECK_INT(RCCE_flag_alloc(&flags[3]), RCCE_ERROR_FLAG_NOT_ALLOCATED);

  /* An emptied line goes back to the allocator and serves as memory, then as a line again. */
  for (n = 2 * per_line - 2; n < 3 * per_line - 2; ++n) CHECK_INT(RCCE_flag_free(&flags[n]), 0);
  CHECK_INT(RCCE_malloc(32) - managed, 64);
  CHECK_INT(RCCE_flag_alloc(&extra), RCCE_ERROR_FLAG_NOT_ALLOCATED);
  RCCE_free(managed + 64);
  CHECK_INT(RCCE_flag_alloc(&extra), 0);
  CHECK_INT(extra.line_address - managed, 64);
  CHECK_INT(extra.location, 0);
}

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  check_values();
  check_capacity();
  return check_finalize();
}
