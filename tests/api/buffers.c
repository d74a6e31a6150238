/* Message-passing buffers of the size that the program is compiled for: the chunk grows with them, so that
 * larger messages pass in fewer segments, and every byte arrives. */
#include "RCCE_lib.h"

#include "ue_check.h"

int RCCE_APP(int argc, char** argv) {
  static unsigned char data[3 * RCCE_BUFF_SIZE_MAX];
  int me, i, faults = 0;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  /* All but the lines of the flags. */
  CHECK(RCCE_chunk > RCCE_BUFF_SIZE_MAX - 512 && RCCE_chunk < RCCE_BUFF_SIZE_MAX, "chunk %lu of %d bytes",
        (unsigned long)RCCE_chunk, RCCE_BUFF_SIZE_MAX);
  if (me == 0) {
    for (i = 0; i < (int)sizeof data; ++i) data[i] = (unsigned char)(i * 7 + i / 256);
    RCCE_send((char*)data, sizeof data, 1);
  } else {
    RCCE_recv((char*)data, sizeof data, 0);
    for (i = 0; i < (int)sizeof data; ++i) faults += data[i] != (unsigned char)(i * 7 + i / 256);
    CHECK_INT(faults, 0);
  }
  return check_end();
}
