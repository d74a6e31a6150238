/* SCC_API.h: address arithmetic, identifiers, and the calls that answer without the chip's devices. One UE.
 */
#include "RCCE.h"

#include "SCC_API.h"
#include "ue_check.h"

int RCCE_APP(int argc, char** argv) {
  int x, y, core;
  t_vcharp mpb = (t_vcharp)&core;
  RCCE_init(&argc, &argv);
  CHECK_INT(MPBSIZE, 8192);
  CHECK_INT(MPBADDRBITS, 13);
  CHECK_INT(NUM_ROWS, 4);
  CHECK_INT(NUM_COLS, 6);
  CHECK_INT(NUM_CORES, 2);
  CHECK_INT(PRIV_SLOTS, 6);
  CHECK_INT(SHMADDRBITS, 26);
  CHECK_INT(SHM_ADDR, 0x80000000u);
  CHECK_INT(MPB_OWN, 0xd8000000u);
  CHECK_INT(CRB_OWN, 0xf8000000u);
  CHECK_INT(RPC_BASE, 0xfb000000u);
  CHECK_INT(LOCK0, 0x200);
  CHECK_INT(LOCK1, 0x400);
  CHECK_INT(MYTILEID, 0x100);
  for (y = 0; y < 4; ++y)
    for (x = 0; x < 6; ++x)
      for (core = 0; core < 2; ++core) {
        int id = PID(x, y, core);
        CHECK_INT(id, 12 * y + 2 * x + core);
        CHECK_INT(X_PID(id), x);
        CHECK_INT(Y_PID(id), y);
        CHECK_INT(Z_PID(id), core);
        CHECK_INT(X_TID(TID(x, y)), x);
        CHECK_INT(Y_TID(TID(x, y)), y);
        CHECK_INT((unsigned)MPB_ADDR(x, y, core),
                  0xc0000000u + 0x01000000u * (unsigned)(x + 6 * y) + 0x2000u * (unsigned)core);
        CHECK_INT((unsigned)CRB_ADDR(x, y), 0xe0000000u + 0x01000000u * (unsigned)(x + 6 * y));
      }
  MPBalloc(&mpb, 6, 0, 0, 0);
  CHECK(mpb == NULL, "coordinates out of range");
  MPBalloc(&mpb, -1, 1, 0, 0); /* not the MPB of a tile in the row below */
  CHECK(mpb == NULL, "a negative coordinate");
  MPBalloc(&mpb, 0, 0, 0, 1);
  CHECK(mpb != NULL, "own MPB");
  MPBunalloc(&mpb);
  return check_end();
}
