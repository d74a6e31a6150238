/* The alarm of a UE goes off by its own clock; the other UE has none. argv[1]: what. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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

static void leave(int signal) {
  printf("rank %d leaves at %.3f s by signal %d\n", RCCE_ue(), RCCE_wtime(), signal);
  exit(3);
}

/* Gives up at the second alarm; in between the UE waits on. */
static sigjmp_buf out;

static void jump(int signal) {
  (void)signal;
  if (++rung == 2) siglongjmp(out, 1);
}

/* Rank 0 waits in each call that can wait, while its alarm goes off; what it waits for comes later, from a UE
 * that computes. */
static void in_calls(void) {
  struct itimerval often = {{1, 0}, {1, 0}}, none = {{0, 0}, {0, 0}};
  char message[64] = "";
  int n;
  if (RCCE_ue() == 0) {
    signal(SIGALRM, handler);
    setitimer(ITIMER_REAL, &often, NULL);
    RCCE_recv(message, sizeof message, 1);
    printf("%s after %d alarms\n", message, rung);
    RCCE_send(message, sizeof message, 1);
    printf("sent after %d alarms\n", rung);
    RCCE_acquire_lock(1);
    printf("locked after %d alarms\n", rung);
    RCCE_release_lock(1);
    RCCE_barrier(&RCCE_COMM_WORLD);
    printf("barrier after %d alarms\n", rung);
    setitimer(ITIMER_REAL, &none, NULL);
  } else {
    strcpy(message, "received");
    for (n = 0; n < 10; ++n) usleep(250000);
    RCCE_send(message, sizeof message, 0);
    for (n = 0; n < 10; ++n) usleep(250000);
    RCCE_acquire_lock(1);
    RCCE_recv(message, sizeof message, 0);
    sleep(2);
    RCCE_release_lock(1);
    sleep(2);
    RCCE_barrier(&RCCE_COMM_WORLD);
  }
}

/* In the host's time: each UE's alarm is its own. */
static void in_host_time(void) {
  unsigned left;
  int tries = 0;
  if (RCCE_ue() == 0) signal(SIGALRM, handler);
  do { /* again where the host has run others for so long that the alarm came ahead of the sleep */
    rung = 0;
    if (RCCE_ue() == 0) alarm(1);
    left = sleep(2);
  } while (RCCE_ue() == 0 && left == 0 && ++tries < 3);
  if (RCCE_ue() == 0 ? rung != 1 || left < 1 : rung != 0 || left != 0)
    printf("FAILED: %d alarms, %u left\n", rung, left);
  RCCE_barrier(&RCCE_COMM_WORLD);
  alarm(20);
  left = alarm(0); /* likewise */
  if (left < 1 || left > 20) printf("FAILED: %u left\n", left);
  if (RCCE_ue() == 1) {
    signal(SIGALRM, handler);
    ualarm(1000, 1000);
    while (rung < 5) pause();
    ualarm(0, 0);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (RCCE_ue() == 0 && rung != 1) printf("FAILED: %d alarms of another\n", rung);
  printf("ok\n");
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
  } else if (!strcmp(what, "calls")) {
    in_calls();
    return 0;
  } else if (!strcmp(what, "host-time")) {
    in_host_time();
    return 0;
  } else if (RCCE_ue() == 0 && (!strcmp(what, "leave") || !strcmp(what, "deadlock"))) {
    signal(SIGALRM, !strcmp(what, "leave") ? leave : handler);
    alarm(1);
    RCCE_recv((char*)&left, sizeof left, 1);
  } else if (RCCE_ue() == 0 && !strcmp(what, "jump")) {
    signal(SIGALRM, jump);
    setitimer(ITIMER_REAL, &often, NULL);
    if (sigsetjmp(out, 1) == 0) RCCE_recv((char*)&left, sizeof left, 1);
    memset(&often, 0, sizeof often);
    setitimer(ITIMER_REAL, &often, NULL);
    RCCE_send((char*)&left, sizeof left, 1);
  } else if (!strcmp(what, "jump")) {
    RCCE_recv((char*)&left, sizeof left, 0);
    printf("received from who has given up\n");
  } else if (RCCE_ue() == 0 && !strcmp(what, "in-vain")) {
    signal(SIGALRM, handler);
    setitimer(ITIMER_REAL, &often, NULL);
    RCCE_recv((char*)&left, sizeof left, 1);
  } else if (!strcmp(what, "in-vain")) { /* nothing: the deadlock is at once */
  } else if (!strcmp(what, "leave")) {
    return 0;
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
