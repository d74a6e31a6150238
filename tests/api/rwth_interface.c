/* The rest of RWTH's RCCE in both interfaces: constants, types; memory, tagged flags, barriers, locks and the
 * calls for two boards. */
#define SCC_COUPLED_SYSTEMS
#include "RCCE_lib.h"

#include <stddef.h>

#include "scc_memcpy.h"
#include "ue_check.h"

/* Not declared in any header. */
int RCCE_try_lock(int ID);
int RCCE_backoff_lock(int ID);
int RCCE_acquire_treelock(RCCE_COMM* comm);
int RCCE_release_treelock(RCCE_COMM* comm);

#ifdef RCCE_VERSION
#error "RWTH's RCCE has no RCCE_VERSION"
#endif

static int me, ues;

static void constants(void) {
  CHECK(strcmp(_RCCE, "1.0.13 release") == 0, "version '%s'", _RCCE);
  CHECK_INT(RCCE_PENDING, -1);
  CHECK_INT(RCCE_RESERVED, -2);
  CHECK_INT(RCCE_REJECTED, -3);
  CHECK_INT(RCCE_ERROR_NO_MULTICAST_SUPPORT, RCCE_ERROR_BASE + 28);
  CHECK_INT(RCCE_MAXNP, RCCE_MAXNP_PER_BOARD * RCCE_MAX_BOARDS);
  CHECK_INT(RCCE_MAXNP, 96);
  CHECK_INT(RCCE_SHM_SIZE_MAX, 1 << 22);
  CHECK_INT(ABS(-3) + ABS(3), 6);
  CHECK_INT(sizeof(RCCE_FLAG_STATUS), sizeof(ssize_t));
#ifdef SINGLEBITFLAGS
  CHECK_INT(offsetof(RCCE_FLAG, line_address), 16);
#else
  CHECK_INT(sizeof(*(RCCE_FLAG)0), sizeof(ssize_t));
#endif
  CHECK(offsetof(RCCE_COMM, cycle) > offsetof(RCCE_COMM, release), "fields behind `release`");
  CHECK_INT(sizeof(((tree_t*)0)->child), RCCE_MAXNP * sizeof(int));
  CHECK_INT(RCCE_dev(), 0);
  CHECK_INT(RCCE_dev_ue(), me);
  CHECK_INT(RCCE_num_dev(), 1);
  CHECK_INT(RCCE_num_ues_dev(0), ues);
  CHECK_INT(RCCE_num_ues_dev(1), 0);
  CHECK_INT(RCCE_ue_to_dev(ues - 1), 0);
}

static void memory(void) {
  const int last = ues - 1;
  char text[64] = "from the first to the last", got[64] = "";
  t_vcharp block = RCCE_shmalloc(100), larger;
  if (me == 0) memcpy((void*)block, text, sizeof text);
  RCCE_shflush();
  RCCE_barrier(&RCCE_COMM_WORLD);
  larger = RCCE_shrealloc(block, 5000);
  RCCE_barrier(&RCCE_COMM_WORLD); /* every UE copies */
  CHECK(larger != NULL && larger != block && strcmp((const char *)larger, text) == 0, "larger block '%s'",
        larger);
  block = RCCE_shrealloc(larger, 64);
  RCCE_barrier(&RCCE_COMM_WORLD);
  CHECK(block != NULL && strcmp((const char*)block, text) == 0, "smaller block '%s'", block);
  CHECK(RCCE_shrealloc(block, (size_t)1 << 40) == NULL, "more memory than there is%s", "");
  CHECK(RCCE_shrealloc(block, 0) == NULL, "to nothing%s", "");
  block = RCCE_shrealloc(NULL, 32);
  CHECK(block != NULL, "from nothing%s", "");
  RCCE_shfree(block);
  RCCE_barrier(&RCCE_COMM_WORLD);

#ifdef GORY
  block = RCCE_palloc(64, last);
#else
  block = RCCE_malloc(32); /* two single lines are neighbours */
  CHECK(RCCE_malloc(32) == block + 32, "two lines%s", "");
  block = RCCE_comm_buffer[last] + (block - RCCE_comm_buffer[me]);
#endif
  if (me == 0) CHECK(RCCE_memcpy((void*)block, text, 64) == (void*)block, "what is returned%s", "");
  RCCE_barrier(&RCCE_COMM_WORLD);
  CHECK(RCCE_memcpy_get(got, (const void*)block, 64) == got, "what is returned%s", "");
  CHECK(strcmp(got, text) == 0, "'%s' in the MPB of %d", got, last);
  memset(got, 0, sizeof got);
  RC_cache_invalidate();
  CHECK(memcpy_from_mpb(got, (const void*)block, 31) == got, "what is returned%s", "");
  CHECK(memcmp(got, text, 27) == 0, "'%s' through scc_memcpy.h", got);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == last) CHECK(memcpy_to_mpb((void*)block, "back", 5) == (void*)block, "what is returned%s", "");
  RCCE_barrier(&RCCE_COMM_WORLD);
  RCCE_memcpy_get(got, (const void*)block, 32);
  CHECK(strcmp(got, "back") == 0, "'%s' instead of 'back'", got);
  RCCE_barrier(&RCCE_COMM_WORLD);
}

