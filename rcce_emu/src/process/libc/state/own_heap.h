/* SPDX-License-Identifier: Apache-2.0 */
/* What stands for the C library's and the C++ library's allocation in the program's own libraries. */
#ifndef ROCKCREEK_OWN_HEAP_H
#define ROCKCREEK_OWN_HEAP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rockcreek_own_function {
  const char *name; /* by which libraries call it */
  void *function;
};

extern const struct rockcreek_own_function rockcreek_own_heap[] __attribute__((visibility("hidden")));
extern const size_t rockcreek_own_heap_count __attribute__((visibility("hidden")));

#ifdef __cplusplus
}
#endif
#endif
