/* SPDX-License-Identifier: Apache-2.0 */
/* The program's malloc family and C++ operators new and delete, over the heap of its own core. Hidden, so
 * that they serve this image only, and weak, so that a program may bring its own. Left out of images built
 * with a checker that brings an allocator (-fsanitize=address). Plain C: a C program does not link to
 * libstdc++. */
#include <errno.h>
#include <stddef.h>

#include "rcce_emu/image.h"

/* The runtime takes this file, too, for the program's own libraries (process/libc/state/own_heap.c), under
 * other names. */
#ifndef OWN
#define OWN __attribute__((weak, visibility("hidden")))
#define OWNER rockcreek_image.ue
#define SYMBOL(name) name
#endif

void *rockcreek_heap_malloc(void *ue, size_t bytes);
void *rockcreek_heap_calloc(void *ue, size_t count, size_t bytes);
void *rockcreek_heap_aligned(void *ue, size_t alignment, size_t bytes);
void *rockcreek_heap_realloc(void *ue, void *block, size_t bytes);
void rockcreek_heap_free(void *ue, void *block);
size_t rockcreek_heap_usable_size(void *block);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t most);
void *memcpy(void *to, const void *from, size_t bytes);

static const size_t page_bytes = 4096;

OWN void *malloc(size_t bytes) { return rockcreek_heap_malloc(OWNER, bytes); }
OWN void *calloc(size_t count, size_t bytes) { return rockcreek_heap_calloc(OWNER, count, bytes); }
OWN void *realloc(void *block, size_t bytes) { return rockcreek_heap_realloc(OWNER, block, bytes); }
OWN void free(void *block) {
  if (block) rockcreek_heap_free(OWNER, block);
}
OWN size_t malloc_usable_size(void *block) { return rockcreek_heap_usable_size(block); }

OWN void *reallocarray(void *block, size_t count, size_t bytes) {
  size_t total;
  if (__builtin_mul_overflow(count, bytes, &total)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(block, total);
}

OWN void *memalign(size_t alignment, size_t bytes) {
  return rockcreek_heap_aligned(OWNER, alignment, bytes);
}
OWN void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
OWN void *valloc(size_t bytes) { return memalign(page_bytes, bytes); }
OWN void *pvalloc(size_t bytes) {
  return memalign(page_bytes, (bytes + page_bytes - 1) / page_bytes * page_bytes);
}

OWN int posix_memalign(void **block, size_t alignment, size_t bytes) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  const int before = errno;
  void *found = memalign(alignment, bytes);
  errno = before;
  if (!found) return ENOMEM;
  *block = found;
  return 0;
}

OWN char *strndup(const char *text, size_t most) {
  const size_t length = strnlen(text, most);
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}
OWN char *strdup(const char *text) { return strndup(text, strlen(text)); }

/* --- C++
 * ------------------------------------------------------------------------------------------------------- */

typedef void (*new_handler)(void);
new_handler get_new_handler(void) __asm__("_ZSt15get_new_handlerv") __attribute__((weak));
void throw_bad_alloc(void) __asm__("_ZSt17__throw_bad_allocv") __attribute__((weak, noreturn));

/* Asks the program's new-handler for memory as the standard wants it; NULL where there is none. */
static void *new_block(size_t alignment, size_t bytes) {
  for (;;) {
    void *block = alignment ? memalign(alignment, bytes) : malloc(bytes);
    if (block) return block;
    new_handler handler = get_new_handler ? get_new_handler() : NULL;
    if (!handler) return NULL;
    handler();
  }
}

static void *new_or_throw(size_t alignment, size_t bytes) {
  void *block = new_block(alignment, bytes);
  if (!block) {
    if (throw_bad_alloc) throw_bad_alloc();
    __builtin_trap();
  }
  return block;
}

/* A function under its C++ name: OPERATOR(of new[](size_t), "_Znam", ...). */
#define NAMED(result, name, symbol, ...) \
  OWN result name(__VA_ARGS__) __asm__(SYMBOL(symbol)); \
  result name(__VA_ARGS__)

NAMED(void *, new_one, "_Znwm", size_t bytes) { return new_or_throw(0, bytes); }
NAMED(void *, new_many, "_Znam", size_t bytes) { return new_or_throw(0, bytes); }
NAMED(void *, new_one_aligned, "_ZnwmSt11align_val_t", size_t bytes, size_t alignment) {
  return new_or_throw(alignment, bytes);
}
NAMED(void *, new_many_aligned, "_ZnamSt11align_val_t", size_t bytes, size_t alignment) {
  return new_or_throw(alignment, bytes);
}
NAMED(void *, new_one_nothrow, "_ZnwmRKSt9nothrow_t", size_t bytes, const void *tag) {
  return (void)tag, new_block(0, bytes);
}
NAMED(void *, new_many_nothrow, "_ZnamRKSt9nothrow_t", size_t bytes, const void *tag) {
  return (void)tag, new_block(0, bytes);
}
NAMED(void *, new_one_aligned_nothrow, "_ZnwmSt11align_val_tRKSt9nothrow_t", size_t bytes, size_t alignment,
      const void *tag) {
  return (void)tag, new_block(alignment, bytes);
}
NAMED(void *, new_many_aligned_nothrow, "_ZnamSt11align_val_tRKSt9nothrow_t", size_t bytes, size_t alignment,
      const void *tag) {
  return (void)tag, new_block(alignment, bytes);
}

NAMED(void, delete_one, "_ZdlPv", void *block) { free(block); }
NAMED(void, delete_many, "_ZdaPv", void *block) { free(block); }
NAMED(void, delete_one_sized, "_ZdlPvm", void *block, size_t bytes) { (void)bytes, free(block); }
NAMED(void, delete_many_sized, "_ZdaPvm", void *block, size_t bytes) { (void)bytes, free(block); }
NAMED(void, delete_one_aligned, "_ZdlPvSt11align_val_t", void *block, size_t alignment) {
  (void)alignment, free(block);
}
NAMED(void, delete_many_aligned, "_ZdaPvSt11align_val_t", void *block, size_t alignment) {
  (void)alignment, free(block);
}
NAMED(void, delete_one_sized_aligned, "_ZdlPvmSt11align_val_t", void *block, size_t bytes, size_t alignment) {
  (void)bytes, (void)alignment, free(block);
}
NAMED(void, delete_many_sized_aligned, "_ZdaPvmSt11align_val_t", void *block, size_t bytes,
      size_t alignment) {
  (void)bytes, (void)alignment, free(block);
}
NAMED(void, delete_one_nothrow, "_ZdlPvRKSt9nothrow_t", void *block, const void *tag) {
  (void)tag, free(block);
}
NAMED(void, delete_many_nothrow, "_ZdaPvRKSt9nothrow_t", void *block, const void *tag) {
  (void)tag, free(block);
}
NAMED(void, delete_one_aligned_nothrow, "_ZdlPvSt11align_val_tRKSt9nothrow_t", void *block, size_t alignment,
      const void *tag) {
  (void)alignment, (void)tag, free(block);
}
NAMED(void, delete_many_aligned_nothrow, "_ZdaPvSt11align_val_tRKSt9nothrow_t", void *block, size_t alignment,
      const void *tag) {
  (void)alignment, (void)tag, free(block);
}
