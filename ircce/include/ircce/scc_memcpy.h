/* SPDX-License-Identifier: Apache-2.0 */
/* scc_memcpy.h - copies from and to message-passing buffers, under the names that iRCCE 1.x had them. On the
 * chip they were tuned assembly; here they are the library's copies, which are simulated as such. */
#ifndef __SCC_MEMPCY_H_
#define __SCC_MEMPCY_H_

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
void *iRCCE_memcpy_put(void *dest, const void *src, size_t count);
void *iRCCE_memcpy_get(void *dest, const void *src, size_t count);
#ifdef __cplusplus
}
#endif

static inline void *memcpy_from_mpb(void *to, const void *from, size_t n) {
#ifdef GORY
  return memcpy(to, from, n); /* iRCCE exists for the simplified interface only */
#else
  return iRCCE_memcpy_get(to, from, n);
#endif
}

static inline void *memcpy_to_mpb(void *to, const void *from, size_t n) {
#ifdef GORY
  return memcpy(to, from, n);
#else
  return iRCCE_memcpy_put(to, from, n);
#endif
}

#endif
