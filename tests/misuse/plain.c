/* What a program's own loads and stores do to shared memory and message-passing buffers, right and wrong, one
 * by each word. Compiled with -DGORY, with and without rccecc --observe. */
#include "RCCE.h"
#include "RCCE_lib.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int* word;  /* in shared memory, one line apart */
static t_vcharp place;      /* in the message-passing buffer of rank 0 */
static char buffer[64];

enum { line = 8 };

/* Everybody adds one; under a lock or not. */
static void count(int me, int locked) {
  if (locked) RCCE_acquire_lock(0);
  word[0]++;
  if (locked) RCCE_release_lock(0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) printf("%d\n", word[0]);
}

/* The same by single bytes of a buffer. */
static void count_in_buffer(int me) {
  const t_vcharp at = RC_COMM_BUFFER_START(0) + (place - RC_COMM_BUFFER_START(RCCE_ue()));
  at[0]++;
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) printf("%d\n", at[0]);
}

/* Rank 1 writes, rank 0 reads: behind a barrier or not. */
static void read_early(int me, int ordered) {
  int value = 0;
  if (me == 1) word[0] = 5;
  if (ordered) RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) value = word[0];
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) printf("%d\n", value);
}

/* Copies of several words, by memcpy and by the library. */
static void copies(int me, int ordered) {
  int data[line] = {me, me, me, me, me, me, me, me};
  if (me == 1) memcpy((void*)word, data, sizeof data);
  if (ordered) RCCE_barrier(&RCCE_COMM_WORLD);
  if (me != 0) return;
  RCCE_put(place, (t_vcharp)word, 32, 0);
  RCCE_get((t_vcharp)data, place, 32, 0);
  printf("%d\n", data[0]);
}

/* Rank 0 waits for a word of its own making before it reads another; then hands a third back in the same
 * way. */
static void own_flag(int me) {
  if (me == 1) {
    word[line] = 7;
    word[0] = 1;
    for (;;) {
      const int seen = word[2 * line];
      if (seen == 1) break;
      rcce_compute(100);
    }
    printf("%d\n", word[3 * line]);
  } else if (me == 0) {
    while (!word[0]) {}
    printf("%d\n", word[line]);
    word[3 * line] = 8;
    word[2 * line] = 1;
  }
}

/* A lock of its own making. */
static void own_lock(int me) {
  while (__sync_lock_test_and_set(word, 1)) {}
  word[line]++;
  __sync_lock_release(word);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) printf("%d\n", word[line]);
}

/* Ranks 0 and 1 agree by Peterson's words, of which the second is written by both and mostly not asked
 * for. */
static void own_words(int me) {
  volatile int *wishes = word, *turn = word + line, *sum = word + 2 * line;
  int i;
  for (i = 0; me < 2 && i < 3; ++i) {
    wishes[me] = 1;
    *turn = 1 - me;
    while (wishes[1 - me] && *turn == 1 - me) {}
    *sum += 1;
    wishes[me] = 0;
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  *turn = 0;
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) printf("%d\n", *sum);
}

/* Everybody leaves another value, and one is used. */
static void last_one(int me) {
  word[0] = me;
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) printf("%d\n", word[0] + 1);
}

/* The same beside a word of the line that a loop asks for. */
static void last_beside_asked(int me) {
  word[0] = me;
  if (me == 1) word[1] = 1;
  if (me == 0)
    while (!word[1]) {}
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) printf("%d\n", word[0] + 1);
}

/* Everybody clears the same words. */
static void same_values(void) {
  memset((void*)(word + line), 0, 64);
  word[0] = 3;
  RCCE_barrier(&RCCE_COMM_WORLD);
  printf("%d\n", word[0] + word[line]);
}

/* A lock of its own making that is none: two may find it free. */
static void no_lock(int me) {
  while (word[0]) {}
  word[0] = 1;
  word[line]++;
  word[0] = 0;
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) printf("%d\n", word[line]);
}

/* Whoever comes first of two. */
static void which(int me) {
  if (me != 0) {
    word[me] = 1;
    return;
  }
  while (!word[1] && !word[2]) {}
  printf("%d %d\n", word[1], word[2]);
}

