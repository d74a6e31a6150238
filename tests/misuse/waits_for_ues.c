// SPDX-License-Identifier: Apache-2.0
// A UE waits in a call of the host for what another UE does a millisecond later by its clock: in simulated time,
// where all UEs share one thread, the others have to run meanwhile. argv[1]: which call.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ue_check.h"

static char bytes[200000];
static int ends[2];
static const char* call;

static int is(const char* name) {
  return strcmp(call, name) == 0;
}

/// Until the other one has written: by the call, which returns how many are ready.
static void wait_for_input(void) {
  if (is("poll")) {
    struct pollfd one = {ends[0], POLLIN, 0};
    CHECK_INT(poll(&one, 1, 0), 0);
    CHECK_INT(poll(&one, 1, -1), 1);
    CHECK_INT(one.revents, POLLIN);
  } else if (is("poll-time")) {
    struct pollfd one = {ends[0], POLLIN, 0};
    const double begin = RCCE_wtime();
    CHECK_INT(poll(&one, 1, 0), 0);
    struct timespec hundred = {0, 100000};
    CHECK_INT(ppoll(&one, 1, &hundred, NULL), 0);
    const double passed = RCCE_wtime() - begin;
    CHECK(passed >= 99e-6 && passed < 0.5, "%.6f s have passed", passed);
    CHECK_INT(poll(&one, 1, 5000), 1);
  } else if (is("select")) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    struct timeval limit = {5, 0};
    CHECK_INT(select(ends[0] + 1, &set, NULL, NULL, &limit), 1);
    CHECK(FD_ISSET(ends[0], &set), "the set");
  } else if (is("epoll")) {
    const int all = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(all, EPOLL_CTL_ADD, ends[0], &event);
    CHECK_INT(epoll_wait(all, &event, 1, -1), 1);
    close(all);
  }
}

static void take_input(void) {
  wait_for_input();
  if (is("stream")) {
    FILE* file = fdopen(ends[0], "r");
    int number = 0;
    CHECK(fgets(bytes, sizeof bytes, file) != NULL, "fgets");
    CHECK_INT(fscanf(file, "%d", &number), 1);
    CHECK_INT(number, 42);
  } else if (is("readv")) {
    struct iovec parts[2] = {{bytes, 3}, {bytes + 3, 3}};
    CHECK_INT(readv(ends[0], parts, 2), 6);
  } else if (is("socket")) {
    CHECK_INT(recv(ends[0], bytes, 6, 0), 6);
  } else {
    CHECK_INT(read(ends[0], bytes, 6), 6);
  }
  CHECK(memcmp(bytes, "hello\n", 6) == 0, "got '%.6s'", bytes);
}

static void give_output(void) {
  usleep(is("poll-time") ? 500000 : 1000);
  CHECK_INT(write(ends[1], "hello\n", 6), 6);
  usleep(1000);
  CHECK_INT(write(ends[1], "42\n", 3), 3);
}

static void test_full_pipe(void) {
  if (RCCE_ue() == 1) {
    CHECK_INT(write(ends[1], bytes, sizeof bytes), sizeof bytes);
    return;
  }
  size_t got = 0;
  usleep(1000);
  while (got < sizeof bytes) got += (size_t)read(ends[0], bytes, 7000);
}

static void test_lock(void) {
  const int file = open("lock", O_RDWR | O_CREAT, 0600);
  if (RCCE_ue() == 0) CHECK_INT(flock(file, LOCK_EX), 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (RCCE_ue() == 0) {
    usleep(1000);
    printf("rank 0 lets it go\n");
    CHECK_INT(flock(file, LOCK_UN), 0);
  } else {
    CHECK_INT(flock(file, LOCK_EX), 0);
    printf("rank 1 has it\n");
  }
}

/// A named pipe, whose reader or writer comes first.
static void test_named_pipe(int first) {
  if (RCCE_ue() == 0) {
    unlink("named");
    CHECK_INT(mkfifo("named", 0600), 0);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (RCCE_ue() != first) usleep(1000);
  if (RCCE_ue() == 0) {
    FILE* file = fopen("named", "r");
    CHECK(fgets(bytes, sizeof bytes, file) != NULL && strcmp(bytes, "hello\n") == 0, "got '%s'", bytes);
    fclose(file);
  } else {
    const int file = open("named", O_WRONLY);
    CHECK_INT(write(file, "hello\n", 6), 6);
    close(file);
  }
}

/// A child that waits for another UE.
static void test_child(void) {
  if (RCCE_ue() == 0) {
    char command[64];
    snprintf(command, sizeof command, "read line <&%d; echo $line; exit 7", ends[0]);
    int status = 0;
    if (is("popen")) {
      FILE* child = popen(command, "r");
      CHECK(fgets(bytes, sizeof bytes, child) != NULL && strcmp(bytes, "go\n") == 0, "got '%s'", bytes);
      status = pclose(child);
    } else {
      status = system(command);
    }
    CHECK_INT(WEXITSTATUS(status), 7);
  } else {
    usleep(1000);
    CHECK_INT(write(ends[1], "go\n", 3), 3);
  }
}

int RCCE_APP(int argc, char** argv) {
  char shared[32];
  RCCE_init(&argc, &argv);
  call = argv[1];
  if (RCCE_ue() == 0)
    CHECK_INT(is("socket") ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : pipe(ends), 0);
  memcpy(shared, ends, sizeof ends);
  if (RCCE_ue() == 0)
    RCCE_send(shared, sizeof shared, 1);
  else
    RCCE_recv(shared, sizeof shared, 0);
  memcpy(ends, shared, sizeof ends);
  if (is("full-pipe"))
    test_full_pipe();
  else if (is("lock"))
    test_lock();
  else if (is("reader-first") || is("writer-first"))
    test_named_pipe(is("reader-first") ? 0 : 1);
  else if (is("child") || is("popen"))
    test_child();
  else if (is("sleeps"))
    for (;;) {
      if (RCCE_ue() == 1) RCCE_recv(shared, sizeof shared, 0);
      sleep(1);
    }
  else if (RCCE_ue() == 0)
    take_input();
  else
    give_output();
  if (!is("child") && !is("popen")) printf("rank %d at %.6f\n", RCCE_ue(), RCCE_wtime());
  return check_end();
}
