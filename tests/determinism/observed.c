/* SPDX-License-Identifier: Apache-2.0 */
/* Loops through pointers that may lead to shared memory, of which the compiler keeps what it can in
 * registers. Prints what each takes. The arguments are not used. */
#include <stdio.h>
#include <stdlib.h>

#include "RCCE.h"

enum { n = 24 };

static double scalar_product(const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n * n; i++) sum += a[i] * b[i];
  return sum;
}

static double matrix_product(double *c, const double *a, const double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[n * i + j] = 0;
      for (int k = 0; k < n; k++) c[n * i + j] += a[n * i + k] * b[n * k + j];
    }
  return c[n * n - 1];
}

static double running_sum(double *c, const double *a) {
  for (int i = 1; i < n * n; i++) c[i] = c[i - 1] * 0.5 + a[i];
  return c[n * n - 1];
}

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  double *const a = malloc(sizeof(double) * n * n), *const b = malloc(sizeof(double) * n * n);
  double *const c = (double *)RCCE_shmalloc(sizeof(double) * n * n);
  for (int i = 0; i < n * n; i++) a[i] = i, b[i] = 2 * i;
  for (int kind = 0; kind < 3; kind++) {
    const double begin = RCCE_wtime();
    const double result = kind == 0 ? scalar_product(a, b)
        : kind == 1                 ? matrix_product(c, a, b)
                                    : running_sum(c, a);
    printf("%g takes %.3f us\n", result, 1e6 * (RCCE_wtime() - begin));
  }
  free(a);
  free(b);
  return RCCE_finalize();
}
