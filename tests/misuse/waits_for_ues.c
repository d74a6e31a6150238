// SPDX-License-Identifier: Apache-2.0
// A UE waits in a call of the host for what another UE does a millisecond later by its clock: in simulated
// time, where all UEs share one thread, the others have to run meanwhile. argv[1]: which call.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <threads.h>
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

/// More than a socket holds: each call comes back with all of it.
static void test_full_socket(void) {
  static char out[1000000], in[sizeof out];
  if (RCCE_ue() == 1) {
    for (size_t i = 0; i < sizeof out; ++i) out[i] = (char)(i % 251);
    struct iovec parts[2] = {{out, 300001}, {out + 300001, sizeof out - 300001}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    CHECK_INT(write(ends[1], out, sizeof out), sizeof out);
    CHECK_INT(send(ends[1], out, sizeof out, 0), sizeof out);
    CHECK_INT(sendmsg(ends[1], &message, 0), sizeof out);
    CHECK_INT(sendmsg(ends[1], NULL, 0), -1);
    return;
  }
  usleep(1000);
  for (int time = 0; time < 3; ++time) {
    CHECK_INT(recv(ends[0], in, sizeof in, MSG_WAITALL), sizeof in);
    size_t i = 0;
    while (i < sizeof in && in[i] == (char)(i % 251)) ++i;
    CHECK_INT(i, sizeof in);
  }
}

/// Messages stay whole, and wait for room.
static void test_full_datagrams(void) {
  enum { times = 100, length = 9000 };
  if (RCCE_ue() == 0) usleep(1000);
  for (int time = 0; time < times; ++time)
    if (RCCE_ue() == 1)
      CHECK_INT(write(ends[1], bytes, length), length);
    else
      CHECK_INT(recv(ends[0], bytes, sizeof bytes, 0), length);
}

/// Until the queue of those who want to be accepted is full, and beyond.
static void test_connect(void) {
  enum { times = 5 };
  struct sockaddr_un address = {AF_UNIX, "door"};
  const int door = socket(AF_UNIX, SOCK_STREAM, 0);
  if (RCCE_ue() == 0) {
    unlink("door");
    CHECK_INT(bind(door, (struct sockaddr*)&address, sizeof address), 0);
    CHECK_INT(listen(door, 0), 0);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (RCCE_ue() == 0) usleep(1000);
  for (int time = 0; time < times; ++time)
    if (RCCE_ue() == 0)
      CHECK(accept(door, NULL, NULL) > 2, "accept");
    else
      CHECK_INT(connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr*)&address, sizeof address), 0);
}

/// In memory that the UEs share, made by rank 0.
struct in_memory {
  pthread_mutex_t mutex;
  mtx_t plain;
  pthread_rwlock_t read_write;
  pthread_spinlock_t spin;
  sem_t semaphore;
};

static struct in_memory* shared_locks(void) {
  char message[32];
  struct in_memory* locks = NULL;
  if (RCCE_ue() == 1) {
    RCCE_recv(message, sizeof message, 0);
    memcpy(&locks, message, sizeof locks);
    return locks;
  }
  locks = mmap(NULL, sizeof *locks, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&locks->mutex, &attributes);
  mtx_init(&locks->plain, mtx_plain);
  pthread_rwlock_init(&locks->read_write, NULL);
  pthread_spin_init(&locks->spin, PTHREAD_PROCESS_SHARED);
  sem_init(&locks->semaphore, 1, 1);
  memcpy(message, &locks, sizeof locks);
  RCCE_send(message, sizeof message, 1);
  return locks;
}

static int change_lock(struct in_memory* locks, int file, int take) {
  struct flock record = {.l_type = (short)(take ? F_WRLCK : F_UNLCK), .l_whence = SEEK_SET, .l_len = 10};
  if (is("mutex")) return take ? pthread_mutex_lock(&locks->mutex) : pthread_mutex_unlock(&locks->mutex);
  if (is("c11")) return take ? mtx_lock(&locks->plain) : mtx_unlock(&locks->plain);
  if (is("spin")) return take ? pthread_spin_lock(&locks->spin) : pthread_spin_unlock(&locks->spin);
  if (is("read-lock") && RCCE_ue() == 1 && take) return pthread_rwlock_rdlock(&locks->read_write);
  if (is("read-lock") || is("write-lock"))
    return take ? pthread_rwlock_wrlock(&locks->read_write) : pthread_rwlock_unlock(&locks->read_write);
  if (is("semaphore")) return take ? sem_wait(&locks->semaphore) : sem_post(&locks->semaphore);
  if (is("lockf")) return lockf(file, take ? F_LOCK : F_ULOCK, 10);
  if (is("record")) return fcntl(file, take ? F_SETLKW : F_SETLK, &record);
  return flock(file, take ? LOCK_EX : LOCK_UN);
}

