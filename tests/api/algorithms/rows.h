/* SPDX-License-Identifier: Apache-2.0 */
/* The library's rows, for tests that ask what a row has and needs instead of knowing it by name. */
#ifndef ROWS_H
#define ROWS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/algorithm.h"

#ifdef __cplusplus
extern "C"
#else
extern
#endif
    const rockcreek_algorithm* const rockcreek_own_rows[];

static inline const rockcreek_algorithm* row_of(const char* name) {
  const rockcreek_algorithm* const* row = rockcreek_own_rows;
  while (*row != NULL && strcmp((*row)->name, name) != 0) ++row;
  if (*row == NULL) {
    fprintf(stderr, "there is no row %s\n", name);
    exit(1);
  }
  return *row;
}

static inline int row_takes(const char* name, const char* option) {
  const rockcreek_parameter* one = row_of(name)->parameters;
  while (one->name != NULL && strcmp(one->name, option) != 0) ++one;
  return one->name != NULL;
}

#endif
