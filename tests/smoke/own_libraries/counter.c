/* SPDX-License-Identifier: Apache-2.0 */
/* A library with variables of every kind. */
#include <stdio.h>

#ifdef INITIAL_EXEC
#define MODEL __attribute__((tls_model("initial-exec")))
#else
#define MODEL
#endif

int counter = 1;
MODEL static __thread int steps = 7;
const char *const *const name = (const char *const[]){"counter"};

int next(void) {
  const int value = counter;
  counter += 2;
  ++steps;
  return value;
}
int steps_taken(void) { return steps; }

__attribute__((constructor)) static void begin(void) { printf("counter begins\n"); }
__attribute__((destructor)) static void end(void) { printf("counter ends at %d\n", counter); }
