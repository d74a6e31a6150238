/* A non-gory program that declares the low-level calls by itself and includes nothing of the library: C
 * linkage and exact signatures. In the manner of libraries that were ported to the chip. */
#include <stdio.h>
#include <stdlib.h>

typedef volatile unsigned char* t_vcharp;
extern int RCCE_init(int*, char***);
extern int RCCE_ue(void);
extern int RCCE_num_ues(void);
extern double RCCE_wtime(void);
extern t_vcharp RCCE_shmalloc(size_t);
extern int RCCE_acquire_lock(int);
extern int RCCE_release_lock(int);
extern int RCCE_put(t_vcharp, t_vcharp, int, int);
extern int RCCE_get(t_vcharp, t_vcharp, int, int);
extern t_vcharp RCCE_comm_buffer[];
extern int RCCE_IAM;

int main(int argc, char** argv) {
  volatile int* counter;
  double start;
  int n, ues;
  RCCE_init(&argc, &argv);
  start = RCCE_wtime();
  ues = RCCE_num_ues();
  counter = (volatile int*)RCCE_shmalloc(2 * sizeof(int));
  for (n = 0; n < 10; ++n) {
    RCCE_acquire_lock(0);
    counter[0] = counter[0] + 1;
    RCCE_release_lock(0);
  }
  /* Waits on plain memory, no call in the loop. */
  while (counter[0] < 10 * ues) {
  }
  if (counter[0] != 10 * ues || RCCE_wtime() < start) {
    printf("counter %d of %d\n", counter[0], 10 * ues);
    return 1;
  }
  if (RCCE_IAM != RCCE_ue() || RCCE_comm_buffer[RCCE_IAM] == NULL) return 1;
  printf("rank %d ok\n", RCCE_ue());
  return 0;
}
