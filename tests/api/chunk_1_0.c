/* Chunk size and flag positions of generation 1.0 with bigflags: one line per flag, the managed space is the
 * whole MPB. */
#include "RCCE_lib.h"

#include "ue_check.h"

int RCCE_APP(int argc, char** argv) {
  RCCE_COMM comm;
  long chunk;
  int n, ues;
  RCCE_init(&argc, &argv);
  ues = RCCE_num_ues();
  chunk = 8192 - 32 * (2 + 2 * ues);
  CHECK_INT(RCCE_BUFF_SIZE, 8192);
  CHECK_INT(RCCE_chunk, chunk);
  CHECK(RCCE_comm_buffer[RCCE_IAM] == RC_COMM_BUFFER_START(RCCE_IAM), "managed space starts at byte 0");
  CHECK_INT((t_vcharp)RCCE_COMM_WORLD.gather - RCCE_comm_buffer[RCCE_IAM], 0);
  CHECK_INT((t_vcharp)RCCE_COMM_WORLD.release - RCCE_comm_buffer[RCCE_IAM], 32);
  for (n = 0; n < ues; ++n) {
    CHECK_INT((t_vcharp)RCCE_sent_flag[n] - RCCE_comm_buffer[RCCE_IAM], 64 + 64 * n);
    CHECK_INT((t_vcharp)RCCE_ready_flag[n] - RCCE_comm_buffer[RCCE_IAM], 96 + 64 * n);
  }
  for (n = 1; n < 5; ++n) {
    memset(&comm, 0, sizeof comm);
    CHECK_INT(RCCE_comm_split(same_color, NULL, &comm), 0);
    CHECK_INT(RCCE_chunk, chunk - 64 * n);
    RCCE_barrier(&comm);
  }
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
  return check_end();
}
