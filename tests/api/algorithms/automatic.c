/* "auto" delivers, says what it takes, and takes the same on every UE, prepared or not. Argument: "prepared",
 * "timed" (prepared, too: the first call takes no longer than the second) or "at-once", where the first calls
 * prepare what they take. */
#include "RCCE.h"

#include "algorithms/collectives.h"
#include "ue_check.h"

enum { largest = 100000 };
static unsigned char buffer[largest];

static int in_table(const char* name, const char* operation) {
  return strncmp(name, operation, strlen(operation)) == 0 && name[strlen(operation)] == '/';
}

static double us_of_8192(void) {
  double start;
  rcce_touch(buffer, 8192, 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  start = RCCE_wtime();
  CHECK_INT(rockcreek_bcast("auto", (char*)buffer, 8192, 0, NULL), RCCE_SUCCESS);
  RCCE_barrier(&RCCE_COMM_WORLD);
  return (RCCE_wtime() - start) * 1e6;
}

int RCCE_APP(int argc, char** argv) {
  static const unsigned long lengths[] = {0, 1, 32, 1000, 8192, largest};
  rockcreek_choice choice, again;
  double first_us, second_us;
  unsigned i;
  RCCE_init(&argc, &argv);
  if (strcmp(argv[1], "at-once") != 0) CHECK_INT(rockcreek_prepare("auto", NULL), RCCE_SUCCESS);
  if (strcmp(argv[1], "timed") == 0) {
    first_us = us_of_8192();
    second_us = us_of_8192();
    CHECK(first_us <= 1.2 * second_us, "not prepared: %.3f us, then %.3f", first_us, second_us);
  }
  for (i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    const int root = (int)(i * 5 % (unsigned)RCCE_num_ues());
    long fault;
    memset(buffer, POISON, largest);
    if (RCCE_ue() == root) fill_pattern(buffer, root, lengths[i]);
    CHECK_INT(rockcreek_bcast("auto", (char*)buffer, lengths[i], root, NULL), RCCE_SUCCESS);
    fault = find_fault(buffer, root, lengths[i]);
    CHECK(fault < 0, "length %lu: byte %ld", lengths[i], fault);
    CHECK(find_unpoisoned(buffer + lengths[i], largest - lengths[i]) < 0, "length %lu", lengths[i]);
    CHECK_INT(rockcreek_choose("bcast", lengths[i], root, &choice), RCCE_SUCCESS);
    CHECK_INT(rockcreek_choose("bcast", lengths[i], root, &again), RCCE_SUCCESS);
    CHECK(strcmp(choice.algorithm, again.algorithm) == 0, "%s and %s", choice.algorithm, again.algorithm);
    CHECK(in_table(choice.algorithm, "bcast"), "'%s'", choice.algorithm);
    if (RCCE_ue() == 0) printf("%lu %s %s\n", lengths[i], choice.algorithm, choice.options);
  }
  CHECK_INT(rockcreek_barrier("auto", NULL), RCCE_SUCCESS);
  CHECK_INT(rockcreek_choose("barrier", 0, 0, &choice), RCCE_SUCCESS);
  CHECK(in_table(choice.algorithm, "barrier"), "'%s'", choice.algorithm);
  CHECK(strcmp(choice.algorithm, "barrier/test_and_set") != 0, "%s takes the locks", choice.algorithm);
  CHECK_INT(rockcreek_choose("sort", 0, 0, &choice), RCCE_ERROR_ID);
  RCCE_finalize();
  return check_end();
}
