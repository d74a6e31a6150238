/* RCCE_bcast: roots first, middle, last; lengths around lines and chunks; a root out of range;
 * sub-communicators. */
#include "RCCE_lib.h"

#include "ue_check.h"

enum { margin = 35, largest = 100001 };
static unsigned char room[largest + 2 * margin];

static int parity(int rank, void* aux) {
  (void)aux;
  return rank & 1;
}

static void broadcast(RCCE_COMM comm, int root, unsigned long length) {
  unsigned char* at = room + margin;
  long fault;
  int sender = comm.member[root];
  memset(room, POISON, sizeof room);
  if (comm.my_rank == root) fill_pattern(at, sender, length);
  CHECK_INT(RCCE_bcast((char*)at, length, root, comm), 0);
  fault = find_fault(at, sender, length);
  CHECK(fault < 0, "size %d, root %d, length %lu: byte %ld", comm.size, root, length, fault);
  CHECK(find_unpoisoned(room, margin) < 0, "bytes before: root %d, length %lu", root, length);
  CHECK(find_unpoisoned(at + length, sizeof room - margin - length) < 0, "bytes behind: root %d, length %lu",
        root, length);
}

static void broadcasts(RCCE_COMM comm) {
  unsigned long lengths[10];
  int count = 0, n;
  lengths[count++] = 0;
  lengths[count++] = 1;
  lengths[count++] = 31;
  lengths[count++] = 32;
  lengths[count++] = 33;
  lengths[count++] = RCCE_chunk;
  lengths[count++] = RCCE_chunk + 1;
  lengths[count++] = 8192;
  lengths[count++] = 100001;
  for (n = 0; n < count; ++n) {
    broadcast(comm, 0, lengths[n]);
    broadcast(comm, comm.size / 2, lengths[n]);
    broadcast(comm, comm.size - 1, lengths[n]);
  }
  CHECK_INT(RCCE_bcast((char*)room, 8, comm.size, comm), RCCE_ERROR_ID);
  CHECK_INT(RCCE_bcast((char*)room, 8, -1, comm), RCCE_ERROR_ID);
}

int RCCE_APP(int argc, char** argv) {
  RCCE_COMM half;
  RCCE_init(&argc, &argv);
  broadcasts(RCCE_COMM_WORLD);
  CHECK_INT(RCCE_comm_split(parity, NULL, &half), 0);
  broadcasts(half);
  RCCE_finalize();
  return check_end();
}
