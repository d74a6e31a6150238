/* The option `stages` of bcast/staged_pull. Argument: "calls", each broadcast with another number of them,
 * all roots; "refused", more than were prepared; "full", flags for them where there is no room; "narrow", no
 * room for the message; "whole", as many as hold 190,000 bytes at once, which the pages recommend on threads.
 */
#include "RCCE.h"
#include "RCCE_lib.h"

#include "algorithms/collectives.h"
#include "ue_check.h"

enum { largest = 9001 };
static unsigned char buffer[largest];
static const char name[] = "bcast/staged_pull";

static char options[32]; /* "" or "stages=N" */

static void set_stages(int stages) {
  options[0] = '\0';
  if (stages > 0) sprintf(options, "stages=%d", stages);
}

static void broadcast(int root, unsigned long length, int stages) {
  long fault;
  set_stages(stages);
  memset(buffer, POISON, sizeof buffer);
  if (RCCE_ue() == root) fill_pattern(buffer, root, length);
  CHECK_INT(rockcreek_bcast(name, (char*)buffer, length, root, options), RCCE_SUCCESS);
  fault = find_fault(buffer, root, length);
  CHECK(fault < 0, "%d stages, root %d, length %lu: byte %ld", stages, root, length, fault);
  CHECK(find_unpoisoned(buffer + length, sizeof buffer - length) < 0,
        "behind: %d stages, root %d, length %lu", stages, root, length);
}

static void calls(int n) {
  static const unsigned long lengths[] = {0, 1, 33, 700, largest};
  int root, stages = 0;
  unsigned i;
  set_stages(n);
  CHECK_INT(rockcreek_prepare(name, options), RCCE_SUCCESS);
  for (i = 0; i < sizeof lengths / sizeof *lengths; ++i)
    for (root = 0; root < n; ++root) broadcast(root, lengths[i], stages = (stages + 7) % (n + 3));
}

static void refused(void) {
  set_stages(5);
  CHECK_INT(rockcreek_prepare(name, options), RCCE_SUCCESS);
  broadcast(0, 5000, 5);
  set_stages(7);
  CHECK_INT(rockcreek_bcast(name, (char*)buffer, 100, 0, options), RCCE_ERROR_ID);
  broadcast(1, 5000, 3);
}

static void full(void) {
  RCCE_FLAG flag;
  int i;
  for (i = 0; i < 100; ++i) CHECK_INT(RCCE_flag_alloc(&flag), RCCE_SUCCESS);
  set_stages(48);
  CHECK(rockcreek_prepare(name, options) != RCCE_SUCCESS, "there was room for 48 stages");
}

static void narrow(void) {
  RCCE_FLAG flag;
  while (RCCE_chunk >= (47 + 2) * RCCE_LINE_SIZE) /* 47: what it takes for 48 UEs */
    CHECK_INT(RCCE_flag_alloc(&flag), RCCE_SUCCESS);
  CHECK_INT(rockcreek_prepare(name, NULL), RCCE_SUCCESS);
  CHECK_INT(rockcreek_bcast(name, (char*)buffer, 100, 0, NULL), RCCE_ERROR_ID);
}

static void whole(void) {
  set_stages(26);
  CHECK_INT(rockcreek_prepare(name, options), RCCE_SUCCESS);
  CHECK(26 * (RCCE_chunk / RCCE_LINE_SIZE * RCCE_LINE_SIZE) >= 190000, "%lu bytes each",
        (unsigned long)RCCE_chunk);
}

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  if (strcmp(argv[1], "calls") == 0)
    calls(RCCE_num_ues());
  else if (strcmp(argv[1], "refused") == 0)
    refused();
  else if (strcmp(argv[1], "full") == 0)
    full();
  else if (strcmp(argv[1], "whole") == 0)
    whole();
  else
    narrow();
  RCCE_finalize();
  return check_end();
}
