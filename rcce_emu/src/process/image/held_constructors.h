/* SPDX-License-Identifier: Apache-2.0 */
/* The dynamic linker loads a program's own shared libraries with the program's file, the one copy that never
 * runs. Their constructors are held back there, before any runs: each UE runs them in copies of its own.
 * Which of the libraries are not copied after all is known later (own_libraries.hpp): theirs are then run
 * once. Plain C: it runs before anything is ready. */
#ifndef ROCKCREEK_HELD_CONSTRUCTORS_H
#define ROCKCREEK_HELD_CONSTRUCTORS_H

#include <link.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rockcreek_held {
  const struct link_map *library;
  ElfW(Addr) init;  /* DT_INIT as the file has it, 0 for none */
  ElfW(Addr) array; /* DT_INIT_ARRAY likewise */
  size_t count;     /* of its functions */
};

/* In the order in which the program reaches the libraries. */
extern struct rockcreek_held rockcreek_held_constructors[];
extern size_t rockcreek_held_count;

/* Whether a file lies where the host keeps its libraries. */
int rockcreek_is_system_path(const char *path);
/* Copied for each UE although it lies in a folder of the system. */
int rockcreek_is_language_library(const char *path);

/* Who, of the objects that the process has begun with, needs the one of this name. */
enum rockcreek_user { rockcreek_used_by_program, rockcreek_used_by_system, rockcreek_used_by_runtime };
enum rockcreek_user rockcreek_user_of(const char *name);

#ifdef __cplusplus
}
#endif
#endif
