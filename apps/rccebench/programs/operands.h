/* SPDX-License-Identifier: Apache-2.0 */
/* Operands for reductions whose result is known without a reduction, whatever order they are combined in:
 * numbers of so few bits that a float holds the sum of those of 10,000 ranks. Every rank's operand differs in
 * every element, so a rank that is left out, counted twice or shifted is seen. A type with fewer bits does
 * not hold them: float has eighths, long and double have 30 bits, in double some behind the point. */
#ifndef ROCKCREEK_OPERANDS_H
#define ROCKCREEK_OPERANDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "RCCE.h"

static size_t element_bytes(int type) {
  return type == RCCE_INT     ? sizeof(int)
         : type == RCCE_LONG  ? sizeof(long)
         : type == RCCE_FLOAT ? sizeof(float)
                              : sizeof(double);
}

/* value * 2^doublings as an element; integers wrap round, floating-point numbers become infinite. */
static void store_element(unsigned char *at, int type, long value, int doublings) {
  if (type == RCCE_INT || type == RCCE_LONG) {
    const unsigned long wide = doublings < 64 ? (unsigned long)value << doublings : 0;
    const int narrow = (int)(unsigned)wide;
    memcpy(at, type == RCCE_INT ? (const void *)&narrow : (const void *)&wide, element_bytes(type));
  } else {
    float narrow = (float)value;
    double wide = (double)value;
    for (; doublings > 0; --doublings) {
      narrow *= 2;
      wide *= 2;
    }
    memcpy(at, type == RCCE_FLOAT ? (const void *)&narrow : (const void *)&wide, element_bytes(type));
  }
}

/* 1 ... 61, drawn by place: no distance between two places has equal numbers all along. */
static long base_of(size_t element, int repetition) {
  uint64_t drawn = ((uint64_t)element << 16 | (uint64_t)(repetition + 64)) * 0x9e3779b97f4a7c15u;
  drawn = (drawn ^ drawn >> 32) * 0xd6e8feb86659fd93u;
  return (long)((drawn >> 32) % 61) + 1;
}
/* 0 ... 1008, by rank */
static long weight_of(int rank, int repetition) { return ((long)rank * 37 + (repetition + 64L) * 11) % 1009; }
/* Of minima and maxima one rank after another decides an element, so that nobody can be left out. A vector of
 * fewer elements than ranks begins where that of the repetition before has ended. */
static int deciding_rank(size_t element, size_t elements, int repetition) {
  const size_t ranks = (size_t)RCCE_num_ues(), step = elements < ranks ? elements : 1;
  return (int)((element + (size_t)(repetition + 64) * step) % ranks);
}
static long deciding_weight(int op) { return op == RCCE_MIN ? -1 : 1009; }
/* All numbers of one element are at least 0, those of the next have both signs, those of the one behind it
 * are below 0: neither a maximum that begins with 0 is right, nor a minimum that does. */
static long shift_of(size_t element, int repetition, int op) {
  return op == RCCE_SUM ? 0 : -600L * (long)((element + (size_t)(repetition + 64)) % 3);
}
/* For products: a sign by place and rank, and a factor of 2 from a few ranks, others in every repetition. */
static int is_negative(long base, int rank) { return (int)(base * (2L * (rank % 64) + 1) >> 6 & 1); }
static int doubles(int rank, int repetition) { return (rank + repetition + 64) % 7 == 0; }

/* A number as an element of a sum, minimum or maximum, of more bits than a narrower type has. */
static void store_term(unsigned char *at, int type, long value) {
  const float narrow = (float)value / 8;
  const double wide = (double)value * (1 + 1.0 / (1 << 20));
  if (type == RCCE_FLOAT)
    memcpy(at, &narrow, sizeof narrow);
  else if (type == RCCE_DOUBLE)
    memcpy(at, &wide, sizeof wide);
  else
    store_element(at, type, value * (type == RCCE_LONG ? (1L << 20) + 1 : 129), 0);
}

/* One rank's operand. */
static void fill_operand(unsigned char *vector, size_t elements, int type, int op, int rank, int repetition) {
  const size_t bytes = element_bytes(type);
  const long weight = weight_of(rank, repetition);
  for (size_t i = 0; i < elements; ++i) {
    const long base = base_of(i, repetition);
    const int decides = op != RCCE_SUM && rank == deciding_rank(i, elements, repetition);
    if (op == RCCE_PROD)
      store_element(vector + i * bytes, type, is_negative(base, rank) ? -1 : 1, doubles(rank, repetition));
    else
      store_term(vector + i * bytes, type,
                 base + shift_of(i, repetition, op) + (decides ? deciding_weight(op) : weight));
  }
}

/* One rank's operand of numbers whose sums and products are rounded otherwise in another order of the ranks,
 * of a few ranks in every second to fourth element. Each draw has others. */
static void fill_inexact_operand(unsigned char *vector, size_t elements, int type, int rank, int draw) {
  for (size_t place = 0; place < elements; ++place) {
    const size_t i = place + (size_t)draw * elements;
    const double value = 1.0 / (3 + (i * 7 + (size_t)rank * 37) % 101) + (rank % 3 == 1 ? 1.0 : 0.5);
    const float narrow = (float)value;
    memcpy(vector + place * element_bytes(type),
           type == RCCE_FLOAT ? (const void *)&narrow : (const void *)&value, element_bytes(type));
  }
}

/* What combining the operands of all ranks gives. */
static void fill_result(unsigned char *vector, size_t elements, int type, int op, int ranks, int repetition) {
  const size_t bytes = element_bytes(type);
  long sum = 0, least = weight_of(0, repetition), most = least;
  int doublings = 0;
  unsigned char negative[62] = {0}; /* by base */
  for (int rank = 0; rank < ranks; ++rank) {
    const long weight = weight_of(rank, repetition);
    sum += weight;
    least = weight < least ? weight : least;
    most = weight > most ? weight : most;
    doublings += doubles(rank, repetition);
    for (long base = 1; op == RCCE_PROD && base < 62; ++base)
      negative[base] ^= (unsigned char)is_negative(base, rank);
  }
  for (size_t i = 0; i < elements; ++i) {
    const long base = base_of(i, repetition), shifted = base + shift_of(i, repetition, op);
    if (op == RCCE_PROD)
      store_element(vector + i * bytes, type, negative[base] ? -1 : 1, doublings);
    else if (op != RCCE_SUM && deciding_rank(i, elements, repetition) < ranks)
      store_term(vector + i * bytes, type, shifted + deciding_weight(op));
    else
      store_term(vector + i * bytes, type,
                 op == RCCE_SUM   ? ranks * base + sum
                 : op == RCCE_MIN ? shifted + least
                                  : shifted + most);
  }
}

#endif
