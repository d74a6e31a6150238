/* SPDX-License-Identifier: Apache-2.0 */
/* What the checkers of the exercises share: a buffer with poisoned bytes around it, and the line that
 * `rccebench grade` reads for every rank and repetition:
 *
 *   RANK REPETITION PICOSECONDS WRONG FIRST
 *
 * with WRONG the number of wrong bytes, FIRST the place of the first of them; repetitions below 0 are not
 * timed. tell() hands it over past what a student's code prints. An exercise of your own may print all its
 * lines instead, but then a student can, too. A line on standard output that begins with "wrong: " says in
 * words what is wrong. */
#ifndef ROCKCREEK_COURSE_CHECKER_H
#define ROCKCREEK_COURSE_CHECKER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"

#include "pattern.h"

enum {
  guard = 64,      /* poisoned bytes before and behind a buffer */
  alignment = 4096 /* of buffers: times do not depend on where the heap begins */
};

/* `bytes` poisoned bytes at the begin of a page, and the guards around them. Kept to the end of the run. */
static unsigned char *guarded(size_t bytes) {
  unsigned char *memory = (unsigned char *)malloc(bytes + 2 * guard + alignment);
  unsigned char *buffer;
  if (!memory) {
    printf("wrong: no memory for a buffer of %lu bytes\n", (unsigned long)bytes);
    exit(1);
  }
  buffer = (unsigned char *)(((uintptr_t)memory + guard + alignment - 1) / alignment * alignment);
  memset(buffer - guard, poison, bytes + 2 * guard);
  return buffer;
}

static void poison_again(unsigned char *buffer, size_t bytes) {
  memset(buffer - guard, poison, bytes + 2 * guard);
}

/* What is wrong in a buffer that has to hold the message of a repetition, or nothing but poison, and around
 * it. */
static struct fault fault_in(const unsigned char *buffer, size_t bytes, int has_message, int repetition) {
  struct fault fault = {0, 0, 0};
  unsigned char wanted[block];
  memset(wanted, poison, block);
  compare(&fault, buffer - guard, wanted, guard, -guard);
  for (size_t offset = 0; offset < bytes; offset += block)
    compare(&fault, buffer + offset, has_message ? expected(offset, repetition) : wanted,
            bytes - offset < block ? bytes - offset : block, (long)offset);
  compare(&fault, buffer + bytes, wanted, guard, (long)bytes);
  return fault;
}

static void tell(int repetition, long long picoseconds, struct fault fault) {
  tell_line(repetition, picoseconds, fault.wrong, fault.first);
}

/* Where the words of the command line are others: what they have to be; the status to end with. */
static __inline__ int usage(const char *words) {
  if (RCCE_ue() == 0)
    fprintf(stderr, "usage: %s\n", words);
  return 2;
}

#endif
