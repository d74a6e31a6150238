/* Wrong uses of the heap: rank 1 does what argv[1] says with blocks of argv[2] bytes. */
#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"

static size_t bytes;
static char *volatile p, *volatile q, *volatile more;

static sigjmp_buf before_fault;

static void on_fault(int number) { siglongjmp(before_fault, number); }

/* The program's own handler for faults goes on elsewhere. */
static void read_handled(void) {
  signal(SIGSEGV, on_fault);
  if (sigsetjmp(before_fault, 1) == 0)
    printf("%d\n", p[bytes / 2]);
}

/* Bytes that a block for `bytes` can hold. */
static size_t room(void) { return (bytes + 7) / 16 * 16 + 8; }

static void wrong(const char *what) {
  if (!strcmp(what, "twice")) {
    free(p);
    free(p);
    more = malloc(bytes);
    more = malloc(bytes);
  } else if (!strcmp(what, "later")) {
    free(p);
    more = malloc(bytes + 64);
    free(more);
    free(p);
  } else if (!strcmp(what, "resized")) {
    free(p);
    more = realloc(p, 2 * bytes);
  } else if (!strcmp(what, "over")) {
    memset(p + room(), 'x', 8);
    free(p);
  } else if (!strcmp(what, "over-neighbour")) {
    memset(p + room(), 'x', 8);
    free(q);
  } else if (!strcmp(what, "over-last")) {
    memset(q + room(), 0, 8);
    more = malloc(bytes);
  } else if (!strcmp(what, "under")) {
    memset(p - 16, 'x', 16);
    free(p);
  } else if (!strcmp(what, "inside")) {
    free(p + 16);
  } else if (!strcmp(what, "on-stack")) {
    char local[64];
    more = local + 16;
    free(more);
  } else if (!strcmp(what, "variable")) {
    static char variable[64];
    more = variable + 16;
    more = realloc(more, 100);
  } else if (!strcmp(what, "shared")) {
    more = (char*)RCCE_shmalloc(64);
    free(more);
  } else if (!strcmp(what, "unshared")) {
    RCCE_shfree((t_vcharp)p);
  } else if (!strcmp(what, "behind-shared")) {
    more = (char*)RCCE_shmalloc(64);
    more[(64 << 20) + 100] = 1;
  } else if (!strcmp(what, "written")) {
    free(p);
    memset(p, 'x', 16);
    more = malloc(bytes);
  } else if (!strcmp(what, "one-byte")) {
    p[bytes] = 'x';
    free(p);
  } else if (!strcmp(what, "written-inside")) {
    free(p);
    p[bytes / 2] = 'x';
  } else if (!strcmp(what, "read-inside")) {
    free(p);
    printf("%d\n", p[bytes / 2]);
  } else if (!strcmp(what, "written-late") ||
             !strcmp(what, "followed-late")) { /* behind more blocks than get pages of their own */
    for (int i = 0; i < 9000; ++i)
      more = malloc(16);
    void *volatile *node = malloc(bytes);
    node[3] = (void *)node;
    free((void *)node);
    if (!strcmp(what, "followed-late"))
      *(void *volatile *)node[3] = NULL;
    ((char *)node)[bytes / 2] = 'x';
  } else if (!strcmp(what, "followed")) {
    void *volatile *node = malloc(64);
    node[3] = (void *)node;
    free((void *)node);
    *(void *volatile *)node[3] = NULL;
  } else if (!strcmp(what, "kept")) { /* no error: freed memory keeps all but its first two words */
    char *copy = malloc(bytes);
    memcpy(copy, p, bytes);
    free(p);
    printf("%s\n", memcmp(copy + 16, p + 16, bytes - 16) ? "FAILED" : "kept");
    free(q);
    free(copy);
  } else if (!strcmp(what, "listed")) { /* the C library allocates and frees on behalf of the UE */
    struct dirent **names;
    int count = scandir("/", &names, NULL, alphasort);
    while (count > 0) free(names[--count]);
    free(names);
  } else if (!strcmp(what, "read-handled")) {
    free(p);
    read_handled();
  } else if (!strcmp(what, "leak")) {
    free(q);
  } else if (!strcmp(what, "leak-copy")) {
    free(q);
    p = strdup("a text");
    p[0] = 'A';
  }
}

int main(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  bytes = argc > 2 ? (size_t)atol(argv[2]) : 100;
  if (RCCE_ue() == 1) {
    p = malloc(bytes);
    q = malloc(bytes);
    memset(p, 1, bytes);
    memset(q, 2, bytes);
    wrong(argv[1]);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  printf("rank %d ok\n", RCCE_ue());
  return 0;
}
