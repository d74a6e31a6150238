/* SPDX-License-Identifier: Apache-2.0 */
/* Checks prepare(), pass() and take(): lines go from UE 0 to the last, through every one between. Compiled
 * with -DGORY.
 *
 *   checker LINES [explored]
 *
 * The time is that until a UE has the last line; `explored`: none is told, for it is another one under every
 * timing. */
#include "../checker.h"

#ifdef __cplusplus
extern "C" {
#endif
void prepare(void);
void pass(char *text, int to);
void take(char *text, int from);
#ifdef __cplusplus
}
#endif

enum { line = 32 };

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  if (argc < 2 || atoi(argv[1]) < 1)
    return usage("a number of lines, and \"explored\" where no time may be printed");
  const int me = RCCE_ue(), ues = RCCE_num_ues(), lines = atoi(argv[1]), timed = argc < 3;
  const size_t bytes = (size_t)lines * line;
  unsigned char *all = guarded(bytes), *one = guarded(line);
  fill_source(bytes);
  if (me == 0)
    fill(all, bytes, 0);
  prepare();
  const long long start = timed ? rcce_picoseconds() : 0;
  for (int i = 0; i < lines; ++i) {
    if (me == 0)
      memcpy(one, all + i * line, line);
    else
      take((char *)one, me - 1);
    memcpy(all + i * line, one, line);
    if (me + 1 < ues)
      pass((char *)one, me + 1);
  }
  tell(0, timed ? rcce_picoseconds() - start : 0, fault_in(all, bytes, 1, 0));
  RCCE_barrier(&RCCE_COMM_WORLD);
  RCCE_finalize();
  return 0;
}
