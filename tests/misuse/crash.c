/* Crashes of every kind, argv[1], on rank 1 while the others wait in a barrier or compute. The report has to
 * come in each case; the tests look for it. */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "RCCE.h"

static int me;

__attribute__((noinline)) static long recurse(long depth) {
  volatile char frame[65536];
  frame[depth % 65536] = (char)depth;
  return recurse(depth + 1) + frame[0];
}

static void again(int signal) {
  (void)signal;
  *(volatile int*)8 = 1; /* a handler that crashes itself */
}

/* What a wild store would do to the runtime, whose heap is the C library's: the program's own malloc is
 * another. */
static void wreck_heap(void) {
  void* library = dlopen("libc.so.6", RTLD_NOW);
  void* (*allocate)(size_t) = (void* (*)(size_t))dlsym(library, "malloc");
  char* place = allocate(24);
  size_t reach;
  for (reach = 0; reach < 64; ++reach) memset(place - 16 * reach, 0x5a, 16);
}

static void crash(const char* what) {
  if (!strcmp(what, "store")) {
    *(volatile int*)16 = 1;
  } else if (!strcmp(what, "jump")) {
    void (*volatile nowhere)(void) = NULL;
    nowhere();
  } else if (!strcmp(what, "jump-low")) {
    void (*volatile nowhere)(void) = (void (*)(void))0x1234;
    nowhere();
  } else if (!strcmp(what, "stack")) {
    recurse(0);
  } else if (!strcmp(what, "stack-pointer")) {
    __asm__ volatile("movq $64, %rsp\n\tpushq %rax");
  } else if (!strcmp(what, "abort")) {
    abort();
  } else if (!strcmp(what, "divide")) {
    volatile int zero = me - 1;
    printf("%d\n", 7 / zero);
  } else if (!strcmp(what, "illegal")) {
    __asm__ volatile("ud2");
  } else if (!strcmp(what, "bus")) {
    FILE* file = tmpfile();
    char* beyond = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(file), 0);
    printf("%d\n", *(volatile char*)beyond);
  } else if (!strcmp(what, "free-twice")) {
    void* block = malloc(100);
    free(block);
    free(block);
    abort();
  } else if (!strcmp(what, "handler")) {
    signal(SIGSEGV, again);
    *(volatile int*)16 = 1;
  } else if (!strcmp(what, "kill-self")) {
    kill(getpid(), SIGSEGV);
  } else if (!strcmp(what, "heap-and-store")) {
    wreck_heap();
    *(volatile int*)16 = 1;
  } else if (!strcmp(what, "heap-and-call")) {
    wreck_heap();
    int n;
    for (n = 0; n < 1000; ++n) printf("%s\n", what), RCCE_barrier(&RCCE_COMM_WORLD);
    abort();
  } else {
    printf("unknown kind of crash: %s\n", what);
    exit(99);
  }
}

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  printf("rank %d is here\n", me);
  fflush(stdout);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 1) crash(argc > 1 ? argv[1] : "");
  for (;;) {
    if (me == 2 && argc > 2) continue; /* computes, in the program's own code */
    RCCE_barrier(&RCCE_COMM_WORLD);
  }
}
