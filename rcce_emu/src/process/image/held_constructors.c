/* SPDX-License-Identifier: Apache-2.0 */
/* How it comes first: the dynamic linker resolves an indirect function while it relocates the runtime, before
 * it runs any constructor. Until then nothing of the C library may be called. */
#include "held_constructors.h"

#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define HIDDEN __attribute__((visibility("hidden")))
enum { most_objects = 256 };

HIDDEN struct rockcreek_held rockcreek_held_constructors[most_objects];
HIDDEN size_t rockcreek_held_count;

static int same(const char *a, const char *b) {
  for (; *a && *a == *b; a++, b++) continue;
  return *a == *b;
}

static const char *last_part(const char *path) {
  const char *last = path;
  for (; *path; path++)
    if (*path == '/') last = path + 1;
  return last;
}

/* Of languages that keep what belongs to a process in their library: Fortran its units, with a lock that a UE
 * would hold while others run. */
HIDDEN int rockcreek_is_language_library(const char *path) {
  static const char names[][16] = {"libgfortran.so"};
  size_t i;
  for (i = 0; i < sizeof names / sizeof *names; i++) {
    const char *name = names[i], *at = last_part(path);
    for (; *name && *name == *at; name++, at++) continue;
    if (!*name) return 1;
  }
  return 0;
}

HIDDEN int rockcreek_is_system_path(const char *path) {
  static const char folders[][16] = {"/lib/",         "/lib32/",         "/lib64/",     "/libx32/",
                                     "/usr/lib/",     "/usr/lib32/",     "/usr/lib64/", "/usr/libx32/",
                                     "/usr/libexec/", "/usr/local/lib/", "/nix/store/", "/gnu/store/"};
  size_t i;
  if (rockcreek_is_language_library(path)) return 0;
  for (i = 0; i < sizeof folders / sizeof *folders; i++) {
    const char *folder = folders[i], *at = path;
    for (; *folder && *folder == *at; folder++, at++) continue;
    if (!*folder) return 1;
  }
  return 0;
}

/* Of a dynamic table; addresses in it are absolute by now, but in tables that the host keeps constant. */
static ElfW(Dyn) *entry(const struct link_map *object, ElfW(Sxword) tag) {
  ElfW(Dyn) *at = object->l_ld;
  for (; at && at->d_tag != DT_NULL; at++)
    if (at->d_tag == tag) return at;
  return NULL;
}

static const char *names_of(const struct link_map *object) {
  const ElfW(Dyn) *names = entry(object, DT_STRTAB);
  if (!names) return NULL;
  return (const char *)(names->d_un.d_ptr < object->l_addr ? names->d_un.d_ptr + object->l_addr
                                                           : names->d_un.d_ptr);
}

static int is_called(const struct link_map *object, const char *needed) {
  const char *names = names_of(object);
  const ElfW(Dyn) *soname = entry(object, DT_SONAME);
  if (soname && names && same(names + soname->d_un.d_val, needed)) return 1;
  return same(object->l_name, needed) || same(last_part(object->l_name), last_part(needed));
}

/* The address of the runtime itself. */
extern const char rockcreek_runtime_base[] __asm__("__ehdr_start") HIDDEN;

static int is_program(const struct link_map *object) {
  const ElfW(Dyn) *symbols = entry(object, DT_SYMTAB), *table = entry(object, DT_GNU_HASH);
  const char *names = names_of(object);
  const uint32_t *hash, *buckets, *chains;
  uint32_t bucket, i;
  if (!symbols || !table || !names) return 0;
  hash = (const uint32_t *)(table->d_un.d_ptr);
  buckets = hash + 4 + 2 * hash[2];
  chains = buckets + hash[0];
  for (bucket = 0; bucket < hash[0]; bucket++) {
    if ((i = buckets[bucket]) < hash[1]) continue;
    for (;; i++) {
      const ElfW(Sym) *symbol = (const ElfW(Sym) *)symbols->d_un.d_ptr + i;
      if (same(names + symbol->st_name, "rockcreek_image") && symbol->st_shndx != SHN_UNDEF) return 1;
      if (chains[i - hash[1]] & 1) break;
    }
  }
  return 0;
}