static void flags(void) {
  RCCE_FLAG flag;
  RCCE_FLAG_STATUS value = (RCCE_FLAG_STATUS)-1;
  CHECK_INT(RCCE_flag_alloc(&flag), RCCE_SUCCESS);
  CHECK_INT(RCCE_flag_write(&flag, RCCE_FLAG_SET, me), RCCE_SUCCESS);
  CHECK_INT(RCCE_flag_read(flag, &value, me), RCCE_SUCCESS);
  CHECK_INT(value, RCCE_FLAG_SET);
#ifdef GORY
  {
    int result = -1;
    CHECK_INT(RCCE_test_flag(flag, RCCE_FLAG_SET, &result), RCCE_SUCCESS);
    CHECK_INT(result, 1);
    CHECK_INT(RCCE_test_flag(flag, RCCE_FLAG_UNSET, &result), RCCE_SUCCESS);
    CHECK_INT(result, 0);
#ifndef SINGLEBITFLAGS
    {
      char tag[8] = "";
      value = (RCCE_FLAG_STATUS)-1;
      CHECK_INT(RCCE_flag_write_tagged(&flag, 5, me, (char*)"a tag", 6), RCCE_SUCCESS);
      CHECK_INT(RCCE_flag_read_tagged(flag, &value, me, tag, 6), RCCE_SUCCESS);
      CHECK_INT(value, 5);
      CHECK(strcmp(tag, "a tag") == 0, "tag '%s'", tag);
    }
#endif
  }
#endif
}

static tree_t tree;

static int stepwise(int (*barrier)(RCCE_COMM*), RCCE_COMM* comm) {
  int result;
  while ((result = barrier(comm)) == RCCE_PENDING) {
  }
  return result;
}

static int pass(int kind, RCCE_COMM* comm) {
  switch (kind) {
  case 0: return RCCE_barrier(comm);
  case 1: return RCCE_tree_barrier(comm, &tree);
  case 2: return RCCE_dissemination_barrier(comm);
  case 3: return RCCE_TNS_barrier(comm);
  case 4: return RCCE_AIR_barrier(comm);
  case 5: return RCCE_AIR_barrier2(comm);
  case 6: return stepwise(RCCE_nb_barrier, comm);
  case 7: return stepwise(RCCE_nb_TNS_barrier, comm);
  default: return stepwise(RCCE_nb_AIR_barrier, comm);
  }
}

static int parity(int rank, void* nothing) {
  (void)nothing;
  return rank % 2;
}

/* In each round another member comes late, and nobody may leave before it. */
static void barriers(RCCE_COMM* comm, volatile int* late, int arity) {
  int round;
  CHECK_INT(RCCE_tree_init(comm, &tree, arity), RCCE_SUCCESS);
  CHECK_INT(tree.parent == -1, comm->my_rank == 0);
  CHECK(tree.num_children <= arity, "%d children", tree.num_children);
  for (round = 0; round < 27; ++round) {
    const int slow = round * 5 % comm->size;
    if (comm->my_rank == slow) {
      rcce_compute(20000);
      RCCE_wtime();
      *late = round + 1;
    }
    CHECK_INT(pass(round % 9, comm), RCCE_SUCCESS);
    CHECK(*late == round + 1, "round %d with member %d late", round, slow);
    CHECK_INT(pass(round % 8, comm), RCCE_SUCCESS);
  }
  CHECK_INT(RCCE_tournament_barrier(comm), RCCE_SUCCESS);
  CHECK_INT(RCCE_tournament_fixed_barrier(comm), RCCE_SUCCESS);
}

