/* Rank 1 overflows its stack of 16 MB, argv[1] says how; the others wait in a barrier, and the stack of one
 * of them lies below. argv[2]: by how many KB, counted from the stack's beginning. "astray": its stack is
 * nearly empty, and another pointer leads into the guard. */
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"

static volatile char sum;
static volatile size_t far_end; /* which no compiler knows to be 0: it would keep that element only */

/* Touched at one end only, the far one. */
__attribute__((noinline)) static void array(void) {
  volatile char large[(16 << 20) + (92 << 10)];
  large[far_end] = 1;
  sum += large[far_end];
}

__attribute__((noinline)) static void by_alloca(size_t bytes) {
  volatile char* large = alloca(bytes);
  large[far_end] = 1;
  sum += large[far_end];
}

__attribute__((noinline)) static void variable_length(size_t bytes) {
  volatile char large[bytes];
  large[far_end] = 1;
  sum += large[far_end];
}

__attribute__((noinline)) static long deep(long depth) {
  volatile char frame[1 << 20];
  frame[far_end] = (char)depth;
  return deep(depth + 1) + frame[far_end];
}

/* As code does that no compiler has made touch its pages in order. */
__attribute__((noinline)) static void jump(size_t bytes) {
  __asm__ volatile("subq %0, %%rsp\n\tmovb $1, (%%rsp)\n\taddq %0, %%rsp" : : "r"(bytes) : "memory");
}

int RCCE_APP(int argc, char** argv) {
  const char* how;
  size_t bytes;
  RCCE_init(&argc, &argv);
  how = argc > 1 ? argv[1] : "";
  bytes = argc > 2 ? (size_t)atol(argv[2]) << 10 : 0;
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (RCCE_ue() == 1) {
    if (!strcmp(how, "array")) array();
    if (!strcmp(how, "alloca")) by_alloca(bytes);
    if (!strcmp(how, "variable-length")) variable_length(bytes);
    if (!strcmp(how, "deep")) sum = (char)deep(0);
    if (!strcmp(how, "jump")) jump(bytes);
    if (!strcmp(how, "astray")) *((volatile char*)&bytes - bytes) = 1;
    printf("went on after it\n");
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  return 0;
}