/* The table's page may be constant already. It stays writable. */
static void open_page(const void *address) {
  const uintptr_t page = (uintptr_t)address & ~(uintptr_t)4095;
  long result;
#if defined(__x86_64__)
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(SYS_mprotect), "D"(page), "S"(8192ul), "d"(PROT_READ | PROT_WRITE)
                   : "rcx", "r11", "memory");
#endif
  (void)result;
}

static void nothing(void) {}

static void hold(const struct link_map *library) {
  ElfW(Dyn) *const init = entry(library, DT_INIT), *const array = entry(library, DT_INIT_ARRAY),
                   *const bytes = entry(library, DT_INIT_ARRAYSZ);
  struct rockcreek_held *held = &rockcreek_held_constructors[rockcreek_held_count++];
  held->library = library;
  if (init) {
    held->init = init->d_un.d_ptr;
    open_page(init);
    init->d_un.d_ptr = (ElfW(Addr))&nothing - library->l_addr;
  }
  if (array && bytes) {
    held->array = array->d_un.d_ptr;
    held->count = bytes->d_un.d_val / sizeof(ElfW(Addr));
    open_page(bytes);
    bytes->d_un.d_val = 0;
  }
}

enum { mark_own = 1, mark_system = 2, mark_runtime = 4 };

/* Of the objects that the process has begun with. */
static struct link_map *objects[most_objects];
static unsigned char marks[most_objects];
static size_t count;

/* Adds `mark` to an object and to all that it needs. */
static void mark_needed(size_t from, unsigned char mark) {
  const char *names = names_of(objects[from]);
  const ElfW(Dyn) *at = objects[from]->l_ld;
  size_t i;
  if (marks[from] & mark) return;
  marks[from] |= mark;
  if (!names) return;
  for (; at->d_tag != DT_NULL; at++) {
    if (at->d_tag != DT_NEEDED) continue;
    for (i = 1; i < count; i++)
      if (is_called(objects[i], names + at->d_un.d_val)) {
        mark_needed(i, mark);
        break;
      }
  }
}

static void hold_constructors(void) {
  struct link_map *object = _r_debug.r_map;
  size_t i;
  for (; object && count < most_objects; object = object->l_next) objects[count++] = object;
  if (object) count = 0;
  if (count == 0) return;
  for (i = 1; i < count; i++)
    if (objects[i]->l_addr == (ElfW(Addr))rockcreek_runtime_base) mark_needed(i, mark_runtime);
  if (!is_program(objects[0])) return;
  mark_needed(0, mark_own);
  /* What the program does not need has been preloaded. */
  for (i = 1; i < count; i++)
    if (!(marks[i] & mark_own) || rockcreek_is_system_path(objects[i]->l_name) || !*objects[i]->l_name)
      mark_needed(i, mark_system);
  for (i = 1; i < count; i++)
    if (marks[i] == mark_own) hold(objects[i]);
}

HIDDEN enum rockcreek_user rockcreek_user_of(const char *name) {
  size_t i;
  for (i = 1; i < count; i++) {
    if (!is_called(objects[i], name)) continue;
    if (marks[i] & mark_runtime) return rockcreek_used_by_runtime;
    if (marks[i] & mark_system) return rockcreek_used_by_system;
  }
  return rockcreek_used_by_program;
}

static void (*choose(void))(void) {
  hold_constructors();
  return nothing;
}

void rockcreek_come_first(void) __attribute__((ifunc("choose"), visibility("hidden")));
/* So that there is something to resolve. */
HIDDEN void (*rockcreek_first)(void) = rockcreek_come_first;
