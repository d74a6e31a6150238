/* SPDX-License-Identifier: Apache-2.0 */
/* RCCE_memcpy.c - the library's copy routines between private memory and message-passing buffers, for
 * programs that include this file. On the chip they are string moves; here a plain copy does the same. */
#include <string.h>

static inline void *memcpy_get(void *dest, const void *src, size_t count) { return memcpy(dest, src, count); }

static inline void *memcpy_put(void *dest, const void *src, size_t count) { return memcpy(dest, src, count); }
