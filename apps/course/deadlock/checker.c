/* SPDX-License-Identifier: Apache-2.0 */
/* Checks shift() by every distance, or hangs() for up to 12 UEs.
 *
 *   checker shift BYTES
 *   checker hangs
 *
 * What hangs() has to say is found by carrying out the given shift's calls one by one: a message passes when
 * its sender and its receiver have both come to it. */
#include "../checker.h"

#ifdef __cplusplus
extern "C" {
#endif
int shift(char *out, char *in, size_t bytes, int distance);
int hangs(int ues, int distance);
#ifdef __cplusplus
}
#endif

enum { most_ues = 12 };

/* Calls that UE `ue` of the given shift has behind it are `done`; whether the next is a send. */
static int sends_next(int ue, int done) { return (ue + done) % 2 == 0; }

static int never_ends(int ues, int distance) {
  int done[most_ues] = {0}, moved = 1;
  while (moved) {
    moved = 0;
    for (int ue = 0; ue < ues; ++ue) {
      const int to = (ue + distance) % ues;
      if (to == ue || done[ue] == 2 || done[to] == 2 || !sends_next(ue, done[ue]) || sends_next(to, done[to]))
        continue;
      ++done[ue];
      ++done[to];
      moved = 1;
    }
  }
  for (int ue = 0; ue < ues; ++ue)
    if (done[ue] < 2)
      return 1;
  return 0;
}

static void check_rule(void) {
  const struct fault none = {0, 0, 0};
  for (int ues = 1; ues <= most_ues; ++ues)
    for (int distance = 0; distance < ues; ++distance)
      if (!hangs(ues, distance) != !never_ends(ues, distance)) {
        printf("wrong: hangs(%d, %d) is %d, and the shift that was given does %s\n", ues, distance,
               hangs(ues, distance), hangs(ues, distance) ? "end" : "not end");
        return;
      }
  tell(0, 0, none);
}

/* By the distances from the first to the one before `end`. The time is that of all distances, one after the
 * other. */
static void check_shift(size_t bytes, int first_distance, int end) {
  const int me = RCCE_ue(), ues = RCCE_num_ues();
  unsigned char *out = guarded(bytes), *in = guarded(bytes);
  struct fault first = {0, 0, 0};
  int changed = 0;
  long long picoseconds = 0;
  fill_source(bytes);
  for (int distance = first_distance; distance < end; ++distance) {
    struct fault fault, of_out;
    /* A message for each sender: the repetition is its rank. */
    fill(out, bytes, me);
    poison_again(in, bytes);
    RCCE_barrier(&RCCE_COMM_WORLD);
    const long long start = rcce_picoseconds();
    const int error = shift((char *)out, (char *)in, bytes, distance);
    picoseconds += rcce_picoseconds() - start;
    fault = fault_in(in, bytes, 1, (me + ues - distance) % ues);
    of_out = fault_in(out, bytes, 1, me);
    if (of_out.wrong && !changed++)
      printf("wrong: shift by %d has changed `out` of rank %d, at byte %ld\n", distance, me, of_out.first);
    if (error != RCCE_SUCCESS)
      fault.wrong = -2;
    if (first.wrong == 0)
      first = fault;
  }
  tell(0, picoseconds, first);
}

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  const int rule = argc == 2 && strcmp(argv[1], "hangs") == 0, ues = RCCE_num_ues();
  const int distance = argc > 3 ? atoi(argv[3]) : 0;
  if (!rule && (argc < 3 || strcmp(argv[1], "shift") != 0 || distance < 0 || distance >= ues))
    return usage("hangs, or shift BYTES [DISTANCE], a distance below the number of UEs");
  if (rule)
    check_rule();
  else
    check_shift(strtoul(argv[2], NULL, 10), distance, argc > 3 ? distance + 1 : ues);
  RCCE_finalize();
  return 0;
}
