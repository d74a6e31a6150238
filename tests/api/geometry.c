/* Tiles, voltage domains and registers are those of the machine, whatever its mesh: coordinates, buffers, the
 * tiles whose clocks a domain's master sets. Compiled with -DNUM_COLS and its kin for the mesh it runs on. */
#include "RCCE.h"

#include "SCC_API.h"
#include "ue_check.h"

int get_divider(int tile);

static int domain_of(int tile) {
  return tile % NUM_COLS / 2 + (NUM_COLS + 1) / 2 * (tile / NUM_COLS / 2);
}

int RCCE_APP(int argc, char** argv) {
  int me, x, y, z, tile, divider;
  unsigned own;
  t_vcharp mpb;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  CHECK_INT(RCCE_num_ues(), NUM_COLS * NUM_ROWS * NUM_CORES);
  x = X_PID(me), y = Y_PID(me), z = Z_PID(me);
  CHECK_INT(PID(x, y, z), me);
  own = (unsigned)(y << 7 | x << 3 | z);
  CHECK_INT((unsigned)ReadConfigReg(CRB_OWN + MYTILEID), own);
  if (x + NUM_COLS * y < 24) CHECK_INT((unsigned)ReadConfigReg(CRB_ADDR(x, y) + MYTILEID), own);
  CHECK_INT(RCCE_power_domain(), domain_of(x + NUM_COLS * y));

  /* The own buffer is the one whose bytes others find at the own coordinates. */
  MPBalloc(&mpb, x, y, z, 1);
  CHECK(mpb != NULL, "own MPB at (%d, %d, %d)", x, y, z);
  mpb[8192 - 1] = (unsigned char)(100 + me);
  RCCE_shflush();
  RCCE_barrier(&RCCE_COMM_WORLD);
  for (y = 0; y < NUM_ROWS; ++y)
    for (x = 0; x < NUM_COLS; ++x)
      for (z = 0; z < NUM_CORES; ++z) {
        MPBalloc(&mpb, x, y, z, 0);
        CHECK(mpb != NULL, "MPB at (%d, %d, %d)", x, y, z);
        CHECK_INT((unsigned char)mpb[8192 - 1], (unsigned char)(100 + PID(x, y, z)));
      }
  if (me == 0) {
    MPBalloc(&mpb, NUM_COLS, 0, 0, 0);
    CHECK(mpb == NULL, "a tile to the east of the mesh");
    MPBalloc(&mpb, 0, NUM_ROWS, 0, 0);
    CHECK(mpb == NULL, "a tile to the north of the mesh");
    MPBalloc(&mpb, 0, 0, NUM_CORES, 0);
    CHECK(mpb == NULL, "a core beyond those of a tile");
    MPBalloc(&mpb, -1, 1, 0, 0);
    CHECK(mpb == NULL, "a tile to the west of the mesh");
  }

  /* The last core's domain slows down, with all of its tiles and no other. */
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (domain_of(me / NUM_CORES) == domain_of(NUM_COLS * NUM_ROWS - 1)) {
    CHECK_INT(RCCE_set_frequency_divider(9, &divider), 0);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  for (tile = 0; tile < NUM_COLS * NUM_ROWS; ++tile)
    CHECK_INT(get_divider(tile), domain_of(tile) == domain_of(NUM_COLS * NUM_ROWS - 1) ? 9 : 3);
  return check_end();
}