/* The same twice, in one loop that is called for each word. */
static void wait_for(volatile int* one, volatile int* other) {
  while (!*one && !*other) {}
}
static void which_of_two(int me) {
  if (me == 2) {
    word[1] = 1;
    word[0] = 1;
    word[3] = 1;
  } else if (me == 0) {
    wait_for(word, word + 1);
    word[2] = 1 + word[0];
  } else {
    wait_for(word + 2, word + 3);
    printf("%d\n", word[2]);
  }
}

/* What inline assembler does nobody sees; pauses and barriers of the compiler do nothing. */
static void assembler(int me) {
  if (me == 1) __asm__ volatile("movl $1, %0" : "=m"(word[0]));
  if (me == 2) __asm__ volatile("movl $1, (%0)" : : "r"((unsigned long)(word + line)) : "memory");
  RCCE_barrier(&RCCE_COMM_WORLD);
}
static void pauses(int me) {
  if (me == 1) word[0] = 1;
  if (me == 0)
    while (!word[0]) __asm__ volatile("pause" ::: "memory");
}

/* strcpy is no code of the program. */
static void by_others(int me) {
  if (me == 1) strcpy((char*)word, buffer);
}

static void freed(int me) {
  const t_vcharp block = RCCE_malloc(64);
  RCCE_barrier(&RCCE_COMM_WORLD);
  RCCE_free(block);
  if (me == 0) RCCE_put(block, (t_vcharp)buffer, 64, 1);
}

static void freed_by_owner(int me) {
  const t_vcharp block = RCCE_malloc(64);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 1) RCCE_free(block);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) RCCE_get((t_vcharp)buffer, block, 64, 1);
}

/* The same place again, which a rank may have before the other. */
static void freed_and_taken(int me) {
  t_vcharp block = RCCE_malloc(64);
  RCCE_free(block);
  if (me == 1) rcce_compute(100000);
  block = RCCE_malloc(64);
  if (me == 0) RCCE_put(block, (t_vcharp)buffer, 64, 1);
}

static void freed_twice(int shared) {
  const t_vcharp block = shared ? RCCE_shmalloc(64) : RCCE_malloc(64);
  (shared ? RCCE_shfree : RCCE_free)(block);
  (shared ? RCCE_shfree : RCCE_free)(block);
}

static void freed_inside(int shared) {
  const t_vcharp block = shared ? RCCE_shmalloc(64) : RCCE_malloc(64);
  (shared ? RCCE_shfree : RCCE_free)(block + 32);
}

/* By an address of another UE's buffer, and of the UE's own stack. */
static void freed_elsewhere(int shared) {
  char own[64];
  own[0] = 0;
  if (shared) RCCE_shfree((t_vcharp)own);
  else RCCE_free(RC_COMM_BUFFER_START((RCCE_ue() + 1) % RCCE_num_ues()) + 96);
}

/* Right: the allocator of shared memory manages the UE's own. */
static void manages_own(void) {
  char* const own = malloc(4096);
  RCCE_shmalloc_init((t_vcharp)own, 4096);
  const t_vcharp block = RCCE_shmalloc(3000);
  RCCE_shfree(block);
  if (RCCE_shmalloc(3000) != block) printf("not freed\n");
}

/* UEs that share memory do not allocate alike: another size, another order, a block that rank 0 keeps. */
static void shared_unlike(int me, const char* how) {
  const int order = !strcmp(how, "order"), kept = !strcmp(how, "kept");
  volatile int *first = (volatile int*)RCCE_shmalloc(kept ? 64 : order == me ? 32 : 64), *second;
  if (kept) {
    if (me == 0) first[0] = 1;
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 1) RCCE_shfree((t_vcharp)first);
  }
  second = (volatile int*)RCCE_shmalloc(order && me == 0 ? 32 : kept ? 96 : 64);
  if (me == 0 && !kept) first[0] = 1;
  if (me == 0) second[0] = 1;
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 1) printf("%d\n", second[kept ? 20 : 0] + (kept ? 0 : first[0]));
}