/// While rank 0 has it.
static void try_lock(int file) {
  struct flock record = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 1};
  CHECK_INT(fcntl(file, F_GETLK, &record), 0);
  CHECK_INT(record.l_type, F_WRLCK);
  CHECK_INT(lockf(file, F_TLOCK, 10), -1);
  CHECK(errno == EAGAIN || errno == EACCES, "error %d", errno);
}

static void test_lock(void) {
  struct in_memory* const locks = shared_locks();
  const int file = open("lock", O_RDWR | O_CREAT, 0600);
  if (RCCE_ue() == 0) CHECK_INT(change_lock(locks, file, 1), 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (is("record") || is("lockf")) {
    if (RCCE_ue() == 1) try_lock(file);
    RCCE_barrier(&RCCE_COMM_WORLD);
  }
  if (RCCE_ue() == 0) {
    usleep(1000);
    printf("rank 0 lets it go\n");
  } else {
    CHECK_INT(change_lock(locks, file, 1), 0);
    printf("rank 1 has it\n");
  }
  CHECK_INT(change_lock(locks, file, 0), 0);
}

static int is_lock(void) {
  return is("flock") || is("record") || is("lockf") || is("mutex") || is("c11") || is("spin") ||
      is("read-lock") || is("write-lock") || is("semaphore");
}

/// Waits that nothing but their end ends: they take the UE's time.
static void test_timed(void) {
  const struct timespec millisecond = {0, 1000000};
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  struct timespec end;
  double begin = RCCE_wtime();
  CHECK_INT(thrd_sleep(&millisecond, NULL), 0);
  CHECK(RCCE_wtime() - begin >= 0.001, "asleep for %.6f s", RCCE_wtime() - begin);
  pthread_rwlock_wrlock(&lock);
  begin = RCCE_wtime();
  clock_gettime(CLOCK_MONOTONIC, &end);
  ++end.tv_sec;
  CHECK_INT(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &end), ETIMEDOUT);
  CHECK(RCCE_wtime() - begin >= 0.99, "a lock was tried for %.6f s", RCCE_wtime() - begin);
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

/// Two seconds in a call of the host that every signal's handler ends.
static void test_looked_at(void) {
  if (RCCE_ue() == 1) return;
  const int semaphore = semget(IPC_PRIVATE, 1, 0600);
  struct sembuf down = {0, -1, 0};
  const struct timespec two = {2, 0};
  CHECK_INT(semtimedop(semaphore, &down, 1, &two), -1);
  CHECK_INT(errno, EAGAIN);
  CHECK_INT(semctl(semaphore, 0, IPC_RMID), 0);
}

/// A child that waits for another UE.
static void test_child(void) {
  if (RCCE_ue() == 0) {
    char command[64];
    /* What a child prints by itself comes when the host likes; only what popen reads is in the UE's own
       order. */
    snprintf(command, sizeof command, "read line <&%d; %s; exit 7", ends[0],
             is("popen") ? "echo $line" : "[ $line = go ] || exit 1");
    int status = 0;
    if (is("waitid")) {
      char* words[] = {(char*)"sh", (char*)"-c", command, NULL};
      pid_t child = 0;
      siginfo_t details;
      CHECK_INT(posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ), 0);
      CHECK_INT(waitid(P_PID, (id_t)child, &details, WEXITED), 0);
      CHECK_INT(details.si_pid, child);
      status = details.si_status << 8;
    } else if (is("popen")) {
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
    CHECK_INT(strstr(call, "socket") != NULL ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends)
                  : is("full-datagrams")     ? socketpair(AF_UNIX, SOCK_DGRAM, 0, ends)
                                             : pipe(ends),
              0);
  memcpy(shared, ends, sizeof ends);
  if (RCCE_ue() == 0 && is("poll")) { // the other one writes when it knows the ends
    struct pollfd one = {ends[0], POLLIN, 0};
    CHECK_INT(poll(&one, 1, 0), 0);
  }
  if (RCCE_ue() == 0)
    RCCE_send(shared, sizeof shared, 1);
  else
    RCCE_recv(shared, sizeof shared, 0);
  memcpy(ends, shared, sizeof ends);
  if (is("full-pipe"))
    test_full_pipe();
  else if (is("full-socket"))
    test_full_socket();
  else if (is("full-datagrams"))
    test_full_datagrams();
  else if (is("connect"))
    test_connect();
  else if (is_lock())
    test_lock();
  else if (is("timed"))
    test_timed();
  else if (is("reader-first") || is("writer-first"))
    test_named_pipe(is("reader-first") ? 0 : 1);
  else if (is("child") || is("popen") || is("waitid"))
    test_child();
  else if (is("looked-at"))
    test_looked_at();
  else if (is("sleeps"))
    for (;;) {
      if (RCCE_ue() == 1) RCCE_recv(shared, sizeof shared, 0);
      sleep(1);
    }
  else if (RCCE_ue() == 0)
    take_input();
  else
    give_output();
  if (!is("child") && !is("popen") && !is("waitid")) printf("rank %d at %.6f\n", RCCE_ue(), RCCE_wtime());
  return check_end();
}
