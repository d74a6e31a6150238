/* The alarm of a UE goes off by its own clock; the other UE has none. argv[1]: what. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "RCCE.h"

static volatile int rung;

static void handler(int signal) {
  ++rung;
  if (signal == SIGALRM) printf("rank %d: alarm %d at %.3f s\n", RCCE_ue(), rung, RCCE_wtime());
}

int RCCE_APP(int argc, char** argv) {
  const char* what;
  struct timespec duration = {5, 0}, rest = {0, 0};
  struct itimerval often = {{0, 250000}, {0, 500000}}, left;
  RCCE_init(&argc, &argv);
  what = argc > 1 ? argv[1] : "";
  if (RCCE_ue() == 0 && !strcmp(what, "default")) {
    alarm(1);
    sleep(3);
    printf("never here\n");
  } else if (RCCE_ue() == 0 && !strcmp(what, "pause")) {
    pause();
    printf("never here\n");
  } else if (RCCE_ue() == 0) {
    signal(SIGALRM, handler);
    alarm(1);
    printf("%u s of sleep were left\n", sleep(3));
    alarm(2);
    printf("nanosleep: %d, errno is EINTR: %d", nanosleep(&duration, &rest), errno == EINTR);
    printf(", %.1f s left\n", (double)rest.tv_sec + 1e-9 * (double)rest.tv_nsec);
    setitimer(ITIMER_REAL, &often, NULL);
    while (rung < 5) printf("pause: %d, errno is EINTR: %d\n", pause(), errno == EINTR);
    getitimer(ITIMER_REAL, &left);
    printf("the next one in %.2f s\n", (double)left.it_value.tv_sec + 1e-6 * (double)left.it_value.tv_usec);
    alarm(0);
    alarm(7);
    printf("%u s were left\n", alarm(1));
    ualarm(200, 0);
    while (rung < 6) RCCE_wtime();
  } else {
    printf("rank %d sleeps for %u s less\n", RCCE_ue(), sleep(9));
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  return 0;
}
