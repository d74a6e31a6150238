/* RCCE_malloc, RCCE_malloc_request, RCCE_free of the gory interface: the placement rule by its published
 * examples. */
#include "RCCE_lib.h"

#include "ue_check.h"

static t_vcharp managed;

static long offset_of(t_vcharp at) {
  return at == NULL ? -1 : (long)(at - managed);
}

int RCCE_APP(int argc, char** argv) {
  t_vcharp a, b, c, d;
  size_t chunk;
  RCCE_init(&argc, &argv);
  managed = RCCE_comm_buffer[RCCE_ue()];

  /* The first line holds the world barrier's flags; 8128 bytes are left. */
  CHECK(RCCE_malloc(8160) == NULL, "larger than what is left");
  CHECK(RCCE_malloc(0) == NULL, "size 0");
  CHECK(RCCE_malloc(31) == NULL, "not a multiple of 32");
  CHECK(RCCE_malloc(33) == NULL, "not a multiple of 32");
  a = RCCE_malloc(8128);
  CHECK_INT(offset_of(a), 32);
  CHECK(RCCE_malloc(32) == NULL, "full");
  chunk = 5;
  CHECK(RCCE_malloc_request(32, &chunk) == NULL, "full");
  CHECK_INT(chunk, 0);
  RCCE_free(a);

  a = RCCE_malloc(32);
  b = RCCE_malloc(64);
  CHECK_INT(offset_of(a), 32);
  CHECK_INT(offset_of(b), 64);
  RCCE_free(a);
  c = RCCE_malloc(128);
  CHECK_INT(offset_of(c), 128); /* not into the freed block: the tail has room */
  RCCE_free(NULL);
  RCCE_free(c + 32);
  d = RCCE_malloc(8160 - 256);
  CHECK_INT(offset_of(d), 256);
  a = RCCE_malloc(32);
  CHECK_INT(offset_of(a), 32); /* now that the tail is exhausted */
  CHECK(RCCE_malloc(32) == NULL, "full again");

  /* Neighbours merge; a larger block is split from its start. */
  RCCE_free(a);
  RCCE_free(b);
  RCCE_free(b);
  CHECK_INT(offset_of(RCCE_malloc(96)), 32);
  RCCE_free(managed + 32);
  CHECK_INT(offset_of(RCCE_malloc(32)), 32);
  CHECK_INT(offset_of(RCCE_malloc(64)), 64);
  /* Next to the tail: becomes part of it. */
  RCCE_free(d);
  RCCE_free(c);
  CHECK_INT(offset_of(RCCE_malloc(8160 - 128)), 128);
  RCCE_free(managed + 128);
  RCCE_free(managed + 64);
  RCCE_free(managed + 32);

  CHECK_INT(offset_of(RCCE_malloc_request(100000, &chunk)), 32);
  CHECK_INT(chunk, 6272);
  CHECK_INT(offset_of(RCCE_malloc_request(1, &chunk)), 32 + 6272);
  CHECK_INT(chunk, 32);
  chunk = 9;
  CHECK(RCCE_malloc_request(0, &chunk) == NULL, "size 0");
  CHECK_INT(chunk, 0);
  return check_end();
}
