/* SPDX-License-Identifier: Apache-2.0 */
/* The malloc family and C++ operators new and delete for the program's own libraries: the program's, over the
 * heap of the UE that calls. A library has no part of ours inside; its references are led here. */
#include "process/libc/state/own_heap.h"

#include <errno.h>
#include <stddef.h>

void *rockcreek_calling(void);

#define OWN __attribute__((visibility("hidden")))
#define OWNER rockcreek_calling()
#define SYMBOL(name) "rockcreek_own" name

#define RENAMED(result, name, ...) result name(__VA_ARGS__) __asm__("rockcreek_own_" #name)
RENAMED(void *, malloc, size_t);
RENAMED(void *, calloc, size_t, size_t);
RENAMED(void *, realloc, void *, size_t);
RENAMED(void, free, void *);
RENAMED(size_t, malloc_usable_size, void *);
RENAMED(void *, reallocarray, void *, size_t, size_t);
RENAMED(void *, memalign, size_t, size_t);
RENAMED(void *, aligned_alloc, size_t, size_t);
RENAMED(void *, valloc, size_t);
RENAMED(void *, pvalloc, size_t);
RENAMED(int, posix_memalign, void **, size_t, size_t);
RENAMED(char *, strndup, const char *, size_t);
RENAMED(char *, strdup, const char *);

#include "process/image/part/heap.c"

#define C_NAME(name) {#name, (void *)name}
const struct rockcreek_own_function rockcreek_own_heap[] = {
    C_NAME(malloc),
    C_NAME(calloc),
    C_NAME(realloc),
    C_NAME(free),
    C_NAME(malloc_usable_size),
    C_NAME(reallocarray),
    C_NAME(memalign),
    C_NAME(aligned_alloc),
    C_NAME(valloc),
    C_NAME(pvalloc),
    C_NAME(posix_memalign),
    C_NAME(strndup),
    C_NAME(strdup),
    {"__strdup", (void *)strdup},
    {"__strndup", (void *)strndup},
    {"_Znwm", (void *)new_one},
    {"_Znam", (void *)new_many},
    {"_ZnwmSt11align_val_t", (void *)new_one_aligned},
    {"_ZnamSt11align_val_t", (void *)new_many_aligned},
    {"_ZnwmRKSt9nothrow_t", (void *)new_one_nothrow},
    {"_ZnamRKSt9nothrow_t", (void *)new_many_nothrow},
    {"_ZnwmSt11align_val_tRKSt9nothrow_t", (void *)new_one_aligned_nothrow},
    {"_ZnamSt11align_val_tRKSt9nothrow_t", (void *)new_many_aligned_nothrow},
    {"_ZdlPv", (void *)delete_one},
    {"_ZdaPv", (void *)delete_many},
    {"_ZdlPvm", (void *)delete_one_sized},
    {"_ZdaPvm", (void *)delete_many_sized},
    {"_ZdlPvSt11align_val_t", (void *)delete_one_aligned},
    {"_ZdaPvSt11align_val_t", (void *)delete_many_aligned},
    {"_ZdlPvmSt11align_val_t", (void *)delete_one_sized_aligned},
    {"_ZdaPvmSt11align_val_t", (void *)delete_many_sized_aligned},
    {"_ZdlPvRKSt9nothrow_t", (void *)delete_one_nothrow},
    {"_ZdaPvRKSt9nothrow_t", (void *)delete_many_nothrow},
    {"_ZdlPvSt11align_val_tRKSt9nothrow_t", (void *)delete_one_aligned_nothrow},
    {"_ZdaPvSt11align_val_tRKSt9nothrow_t", (void *)delete_many_aligned_nothrow},
};
const size_t rockcreek_own_heap_count = sizeof rockcreek_own_heap / sizeof *rockcreek_own_heap;
