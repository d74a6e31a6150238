/* Chunk size of the simplified API for every number of UEs, positions of the flags, and how further
 * communicators and flags shrink the chunk. Non-gory, all flag modes, with and without power. */
#include "RCCE_lib.h"

#include "ue_check.h"

#if defined(SINGLEBITFLAGS)
enum { per_line = 256 };
#else
enum { per_line = 32 };
#endif
#if defined(RC_POWER_MANAGEMENT)
enum { first = 6 };
#else
enum { first = 2 };
#endif

static void check_place(RCCE_FLAG* flag, int k, const char* what) {
  t_vcharp line = RCCE_comm_buffer[RCCE_IAM] + 32 * (k / per_line);
  int in_line = k % per_line;
  CHECK(flag->location == in_line, "%s: location %d, expected %d", what, flag->location, in_line);
  CHECK(flag->line_address == line, "%s: line at %ld", what,
        (long)(flag->line_address - RCCE_comm_buffer[RCCE_IAM]));
#if defined(SINGLEBITFLAGS)
  in_line /= 8;
#endif
  CHECK(flag->flag_addr == line + in_line, "%s: byte at %ld", what,
        (long)(flag->flag_addr - RCCE_comm_buffer[RCCE_IAM]));
}

/* Flags until the last line of the chunk: refused when the chunk is one line. `flags` are taken already, two
 * of them by the communicator `live`. */
static void use_up_all_flags(int flags, RCCE_COMM* live) {
  RCCE_COMM comm;
  RCCE_FLAG flag;
  while (RCCE_flag_alloc(&flag) == 0) {
    ++flags;
    if (flags > 70000) break;
  }
  CHECK_INT(RCCE_chunk, 32);
  CHECK_INT(flags, (8160 - 32) / 32 * per_line);
  CHECK_INT(RCCE_flag_alloc(&flag), RCCE_ERROR_FLAG_NOT_ALLOCATED);
  CHECK_INT(RCCE_flag_alloc(&flag), RCCE_ERROR_FLAG_NOT_ALLOCATED);
  CHECK_INT(RCCE_comm_split(same_color, NULL, live), 0); /* keeps the flags it has */
  memset(&comm, 0, sizeof comm);
  CHECK_INT(RCCE_comm_split(same_color, NULL, &comm), RCCE_ERROR_FLAG_NOT_ALLOCATED);
}

int RCCE_APP(int argc, char** argv) {
  int ues, n, flags;
  long chunk;
  RCCE_COMM comm;
  RCCE_init(&argc, &argv);
  ues = RCCE_num_ues();

  flags = first + 2 * ues;
  chunk = 8160 - 32 * ((flags + per_line - 1) / per_line);
  CHECK_INT(RCCE_chunk, chunk);
  CHECK_INT(RCCE_buff_ptr - RCCE_comm_buffer[RCCE_IAM], 8160 - chunk);
  CHECK_INT(RCCE_flags_start - RCCE_comm_buffer[RCCE_IAM], 8160 - chunk);

  check_place(&RCCE_COMM_WORLD.gather, 0, "gather of world");
  check_place(&RCCE_COMM_WORLD.release, 1, "release of world");
  for (n = 0; n < ues; ++n) {
    check_place(&RCCE_sent_flag[n], first + 2 * n, "sent");
    check_place(&RCCE_ready_flag[n], first + 2 * n + 1, "ready");
  }

  /* Two flags for every communicator, for ever. */
  for (n = 0; n < 20; ++n) {
    memset(&comm, 0, sizeof comm);
    CHECK_INT(RCCE_comm_split(same_color, NULL, &comm), 0);
    check_place(&comm.gather, flags++, "gather");
    check_place(&comm.release, flags++, "release");
    CHECK_INT(RCCE_chunk, 8160 - 32 * ((flags + per_line - 1) / per_line));
    RCCE_barrier(&comm);
  }

  /* Messages still work with the smaller chunk. */
  if (ues > 1) {
    static unsigned char buffer[9000];
    if (RCCE_ue() == 0) {
      fill_pattern(buffer, 0, sizeof buffer);
      RCCE_send((char*)buffer, sizeof buffer, ues - 1);
    } else if (RCCE_ue() == ues - 1) {
      RCCE_recv((char*)buffer, sizeof buffer, 0);
      CHECK(find_fault(buffer, 0, sizeof buffer) < 0, "chunk %lu", (unsigned long)RCCE_chunk);
    }
  }
  RCCE_barrier(&RCCE_COMM_WORLD);

  if (argc == 1) use_up_all_flags(flags, &comm);
  RCCE_barrier(&RCCE_COMM_WORLD);
  return check_end();
}
