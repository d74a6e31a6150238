/* What the C library keeps between calls belongs to a UE: rand, strtok, getopt, errno, environment, stdio
 * order. Every UE works in small steps with a scheduling point between them. */
#include <arpa/inet.h>
#include <errno.h>
#include <fenv.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ue_check.h"

static void others_run(void) {
  RCCE_barrier(&RCCE_COMM_WORLD);
}

static void test_rand(int me) {
  int first[5], n;
  for (n = 0; n < 5; ++n) {
    first[n] = rand();
    others_run();
  }
  srand(1);
  for (n = 0; n < 5; ++n) CHECK_INT(rand(), first[n]); /* unseeded is seeded by 1 */
  srand(100 + me);
  for (n = 0; n < 5; ++n) {
    first[n] = rand();
    others_run();
  }
  srand(100 + me);
  others_run();
  for (n = 0; n < 5; ++n) CHECK_INT(rand(), first[n]);
}

static void test_strtok(int me) {
  char text[64];
  char* word;
  int n;
  sprintf(text, "%d,%d,%d", me, me + 1, me + 2);
  for (n = 0, word = strtok(text, ","); word; word = strtok(NULL, ","), ++n) {
    CHECK_INT(atoi(word), me + n);
    others_run();
  }
  CHECK_INT(n, 3);
}

static void test_texts(int me) {
  struct in_addr own;
  const char *address, *error = strerror(1000 + me), *signal = strsignal(100 + me);
  own.s_addr = htonl((unsigned)me);
  address = inet_ntoa(own);
  others_run();
  CHECK_INT(atoi(strrchr(address, '.') + 1), me);
  CHECK_INT(atoi(strpbrk(error, "0123456789")), 1000 + me);
  CHECK_INT(atoi(strpbrk(signal, "0123456789")), 100 + me);
}

/* Of both units of the processor. */
static void test_exceptions(int me) {
  volatile double one = 1, zero = 0, result = 0;
  volatile long double long_one = 1, long_zero = 0, long_result = 0;
  feclearexcept(FE_ALL_EXCEPT);
  others_run();
  if (me == 0) result = one / zero;
  if (me == 1) long_result = long_one / long_zero;
  others_run();
  CHECK_INT(fetestexcept(FE_DIVBYZERO) != 0, me < 2);
  others_run();
  feclearexcept(FE_ALL_EXCEPT);
  (void)result;
  (void)long_result;
}

static void test_getopt(int argc, char** argv, int me) {
  char number[16];
  char* own[6];
  int option, n = 0;
  (void)argc;
  sprintf(number, "%d", me);
  own[0] = argv[0];
  own[1] = "-a";
  own[2] = "-n";
  own[3] = number;
  own[4] = "rest";
  own[5] = NULL;
  CHECK_INT(optind, 1);
  while ((option = getopt(5, own, "an:")) != -1) {
    others_run();
    CHECK(option == (n == 0 ? 'a' : 'n'), "option %c", option);
    if (option == 'n') CHECK_INT(atoi(optarg), me);
    ++n;
    CHECK_INT(optind, n == 1 ? 2 : 4);
  }
  CHECK_INT(n, 2);
  CHECK(strcmp(own[optind], "rest") == 0, "argument '%s'", own[optind]);
}

static void test_errno(int me) {
  errno = 1000 + me;
  others_run();
  CHECK_INT(errno, 1000 + me);
}

static void test_environment(int me) {
  char value[16];
  sprintf(value, "%d", me);
  CHECK(getenv("ROCKCREEK_TEST_WORD") && strcmp(getenv("ROCKCREEK_TEST_WORD"), "common") == 0,
        "inherited variable");
  setenv("ROCKCREEK_TEST_RANK", value, 1);
  others_run();
  CHECK_INT(atoi(getenv("ROCKCREEK_TEST_RANK")), me);
  others_run();
  if (me % 2) unsetenv("ROCKCREEK_TEST_RANK");
  others_run();
  CHECK((getenv("ROCKCREEK_TEST_RANK") == NULL) == (me % 2), "unset by odd ranks only");
}

static void test_heap(int me) {
  char* blocks[20];
  void *volatile too_many; /* or the compiler answers */
  int n, k;
  for (n = 0; n < 20; ++n) {
    blocks[n] = malloc(1000 * (n + 1));
    memset(blocks[n], me + n, 1000 * (n + 1));
    if (n % 5 == 0) others_run();
  }
  for (n = 0; n < 20; n += 2) blocks[n] = realloc(blocks[n], 3000 * (n + 1));
  others_run();
  for (n = 0; n < 20; ++n)
    for (k = 0; k < 1000 * (n + 1); k += 499) CHECK(blocks[n][k] == (char)(me + n), "block %d byte %d", n, k);
  for (n = 0; n < 20; ++n) free(blocks[n]);
  others_run();
  blocks[0] = calloc(1000, 20); /* where others were before */
  for (k = 0; k < 20000; ++k) CHECK(blocks[0][k] == 0, "calloc, byte %d", k);
  too_many = calloc((size_t)-1 / 2, 3);
  CHECK(too_many == NULL, "calloc of too many");
}

int RCCE_APP(int argc, char** argv) {
  int me;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  test_rand(me);
  test_strtok(me);
  test_texts(me);
  test_exceptions(me);
  test_getopt(argc, argv, me);
  test_errno(me);
  test_environment(me);
  test_heap(me);
  RCCE_finalize();
  return check_end();
}
