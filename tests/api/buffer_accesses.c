/* A program's own loads and stores of message buffers take what the lines of a get and a put take, however
 * they are written; a line that is at hand, or that a store has just met, takes nothing. */
#include <stdint.h>
#include <stdlib.h>

#include "RCCE_lib.h"

#include "rockcreek.h"
#include "ue_check.h"

enum { lines = 64, bytes = 32 * lines, words = bytes / 8, ways = 10, stored_ways = 7 };

static char kept[bytes] __attribute__((aligned(64)));
static volatile uint64_t sum;
typedef struct {
  char bytes[bytes];
} Block;

__attribute__((noinline)) static void load(const char* from, int way) {
  const uint64_t* const word = (const uint64_t*)from;
  uint64_t all = 0;
  switch (way) {
  case 0:
    memcpy(kept, from, bytes);
    break;
  case 1:
    for (int i = 0; i < words; ++i) all += word[i];
    break;
  case 2: /* of which the compiler makes no counted loop */
    for (int i = 0; i < words && all != 12345; ++i) all = all * 3 + word[i];
    break;
  case 3:
    for (int i = 0; i < bytes; ++i) all += ((t_vcharp)from)[i];
    break;
  case 4:
    *(Block*)kept = *(const Block*)from;
    break;
  case 5:
    for (const char* at = from + bytes; at > from;) all += (unsigned char)*--at;
    break;
  case 6: /* lines one by one, with several words each */
    for (int i = 0; i < words; i += 4) all ^= word[i] + word[i + 1] * word[i + 2] - word[i + 3];
    break;
  case 7:
    all = (uint64_t)memcmp(kept, from, bytes);
    break;
  case 8: /* a word of each line, in any order */
    for (int i = 0; i < lines; ++i) all += word[i * 5 % lines * 4];
    break;
  default:
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < words / 2; ++k) all += word[i * (words / 2) + k];
  }
  sum += all;
}

__attribute__((noinline)) static void store(char* to, int way) {
  uint64_t* const word = (uint64_t*)to;
  switch (way) {
  case 0:
    memcpy(to, kept, bytes);
    break;
  case 1:
    for (int i = 0; i < words; ++i) word[i] = (uint64_t)i;
    break;
  case 2:
    for (int i = 0; i < words && sum != 12345; ++i) word[i] = (uint64_t)i;
    break;
  case 3:
    for (int i = 0; i < bytes; ++i) ((t_vcharp)to)[i] = (unsigned char)i;
    break;
  case 4:
    *(Block*)to = *(Block*)kept;
    break;
  case 5:
    memset(to, 7, bytes);
    break;
  default:
    for (int i = 0; i < words; i += 4) {
      word[i] = 1;
      word[i + 1] = 2;
      word[i + 3] = 3;
    }
  }
}

/* Picoseconds past the library: without what it takes to ask for the time. */
static long long begun, asking, asked;
static void begin(void) {
  begun = rcce_picoseconds();
  asked = 0;
}
static long long elapsed(void) { return rcce_picoseconds() - begun - ++asked * asking; }

/* Whether these are lines of so much each, and `more` picoseconds at most. */
static void check_lines(const char* what, int way, int count, long long each, long long more) {
  const long long took = elapsed();
  CHECK(took >= count * each && took <= count * each + more, "%s %d: %lld ps for %lld", what, way, took,
        count * each);
}

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  const int me = RCCE_ue(), other = 2;
  const long long cycle = 1875, mesh = 1250, element = 10 * cycle;
  /* Core 2 is on the tile beside that of core 0. What a copy's private side takes of a line that is near
   * comes to both; memcpy() stores its words one by one. */
  const long long near = 8 * cycle, words_of_memcpy = 8 * 17 * cycle;
  const long long get = 86 * cycle + 8 * mesh + near, put = 66 * cycle + near, flight = 4 * mesh;
  char *const far = (char*)RCCE_comm_buffer[other] + 2048, *volatile const changed = far;
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) {
    begin();
    asking = elapsed();
    rcce_touch(kept, bytes, 0);
    for (int way = 0; way < ways; ++way) {
      const int is_memcpy = way == 0 || way == 4;
      const long long each = get + (is_memcpy ? words_of_memcpy - near : 0);
      const long long looks = way == 3 ? 2LL * bytes * 200000 : 0; /* volatile reads count as these, too */
      begin();
      load(far, way);
      check_lines("loads", way, lines, each, looks);
      load(far, way);
      check_lines("loads behind a call", way, 2 * lines, each, looks);
    }
    begin();
    load(far, 1);
    load(far, 6);
    check_lines("at hand", 0, lines, get, 0);
    begin();
    load(far, 1);
    __asm__ volatile(".byte 0x0f, 0x0a" ::: "memory"); /* CL1INVMB, as programs of the chip have it */
    load(far, 1);
    check_lines("behind the chip's own instruction", 0, 2 * lines, get, 0);
    begin();
    load(far, 1);
    changed[0] ^= 1;
    load(far, 6);
    check_lines("a store, and a line that is another then", 0, 1, (lines + 1) * get + put + flight, 0);
    for (int way = 0; way < stored_ways; ++way) {
      begin();
      store(far, way);
      /* A loop that is not told of at once waits for each line. */
      check_lines("stores", way, 1, lines * put + flight, lines * flight);
      store(far, way);
      check_lines("stores behind a call", way, 2, lines * put + flight, 2 * lines * flight);
    }
    begin();
    for (int i = 0; i < 100; ++i) changed[i % 32] = (char)i;
    check_lines("one line", 0, 1, put + flight, 0);
    begin();
    rcce_combine(RCCE_SUM, RCCE_DOUBLE, kept, far, words);
    check_lines("rcce_combine", 0, 1, lines * get + words * element, asking);
    begin();
    rcce_copy(kept, far, bytes);
    check_lines("rcce_copy", 0, lines, get + 8 * cycle, 20 * cycle + asking);
  }
  return check_finalize();
}
