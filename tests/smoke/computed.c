// SPDX-License-Identifier: Apache-2.0
/* What loops take on the chip's core with --compute blocks, in cycles a round: the difference of two lengths,
 * so that what comes once is left out. The expected numbers follow from the table of instructions (rcceinfo
 * instructions). */
#include <RCCE.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CYCLE = 1875 /* ps at 533 MHz */, ROUNDS = 1000 };
static double sink, numbers[4 * ROUNDS];
static char text[4 * ROUNDS], copy[4 * ROUNDS];

#define KERNEL __attribute__((noinline)) static void

/* each needs the one before: 3 cycles of latency each */
KERNEL dependent_adds(int n) {
  double x = sink, d = numbers[0];
  for (int i = 0; i < n; i++) {
    x += d;
    x += d;
    x += d;
    x += d;
  }
  sink = x;
}
/* none needs another: one a cycle */
KERNEL independent_adds(int n) {
  double a = sink, b = sink, c = sink, e = sink, d = numbers[0];
  for (int i = 0; i < n; i++) {
    a += d;
    b += d;
    c += d;
    e += d;
  }
  sink = a + b + c + e;
}
KERNEL divides(int n) {
  double x = sink, d = numbers[0];
  for (int i = 0; i < n; i++) x /= d;
  sink = x;
}
KERNEL roots(int n) {
  double x = sink;
  for (int i = 0; i < n; i++) x = sqrt(x);
  sink = x;
}
KERNEL integer_divides(int n) {
  unsigned x = (unsigned)(long)text, d = (unsigned)n | 1;
  for (int i = 0; i < n; i++) x = x / d + 77;
  text[0] = (char)x;
}
/* two loads, a multiplication, an addition that the next round waits for */
KERNEL scalar_product(int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += numbers[i] * numbers[i + ROUNDS];
  sink = sum;
}
/* how many rounds there are is known to nobody before */
KERNEL unknown_end(int n) {
  volatile int left = n;
  while (left > 0) left = left - 1;
}
KERNEL copies(int n) { memcpy(copy, text, (size_t)n); }
KERNEL sines(int n) {
  double x = sink;
  for (int i = 0; i < n; i++) x = sin(x);
  sink = x;
}

static void measure(const char *name, void (*kernel)(int)) {
  long long time[3];
  for (int i = 0; i < 3; i++) {
    const long long begin = rcce_picoseconds();
    kernel(i * ROUNDS);
    time[i] = rcce_picoseconds() - begin;
  }
  printf("%-16s %g cycles\n", name, (double)(time[2] - time[1]) / CYCLE / ROUNDS);
}

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  sink = numbers[0] = 1;
  measure("dependent adds", dependent_adds);
  measure("independent adds", independent_adds);
  measure("divides", divides);
  measure("roots", roots);
  measure("integer divides", integer_divides);
  measure("scalar product", scalar_product);
  measure("unknown end", unknown_end);
  measure("copies", copies);
  measure("sines", sines);
  if (copy[argc] != 0) printf("the copies are used\n");
  return RCCE_finalize();
}
