/* A gory program with its own put and get on top of the library's memcpy source, plain loads and stores
 * through MPB pointers of other ranks and the write-combine trick. */
#include "RCCE_lib.h"

#include "RCCE_memcpy.c"
#include "ue_check.h"

int RCCE_APP(int argc, char** argv) {
  t_vcharp buffer;
  static unsigned char bytes[256];
  int me, ues, next, previous, n;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  ues = RCCE_num_ues();
  next = (me + 1) % ues;
  previous = (me + ues - 1) % ues;
  buffer = RCCE_malloc(256);
  fill_pattern(bytes, me, 256);
  memcpy_put((void*)(RCCE_comm_buffer[next] + (buffer - RCCE_comm_buffer[me])), bytes, 256);
  *(volatile int*)RCCE_fool_write_combine_buffer = 1;
  RCCE_barrier(&RCCE_COMM_WORLD);
  RC_cache_invalidate();
  memcpy_get(bytes, (void*)buffer, 256);
  CHECK(find_fault(bytes, previous, 256) < 0, "copied by hand");
  RCCE_barrier(&RCCE_COMM_WORLD);
  for (n = 0; n < ues; ++n) {
    volatile int* word = (volatile int*)(RCCE_comm_buffer[n] + (buffer - RCCE_comm_buffer[me]));
    word[me % 64] = me;
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  for (n = 0; n < ues; ++n) CHECK_INT(((volatile int*)buffer)[n % 64], n);
  RCCE_barrier(&RCCE_COMM_WORLD);
  return check_end();
}
