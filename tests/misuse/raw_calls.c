/* SPDX-License-Identifier: Apache-2.0 */
/* raw_calls NAME: rank 1 makes a system call by its number that would end, double or replace the process. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "RCCE.h"

static long call(const char *name) {
  char *const words[] = {"true", NULL};
  if (!strcmp(name, "exit")) return syscall(SYS_exit, 5);
  if (!strcmp(name, "exit_group")) return syscall(SYS_exit_group, 5);
  if (!strcmp(name, "fork")) return syscall(SYS_fork);
  if (!strcmp(name, "vfork")) return syscall(SYS_vfork);
  if (!strcmp(name, "clone")) return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (!strcmp(name, "clone3")) return syscall(SYS_clone3, NULL, 0);
  if (!strcmp(name, "execve")) return syscall(SYS_execve, "/bin/true", words, NULL);
  if (!strcmp(name, "execveat")) return syscall(SYS_execveat, -1, "/bin/true", words, NULL, 0);
  return clone(NULL, NULL, SIGCHLD, NULL);
}

/* The UE's clock, by number and with a lock that nobody gives back: 5 ms later, in the year of the chip. */
static void check_clocks(void) {
  struct timespec from, end;
  sem_t never;
  if (syscall(SYS_clock_gettime, CLOCK_REALTIME, &from) != 0 || from.tv_sec / 31536000 != 40) exit(7);
  end = from;
  end.tv_nsec += 5000000;
  sem_init(&never, 0, 0);
  if (sem_timedwait(&never, &end) != -1 || errno != ETIMEDOUT) exit(6);
  end.tv_sec = LONG_MIN; /* long ago, too */
  if (sem_timedwait(&never, &end) != -1 || errno != ETIMEDOUT) exit(4);
  clock_gettime(CLOCK_REALTIME, &end);
  if (end.tv_nsec - from.tv_nsec < 5000000) exit(5);
}

int main(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (RCCE_ue() == 1 && (call(argv[1]) != -1 || errno != ENOSYS)) exit(9);
  if (syscall(SYS_getpid) != getpid()) exit(8);
  check_clocks();
  printf("rank %d goes on\n", RCCE_ue());
  if (strncmp(argv[1], "exit", 4)) RCCE_finalize();
  return 0;
}
