/* SPDX-License-Identifier: Apache-2.0 */
/* Checks and times round_trip().
 *
 *   checker ROW BYTES
 *
 * ROW is "yours", or a round trip to compare with: "RCCE" by RCCE_send and RCCE_recv, "iRCCE" by iRCCE's
 * requests. Repetitions -2 and -1 go between other pairs than the timed ones, which go between the first and
 * the last UE. */
#include "../checker.h"
#include "iRCCE.h"

#ifdef __cplusplus
extern "C"
#endif
int round_trip(char *out, char *in, size_t bytes, int first, int second);

static int by_rcce(char *out, char *in, size_t bytes, int first, int second) {
  if (RCCE_ue() == first) {
    RCCE_send(out, bytes, second);
    return RCCE_recv(in, bytes, second);
  }
  if (RCCE_ue() == second) {
    RCCE_recv(in, bytes, first);
    return RCCE_send(in, bytes, first);
  }
  return RCCE_SUCCESS;
}

static void pass(char *buffer, size_t bytes, int to) {
  iRCCE_SEND_REQUEST request;
  iRCCE_isend(buffer, bytes, to, &request);
  iRCCE_isend_wait(&request);
}

static void take(char *buffer, size_t bytes, int from) {
  iRCCE_RECV_REQUEST request;
  iRCCE_irecv(buffer, bytes, from, &request);
  iRCCE_irecv_wait(&request);
}

static int by_ircce(char *out, char *in, size_t bytes, int first, int second) {
  if (RCCE_ue() == first) {
    pass(out, bytes, second);
    take(in, bytes, second);
  } else if (RCCE_ue() == second) {
    take(in, bytes, first);
    pass(in, bytes, first);
  }
  return RCCE_SUCCESS;
}

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  iRCCE_init();
  const int me = RCCE_ue(), last = RCCE_num_ues() - 1;
  if (argc != 3)
    return usage("yours, RCCE or iRCCE, and a number of bytes");
  const size_t bytes = strtoul(argv[2], NULL, 10);
  const int is_rcce = strcmp(argv[1], "RCCE") == 0, is_ircce = strcmp(argv[1], "iRCCE") == 0;
  unsigned char *out = guarded(bytes), *in = guarded(bytes);
  fill_source(bytes);
  for (int repetition = -2; repetition < 3; ++repetition) {
    const int first = repetition == -2 ? last : repetition == -1 ? last / 2 : 0;
    const int second = repetition == -2 ? 0 : last;
    poison_again(out, bytes);
    poison_again(in, bytes);
    if (me == first)
      fill(out, bytes, repetition);
    RCCE_barrier(&RCCE_COMM_WORLD);
    const long long start = rcce_picoseconds();
    const int error = (is_rcce        ? by_rcce
                           : is_ircce ? by_ircce
                                      : round_trip)((char *)out, (char *)in, bytes, first, second);
    const long long end = rcce_picoseconds();
    struct fault fault = fault_in(in, bytes, me == first || me == second, repetition);
    const struct fault of_out = fault_in(out, bytes, me == first, repetition);
    if (fault.wrong == 0)
      fault.first = of_out.first;
    fault.wrong += of_out.wrong;
    if (error != RCCE_SUCCESS)
      fault.wrong = -2;
    tell(repetition, me == first ? end - start : 0, fault);
  }
  RCCE_finalize();
  return 0;
}
