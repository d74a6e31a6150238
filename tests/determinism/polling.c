/* SPDX-License-Identifier: Apache-2.0 */
/* A random program of UEs that wait for each other by plain memory. Arguments: a seed, how many messages, and
 * `delayed` where accesses are, so that only who is early is wrong. Message m is a word of
 * shared memory (or of a buffer): one UE computes and stores it in one of many ways, another waits for it in
 * one of several. All UEs draw the same messages, in the same order, so that none waits for good. Afterwards
 * rank 0 looks at the instants: nobody may go on before the store that lets it (a store is made when its UE
 * has come to it), nor long after. Prints how many messages, the latest that somebody went on, and the digest
 * of all instants. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"

enum { most = 4096, stride = 16, waits = 4, stores = 13 };

static unsigned long long state;
static unsigned draw(unsigned limit) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)((state >> 33) % limit);
}

struct instants {
  long long before, stored, came, went; /* picoseconds */
};

struct node {
  struct node *next;
  int *word;
};

__attribute__((noinline)) static void store_by_call(int *word, int value) { *word = value; }

__attribute__((noinline)) static int own_work(int rounds) {
  volatile int sum = 0;
  for (int i = 0; i < rounds; i++) sum += i;
  return sum;
}

/* `all`: stride words */
__attribute__((noinline)) static void store(int *all, int value, unsigned how, int *private) {
  int *const word = all;
  switch (how) {
  case 0: *word = value; break;
  case 1: *(volatile int *)word = value; break;
  case 2: atomic_store((_Atomic int *)word, value); break;
  case 3: atomic_fetch_add((_Atomic int *)word, value); break;
  case 4:
    for (int i = 0; i < stride; i++) all[i] = value; /* its rounds are known */
    break;
  case 5:
    for (int row = 0; row < 4; row++)
      for (int i = 0; i < stride / 4; i++) all[4 * row + i] = value + private[i] * row;
    break;
  case 6: memset(all, 1, sizeof(int) * stride); break;
  case 7:
    for (int i = 0; i < stride; i++) private[stride + i] = value;
    memcpy(all, private + stride, sizeof(int) * stride);
    break;
  case 8: store_by_call(word, value); break;
  case 9: {
    struct node last = {0, word}, first = {&last, private};
    for (struct node *one = &first; one; one = one->next) *one->word = value;
    private[0] = 0;
    break;
  }
  case 10:
    for (int i = stride - 1; i >= 0 && private[0] == 0; i--) all[i] = own_work(3) + value; /* it calls */
    break;
  case 11: /* it finds the place by itself */
    __asm__ volatile("movq (%1), %%rax\n\tmovl %0, (%%rax)" : : "r"(value), "r"(&word) : "rax", "memory");
    break;
  default: { /* before the beginning: Fortran's arrays */
    int *const from_one = all - 1;
    for (int i = 1; i <= stride; i++) from_one[i] = value;
  }
  }
}

__attribute__((noinline)) static void await(int *word, unsigned how, int *spent) {
  switch (how) {
  case 0:
    while (!*(volatile int *)word) {
    }
    break;
  case 1:
    while (!atomic_load((_Atomic int *)word)) {
    }
    break;
  case 2:
    while (!*word) /* no `volatile`: the loop only reads */
      ;
    break;
  default:
    while (!*(volatile int *)word) (*spent)++; /* it counts: looks are charged by the dozen */
  }
}

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  const int me = RCCE_ue(), ues = RCCE_num_ues();
  const int messages = argc > 2 ? atoi(argv[2]) : 100;
  state = argc > 1 ? strtoull(argv[1], 0, 10) : 1;
  if (messages > most || ues < 2) return 2;
  int *const words = (int *)RCCE_shmalloc(sizeof(int) * stride * (size_t)(most + 1)) + stride;
  struct instants *const instants = (struct instants *)RCCE_shmalloc(sizeof(struct instants) * most);
  static struct instants own[most];
  static unsigned char exact[most];
  static int private[2 * stride];
  int spent = 0;
  if (me == 0) memset(words - stride, 0, sizeof(int) * stride * (size_t)(messages + 1));
  RCCE_barrier(&RCCE_COMM_WORLD);
  for (int m = 0; m < messages; m++) {
    const int from = (int)draw((unsigned)ues), to = (int)((unsigned)from + 1 + draw((unsigned)ues - 1)) % ues;
    const unsigned how = draw(stores), waiting = draw(waits), cycles = draw(4) ? draw(5000) : draw(1000000),
                   own_rounds = draw(300);
    const unsigned waits_first = draw(3);
    int *const all = words + stride * m;
    exact[m] = waiting < 3;
    if (me == from) {
      /* the last call that gives way: the work behind it is the store point's */
      own[m].before = rcce_picoseconds();
      if (draw(2)) rcce_compute(cycles);
      else own_work((int)(cycles / 20));
      own_work((int)own_rounds);
      store(all, 1, how, private);
      own[m].stored = rcce_picoseconds();
    } else {
      draw(2);
      if (me == to) {
        if (waits_first == 0) rcce_compute(cycles / 2);
        own[m].came = rcce_picoseconds();
        await(all, waiting, &spent);
        own[m].went = rcce_picoseconds();
      }
    }
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  for (int m = 0; m < messages; m++) {
    if (own[m].stored) instants[m].before = own[m].before, instants[m].stored = own[m].stored;
    if (own[m].went) instants[m].came = own[m].came, instants[m].went = own[m].went;
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  int wrong = 0;
  if (me == 0) {
    long long latest = 0;
    unsigned long long digest = 0;
    for (int m = 0; m < messages; m++) {
      const struct instants *const one = &instants[m];
      const long long allowed = one->came > one->stored ? one->came : one->stored, late = one->went - allowed;
      if (exact[m] && late > latest) latest = late;
      if (one->went < one->before ||
          (argc < 4 && one->went + 20000000 < one->stored) || /* a store takes less */
          (argc < 4 && late > (exact[m] ? 1000000 : 20000000))) {
        if (wrong++ < 5)
          printf("message %d: stored from %lld to %lld ps, waited for from %lld to %lld\n", m, one->before,
                 one->stored, one->came, one->went);
      }
      digest = (digest ^ (unsigned long long)one->went) * 0x100000001b3ull;
    }
    printf("%d messages, %d wrong, at most %.2f us late, digest %016llx\n", messages, wrong,
           (double)latest * 1e-6, digest);
  }
  RCCE_finalize();
  return wrong != 0;
}
