/* SPDX-License-Identifier: Apache-2.0 */
/* Checks inside a UE program. A failing check prints rank, number of UEs, place and the values that repeat
 * it, and the program goes on; check_end() gives the status. C89 with long long, because programs of every
 * kind include it. */
#ifndef UE_CHECK_H
#define UE_CHECK_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "RCCE.h"

static int check_failures = 0;

static void check_report(const char* file, int line, const char* expression, const char* format, ...) {
  va_list values;
  ++check_failures;
  printf("FAILED on rank %d of %d: %s:%d: %s ", RCCE_ue(), RCCE_num_ues(), file, line, expression);
  va_start(values, format);
  vprintf(format, values);
  va_end(values);
  printf("\n");
}

/* CHECK(condition, "format", values...): the values say what was tried. */
#define CHECK(condition, ...)                                                    \
  do {                                                                           \
    if (!(condition)) check_report(__FILE__, __LINE__, #condition, __VA_ARGS__); \
  } while (0)

#define CHECK_INT(expression, expected)                                                               \
  do {                                                                                                \
    long long check_got = (long long)(expression), check_want = (long long)(expected);                \
    if (check_got != check_want)                                                                      \
      check_report(__FILE__, __LINE__, #expression, "is %lld, expected %lld", check_got, check_want); \
  } while (0)

/* Every UE says how it ended, so a missing one is seen. */
static int check_end(void) {
  if (check_failures == 0) {
    printf("rank %d ok\n", RCCE_ue());
    return 0;
  }
  printf("rank %d: %d checks failed\n", RCCE_ue(), check_failures);
  return 1;
}

/* The end of a program, for all UEs together. */
static int check_finalize(void) {
  RCCE_barrier(&RCCE_COMM_WORLD);
  RCCE_finalize();
  return check_end();
}

/* The byte at `index` of a message: depends on sender, length and place, never equal to POISON. */
#define POISON 0xA5
static unsigned char pattern(int sender, unsigned long length, unsigned long index) {
  unsigned long value = (index * 131 + (index >> 8) * 17 + (unsigned long)sender * 59 + length * 7) & 0xff;
  return (unsigned char)(value == POISON ? 0x5A : value);
}

static void fill_pattern(unsigned char* buffer, int sender, unsigned long length) {
  unsigned long i;
  for (i = 0; i < length; ++i) buffer[i] = pattern(sender, length, i);
}

/* Index of the first byte that differs from the pattern, or -1. */
static long find_fault(const unsigned char* buffer, int sender, unsigned long length) {
  unsigned long i;
  for (i = 0; i < length; ++i)
    if (buffer[i] != pattern(sender, length, i)) return (long)i;
  return -1;
}

/* Index of the first byte that is not poison, or -1. */
static long find_unpoisoned(const unsigned char* buffer, unsigned long length) {
  unsigned long i;
  for (i = 0; i < length; ++i)
    if (buffer[i] != POISON) return (long)i;
  return -1;
}

/* For RCCE_comm_split: a communicator of all UEs. */
static int same_color(int rank, void* aux) {
  (void)rank;
  (void)aux;
  return 0;
}

#endif
