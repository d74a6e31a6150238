/* SPDX-License-Identifier: Apache-2.0 */
/* raw_calls NAME: rank 1 makes a system call by its number that would end, double or replace the process. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
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

int main(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (RCCE_ue() == 1 && (call(argv[1]) != -1 || errno != ENOSYS)) exit(9);
  if (syscall(SYS_getpid) != getpid()) exit(8);
  printf("rank %d goes on\n", RCCE_ue());
  if (strncmp(argv[1], "exit", 4)) RCCE_finalize();
  return 0;
}
