// SPDX-License-Identifier: Apache-2.0
// A UE sleeps in a call of the host that nobody ends; the other one waits in a barrier.
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <spawn.h>
#include <string>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "RCCE.h"

namespace {

void sleep_in(const char* call, char* seconds) {
  const auto is = [call](const char* name) { return std::strcmp(call, name) == 0; };
  static char text[65536];
  int number = 0, ends[2];
  if (pipe(ends) != 0) return;
  if (is("read") && read(0, text, 1) < 0) std::perror("read");
  if (is("getchar")) std::getchar();
  if (is("scanf") && std::scanf("%d", &number) < 0) std::perror("scanf");
  if (is("cin")) std::cin >> number;
  if (is("pipe") && read(ends[0], text, 1) < 0) std::perror("read");
  if (is("full-pipe"))
    while (write(ends[1], text, sizeof text) > 0) {
    }
  if (is("fifo")) {
    mkfifo(call, 0600);
    open(call, O_RDONLY);
  }
  if (is("semaphore")) {
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    sem_wait(&semaphore);
  }
  if (is("mutex")) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
  }
  if (is("condition")) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&condition, &mutex);
  }
  if (is("flock")) {
    flock(open(call, O_RDWR | O_CREAT, 0600), LOCK_EX);
    flock(open(call, O_RDWR), LOCK_EX);
  }
  if (is("waitpid")) {
    char command[] = "sleep";
    char* words[] = {command, seconds, nullptr};
    pid_t child = 0;
    posix_spawnp(&child, command, nullptr, nullptr, words, environ);
    waitpid(child, &number, 0);
  }
  if (is("system") && std::system((std::string("sleep ") + seconds + "; :").c_str()) < 0)
    std::perror("system");
  pollfd one{ends[0], POLLIN, 0};
  if (is("poll")) std::printf("poll has returned %d\n", poll(&one, 1, -1));
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  if (is("select"))
    std::printf("select has returned %d\n", select(ends[0] + 1, &set, nullptr, nullptr, nullptr));
}

} // namespace

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  std::printf("rank %d is here\n", RCCE_ue());
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (RCCE_ue() == 1) {
    std::printf("rank 1 begins\n");
    std::fflush(stdout);
    std::printf("an unfinished line");
    char go[32] = {};
    RCCE_send(go, 32, 0);
  } else {
    char go[32];
    RCCE_recv(go, 32, 1);
    sleep_in(argv[1], argv[2]);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  return 0;
}
