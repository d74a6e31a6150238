/* The argument vector before and after RCCE_init: raw layout first, then the usual one, changed in place. */
#include "RCCE.h"

#include "ue_check.h"

static int marker = 5; /* initial data is there before main */

#if defined(GENERATION_1_0)
#define DEFAULT_CLOCK "1.0"
#else
#define DEFAULT_CLOCK "0.533"
#endif

int RCCE_APP(int argc, char** argv) {
  char** raw = argv;
  int raw_count = argc;
  char* program = argv[0];
  int ues = atoi(argv[1]);
  int n;

  CHECK_INT(marker, 5);
  CHECK_INT(argc, 3 + ues + 3);
  CHECK(strcmp(argv[2], DEFAULT_CLOCK) == 0, "argv[2] is '%s'", argv[2]);
  for (n = 0; n < ues; ++n)
    CHECK(atoi(argv[3 + n]) == n && strlen(argv[3 + n]) == 2, "argv[%d] is '%s'", 3 + n, argv[3 + n]);
  CHECK(argv[argc] == NULL, "the raw vector ends in NULL");

  CHECK_INT(RCCE_init(&argc, &argv), 0);
  CHECK_INT(RCCE_num_ues(), ues);
  CHECK_INT(argc, raw_count - ues - 2);
  CHECK(argv == raw + ues + 2, "the vector is changed in place");
  CHECK(argv[0] == program, "argv[0] is '%s'", argv[0]);
  CHECK(strcmp(argv[1], "one word") == 0, "argv[1] is '%s'", argv[1]);
  CHECK(strcmp(argv[2], "*") == 0, "argv[2] is '%s'", argv[2]);
  CHECK(strcmp(argv[3], "-x") == 0, "argv[3] is '%s'", argv[3]);
  CHECK(argv[argc] == NULL, "the vector ends in NULL");

  /* Each UE owns its strings: what one writes, no other sees. */
  argv[1][0] = (char)('A' + RCCE_ue());
  RCCE_barrier(&RCCE_COMM_WORLD);
  CHECK_INT(argv[1][0], 'A' + RCCE_ue());
  RCCE_barrier(&RCCE_COMM_WORLD);
  return check_end();
}