/* Right: rank 0 alone has a block, and passes it on; all free and allocate anew at their own speed. */
static void shared_alike(int me) {
  volatile int* alone = 0;
  volatile int* all = (volatile int*)RCCE_shmalloc(64);
  if (me == 0) all[0] = 1;
  RCCE_barrier(&RCCE_COMM_WORLD);
  all[me + 1] = all[0];
  RCCE_barrier(&RCCE_COMM_WORLD);
  RCCE_shfree((t_vcharp)all);
  all = (volatile int*)RCCE_shmalloc(128); /* others may still hold the smaller one */
  if (me == 0) all[0] = 1;
  RCCE_barrier(&RCCE_COMM_WORLD);
  all[me + 1] = all[0];
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) {
    alone = (volatile int*)RCCE_shmalloc(256);
    alone[0] = 7;
    *(volatile int* volatile*)all = alone;
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 1) printf("%d\n", (*(volatile int* volatile*)all)[0]);
}

/* Ranks 1 and 2 write the same flag of rank 0: other values, the same, or in turn. */
static void flag(int me, int value, int ordered) {
  RCCE_FLAG of_two;
  RCCE_flag_alloc(&of_two);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 1) RCCE_flag_write(&of_two, RCCE_FLAG_SET, 0);
  if (ordered) RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 2) RCCE_flag_write(&of_two, value ? RCCE_FLAG_SET : RCCE_FLAG_UNSET, 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
}

int RCCE_APP(int argc, char** argv) {
  const char* kind;
  int me;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  kind = argc > 1 ? argv[1] : "";
  word = (volatile int*)RCCE_shmalloc(4 * 32);
  place = RCCE_malloc(32);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (!strcmp(kind, "count")) count(me, 0);
  if (!strcmp(kind, "count-locked")) count(me, 1);
  if (!strcmp(kind, "count-in-buffer")) count_in_buffer(me);
  if (!strcmp(kind, "read-early")) read_early(me, 0);
  if (!strcmp(kind, "read-late")) read_early(me, 1);
  if (!strcmp(kind, "copies")) copies(me, 0);
  if (!strcmp(kind, "copies-late")) copies(me, 1);
  if (!strcmp(kind, "own-flag")) own_flag(me);
  if (!strcmp(kind, "own-lock")) own_lock(me);
  if (!strcmp(kind, "own-words")) own_words(me);
  if (!strcmp(kind, "no-lock")) no_lock(me);
  if (!strcmp(kind, "which")) which(me);
  if (!strcmp(kind, "which-of-two")) which_of_two(me);
  if (!strcmp(kind, "assembler")) assembler(me);
  if (!strcmp(kind, "pauses")) pauses(me);
  if (!strcmp(kind, "last-one")) last_one(me);
  if (!strcmp(kind, "last-beside-asked")) last_beside_asked(me);
  if (!strcmp(kind, "same-values")) same_values();
  if (!strcmp(kind, "by-others")) by_others(me);
  if (!strcmp(kind, "freed")) freed(me);
  if (!strcmp(kind, "freed-by-owner")) freed_by_owner(me);
  if (!strcmp(kind, "freed-and-taken")) freed_and_taken(me);
  if (!strcmp(kind, "freed-twice")) freed_twice(0);
  if (!strcmp(kind, "freed-inside")) freed_inside(0);
  if (!strcmp(kind, "shfreed-twice")) freed_twice(1);
  if (!strcmp(kind, "shfreed-inside")) freed_inside(1);
  if (!strcmp(kind, "freed-elsewhere")) freed_elsewhere(0);
  if (!strcmp(kind, "shfreed-elsewhere")) freed_elsewhere(1);
  if (!strcmp(kind, "shmanaged-own")) manages_own();
  if (!strcmp(kind, "shunlike")) shared_unlike(me, "size");
  if (!strcmp(kind, "shunlike-order")) shared_unlike(me, "order");
  if (!strcmp(kind, "shunlike-kept")) shared_unlike(me, "kept");
  if (!strcmp(kind, "shalike")) shared_alike(me);
  if (!strcmp(kind, "flag-of-two")) flag(me, 0, 0);
  if (!strcmp(kind, "flag-of-two-same")) flag(me, 1, 0);
  if (!strcmp(kind, "flag-in-turn")) flag(me, 0, 1);
  RCCE_barrier(&RCCE_COMM_WORLD);
  RCCE_finalize();
  return 0;
}
