/* SPDX-License-Identifier: Apache-2.0 */
/* Messages by iRCCE_isend and iRCCE_irecv between two UEs: the program behind `rccebench pingpong --window`
 * and
 * `--overlap`.
 *
 *   rccerun -nue 2 -f HOSTS nonblocking REPETITIONS FIRST window MESSAGES BYTES [BYTES ...]
 *   rccerun -nue 2 -f HOSTS nonblocking REPETITIONS FIRST overlap PUSHES BYTES [BYTES ...]
 *
 * window: rank FIRST posts MESSAGES messages at once, the other as many receives. When all have arrived, one
 * byte comes back, which ends the repetition.
 * overlap: both ranks post a receive and a send to each other, and wait for both; then once more, with a
 * computation in between that takes as long as the fastest exchange alone. It is cut into PUSHES + 1 parts,
 * and between two of them the rank pushes its requests.
 *
 * Rank FIRST prints, per size, in microseconds of its clock, with CHECK the number of wrong bytes on either
 * side window:  BYTES MINIMUM CHECK overlap: BYTES ALONE BOTH CHECK where of the repetitions the fastest
 * counts. The computation takes as long as ALONE. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "iRCCE.h"
#include "rockcreek.h"

#include "pattern.h"

enum { warm_up = 3 };

static int first, partner;

static void fail(const char* what) {
  printf("nonblocking: %s\n", what);
  exit(1);
}

static unsigned char* memory(size_t bytes) {
  unsigned char* all = malloc(bytes + 1);
  if (!all) fail("no memory for the messages");
  memset(all, poison, bytes + 1);
  return all;
}

/* Wrong bytes of `messages` messages, and poison for the next ones. */
static long check(unsigned char* buffer, size_t bytes, int messages, int repetition) {
  struct fault fault = {0, 0, 0};
  for (int i = 0; i < messages; ++i)
    for (size_t at = 0; at < bytes; at += block)
      compare(&fault, buffer + (size_t)i * bytes + at, expected_of(i, at, repetition),
              bytes - at < block ? bytes - at : block, 0);
  memset(buffer, poison, bytes * (size_t)messages);
  return fault.wrong;
}

static void fill_all(unsigned char* buffer, size_t bytes, int messages, int repetition) {
  for (int i = 0; i < messages; ++i)
    for (size_t at = 0; at < bytes; at += block)
      memcpy(buffer + (size_t)i * bytes + at, expected_of(i, at, repetition),
             bytes - at < block ? bytes - at : block);
}

/* One repetition with so many messages in flight: its time on rank FIRST. */
static double window(unsigned char* buffer, size_t bytes, int messages, void* requests) {
  const double start = RCCE_wtime();
  char done = 1;
  if (RCCE_ue() == first) {
    iRCCE_SEND_REQUEST* const sends = requests;
    for (int i = 0; i < messages; ++i)
      iRCCE_isend((char*)buffer + (size_t)i * bytes, (rockcreek_ircce_size)bytes, partner, &sends[i]);
    for (int i = 0; i < messages; ++i) iRCCE_isend_wait(&sends[i]);
    RCCE_recv(&done, 1, partner);
  } else {
    iRCCE_RECV_REQUEST* const receives = requests;
    for (int i = 0; i < messages; ++i)
      iRCCE_irecv((char*)buffer + (size_t)i * bytes, (rockcreek_ircce_size)bytes, partner, &receives[i]);
    for (int i = 0; i < messages; ++i) iRCCE_irecv_wait(&receives[i]);
    RCCE_send(&done, 1, partner);
  }
  return RCCE_wtime() - start;
}

/* One message with a computation on both ranks: the time of the slower one, on rank FIRST. */
static double overlap(unsigned char* buffer, size_t bytes, int pushes, long long cycles) {
  iRCCE_SEND_REQUEST send;
  iRCCE_RECV_REQUEST receive;
  const int sends = RCCE_ue() == first;
  const double start = RCCE_wtime();
  if (sends)
    iRCCE_isend((char*)buffer, (rockcreek_ircce_size)bytes, partner, &send);
  else
    iRCCE_irecv((char*)buffer, (rockcreek_ircce_size)bytes, partner, &receive);
  for (int part = 0; cycles > 0 && part <= pushes; ++part) {
    rcce_compute(cycles * (part + 1) / (pushes + 1) - cycles * part / (pushes + 1));
    if (part < pushes && sends) iRCCE_isend_push();
    if (part < pushes && !sends) iRCCE_irecv_push();
  }
  if (sends)
    iRCCE_isend_wait(&send);
  else
    iRCCE_irecv_wait(&receive);
  const double own = RCCE_wtime() - start;
  double other = own;
  if (sends)
    RCCE_recv((char*)&other, sizeof other, partner);
  else
    RCCE_send((char*)&own, sizeof own, partner);
  return own > other ? own : other;
}

static double least(double a, double b) {
  return a == 0 || b < a ? b : a;
}

/* Cycles of a computation that takes so many seconds. */
static long long cycles_of(double seconds) {
  const long long probe = 1000000;
  const double start = RCCE_wtime();
  rcce_compute(probe);
  return (long long)(seconds * (double)probe / (RCCE_wtime() - start) + 0.5);
}

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  iRCCE_init();
  if (RCCE_num_ues() != 2 || argc < 6)
    fail("usage: REPETITIONS FIRST window|overlap COUNT BYTES [BYTES ...]");
  const int repetitions = atoi(argv[1]), count = atoi(argv[4]),
            with_computation = strcmp(argv[3], "overlap") == 0;
  first = atoi(argv[2]) ? 1 : 0;
  partner = 1 - RCCE_ue();
  const int messages = with_computation ? 1 : count;
  fill_source(block);
  for (int i = 5; i < argc; ++i) {
    const size_t bytes = (size_t)strtoul(argv[i], NULL, 10), all = bytes * (size_t)messages;
    unsigned char* const buffer = memory(all);
    void* const requests =
        malloc((size_t)messages * (sizeof(iRCCE_SEND_REQUEST) + sizeof(iRCCE_RECV_REQUEST)));
    if (!requests) fail("no memory for the requests");
    double alone = 0, both = 0;
    long long cycles = 0;
    long wrong = 0;
    /* The message alone comes first: its time is that of the computation. */
    for (int with = 0; with <= with_computation; ++with) {
      if (with) {
        RCCE_bcast((char*)&alone, sizeof alone, first, RCCE_COMM_WORLD);
        cycles = cycles_of(alone);
      }
      for (int repetition = -warm_up; repetition < repetitions; ++repetition) {
        const int sends = RCCE_ue() == first;
        if (sends) fill_all(buffer, bytes, messages, repetition);
        RCCE_barrier(&RCCE_COMM_WORLD);
        const double time = with_computation ? overlap(buffer, bytes, count, cycles)
                                             : window(buffer, bytes, messages, requests);
        if (repetition >= 0) *(with ? &both : &alone) = least(with ? both : alone, time);
        if (!sends) wrong += check(buffer, bytes, messages, repetition);
      }
    }
    long wrong_there = 0;
    if (RCCE_ue() == first) {
      RCCE_recv((char*)&wrong_there, sizeof wrong_there, partner);
      if (with_computation)
        printf("%lu %.6f %.6f %ld\n", (unsigned long)bytes, alone * 1e6, both * 1e6, wrong_there);
      else
        printf("%lu %.6f %ld\n", (unsigned long)bytes, alone * 1e6, wrong_there);
    } else {
      RCCE_send((char*)&wrong, sizeof wrong, partner);
    }
    free(requests);
    free(buffer);
  }
  RCCE_finalize();
  return 0;
}
