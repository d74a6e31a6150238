/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of messages, others in every repetition, and the comparing of buffers with what they have to
   hold. */
#ifndef ROCKCREEK_PATTERN_H
#define ROCKCREEK_PATTERN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"

#include "job_point.h"

enum {
  block = 32768, /* bytes that are compared at once */
  poison = 0xA5  /* never sent */
};

/* A result of the calling rank. `rccebench grade` takes it past standard output, where a student's code
   prints. Started otherwise, the program prints the line. */
static __inline__ void tell_line(int repetition, long long picoseconds, long long wrong, long long first) {
  const lab_job_point *given = lab_given();
  const lab_line line = {RCCE_ue(), repetition, picoseconds, wrong, first};
  if (!given)
    printf("%d %d %lld %lld %lld\n", RCCE_ue(), repetition, picoseconds, wrong, first);
  else if ((*given->line_count)++ < given->line_room)
    given->lines[*given->line_count - 1] = line;
}

static unsigned char source[2 * block];
static size_t span = block; /* of the source: as many places to begin at, and as many bytes from there */

static void fill_source(size_t bytes) {
  uint32_t state = 1;
  if (bytes < block)
    span = bytes + 1;
  for (size_t i = 0; i < 2 * span; ++i) {
    do {
      state = state * 1664525u + 1013904223u;
      source[i] = (unsigned char)(state >> 24);
    } while (source[i] == poison);
  }
}

/* What the bytes from `offset` (a multiple of the block) on have to be, in the vector of that number. */
static const unsigned char *expected_of(int vector, size_t offset, int repetition) {
  const uint32_t place = (uint32_t)(offset / block) * 2654435761u + (uint32_t)(repetition + 64) * 40503u +
      (uint32_t)vector * 2246822519u;
  return source + (place >> 8) % span;
}
static __inline__ const unsigned char *expected(size_t offset, int repetition) {
  return expected_of(0, offset, repetition);
}

static __inline__ void fill(unsigned char *buffer, size_t bytes, int repetition) {
  for (size_t offset = 0; offset < bytes; offset += block)
    memcpy(buffer + offset, expected(offset, repetition), bytes - offset < block ? bytes - offset : block);
}

/* Wrong bytes, and where the first of them is, counted from the start of the message. */
struct fault {
  long wrong, first;
  long of_operand; /* of the wrong bytes those in an operand that is to stay */
};

static void compare(struct fault *fault, const unsigned char *buffer, const unsigned char *wanted,
                    size_t bytes, long offset) {
  if (memcmp(buffer, wanted, bytes) == 0)
    return;
  for (size_t i = 0; i < bytes; ++i)
    if (buffer[i] != wanted[i] && fault->wrong++ == 0)
      fault->first = offset + (long)i;
}

#endif