/* `contended`: the UEs are known to meet at the lock. */
static void locks(int contended) {
  volatile int* shared = (volatile int*)RCCE_shmalloc(64);
  int n, failed;
  shared[0] = shared[1] = 0;
  RCCE_barrier(&RCCE_COMM_WORLD);
  for (n = 0; n < 5; ++n) {
    failed = n % 2 ? RCCE_acquire_lock(0) : RCCE_backoff_lock(0);
    CHECK(failed >= 0, "%d attempts", failed);
    shared[1] += failed;
    shared[0] += 1;
    CHECK_INT(RCCE_try_lock(0), RCCE_PENDING); /* not even by its owner */
    rcce_compute(1000);
    RCCE_release_lock(0);
  }
  for (n = 0; n < 5; ++n) {
    CHECK_INT(RCCE_acquire_treelock(&RCCE_COMM_WORLD), RCCE_SUCCESS);
    shared[0] += 1;
    CHECK_INT(RCCE_release_treelock(&RCCE_COMM_WORLD), RCCE_SUCCESS);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  CHECK_INT(shared[0], 10 * ues);
  CHECK(ues > 1 || shared[1] == 0, "%d failed attempts", shared[1]);
  CHECK(!contended || shared[1] > 0, "%d failed attempts", shared[1]);
  /* with single-bit flags the barrier's last write may still hold it */
  while (RCCE_try_lock(me) != RCCE_SUCCESS) {
  }
  CHECK_INT(RCCE_release_lock(me), RCCE_SUCCESS);
}

#ifdef GORY
/* One more argument, the flag of those who look for any message. */
static void gory_messages(void) {
  t_vcharp buffer = RCCE_malloc(64);
  RCCE_FLAG ready, sent;
  char text[100] = "gory", got[100] = "";
  int test = 0;
  RCCE_flag_alloc(&ready);
  RCCE_flag_alloc(&sent);
  RCCE_flag_write(&ready, RCCE_FLAG_UNSET, me);
  RCCE_flag_write(&sent, RCCE_FLAG_UNSET, me);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (ues > 1 && me == 0) {
    CHECK_INT(RCCE_send(text, buffer, 64, &ready, &sent, sizeof text, 1), RCCE_SUCCESS);
    CHECK_INT(RCCE_send(text, buffer, 64, &ready, &sent, sizeof text, 1), RCCE_SUCCESS);
  } else if (me == 1) {
    CHECK_INT(RCCE_recv(got, buffer, 64, &ready, &sent, sizeof got, 0, NULL), RCCE_SUCCESS);
    while (!test)
      CHECK_INT(RCCE_recv_test(got, buffer, 64, &ready, &sent, sizeof got, 0, &test, NULL), RCCE_SUCCESS);
    CHECK(strcmp(got, text) == 0, "got '%s'", got);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
}
#endif

int RCCE_APP(int argc, char** argv) {
  volatile int* late;
  RCCE_COMM part;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  ues = RCCE_num_ues();
#ifndef GORY
  if (argc > 1 && strcmp(argv[1], "two-lines") == 0) RCCE_malloc(64);
  if (argc > 1 && strcmp(argv[1], "all-lines") == 0)
    for (;;) RCCE_malloc(32);
  if (argc > 1 && strcmp(argv[1], "wrong-rank") == 0) RCCE_send((char*)&ues, sizeof ues, ues);
#endif
  constants();
  memory();
  flags();
#ifdef GORY
  gory_messages();
#endif
  late = (volatile int*)RCCE_shmalloc(3 * sizeof(int));
  barriers(&RCCE_COMM_WORLD, late, 2);
  barriers(&RCCE_COMM_WORLD, late, 3);
  memset(&part, 0x5a, sizeof part);
  part.initialized = 0;
  CHECK_INT(RCCE_comm_split(parity, NULL, &part), RCCE_SUCCESS);
  barriers(&part, late + 1 + me % 2, 1);
  RCCE_barrier(&RCCE_COMM_WORLD);
  locks(argc > 1 && strcmp(argv[1], "contended") == 0);
  RCCE_finalize();
  return check_end();
}
