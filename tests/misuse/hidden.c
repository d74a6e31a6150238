/* A word of shared memory that rank 1 writes and rank 0 reads at the same time, by accesses that no compiler
 * pass sees, also within calls of the library, and results that depend on the host, one by each word.
 * Compiled with rccecc --observe. */
#include "RCCE.h"
#include <immintrin.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char *shared;

static void accesses(const char *kind, int me) {
  struct iovec parts[2] = {{"", 0}, {shared, 4}};
  if (me == 1) {
    if (!strcmp(kind, "mask"))
      _mm_maskmoveu_si128(_mm_set1_epi32(1), _mm_set1_epi32(-1), shared);
    else
      *(volatile int *)shared = 1;
  } else if (me == 0) {
    if (!strcmp(kind, "parts")) {
      writev(STDOUT_FILENO, parts, 2);
    } else if (!strcmp(kind, "parts-of-heap")) {
      struct iovec *const own = malloc(sizeof parts);
      memcpy(own, parts, sizeof parts);
      writev(STDOUT_FILENO, own, 2);
      free(own);
    } else if (!strcmp(kind, "parts-of-message")) {
      struct iovec *const own = calloc(40, sizeof *own); /* the last of many */
      struct msghdr *const message = calloc(1, sizeof *message);
      int pair[2];
      own[39] = parts[1];
      message->msg_iov = own;
      message->msg_iovlen = 40;
      if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 || sendmsg(pair[0], message, 0) != 4) exit(9);
    } else {
      printf("%d\n", *(volatile int *)shared);
    }
  }
}

/* Bytes that the library takes from shared memory past the buffers: no whole lines, an operand. */
static void calls(const char *kind, int me) {
  int word = 0, sum = 0;
  if (me == 1) *(volatile int *)shared = 1;
  if (!strcmp(kind, "call-sends")) {
    if (me == 0) RCCE_send(shared, sizeof word, 1);
    if (me == 1) RCCE_recv((char *)&word, sizeof word, 0);
  } else {
    RCCE_reduce(me == 0 ? shared : (char *)&word, (char *)&sum, 1, RCCE_INT, RCCE_SUM, 0, RCCE_COMM_WORLD);
  }
}

__attribute__((target("rdrnd"))) static int drawn(unsigned *word) { return _rdrand32_step(word); }

static void asks(const char *kind) {
  unsigned char byte = 0;
  if (!strcmp(kind, "process")) {
    byte = (unsigned char)getpid();
  } else if (!strcmp(kind, "random")) {
    if (getrandom(&byte, 1, 0) != 1) exit(9);
  } else if (!strcmp(kind, "device")) {
    const int file = open("/dev/urandom", O_RDONLY);
    if (read(file, &byte, 1) != 1) exit(9);
    close(file);
  } else if (!strcmp(kind, "device-as-stream")) {
    FILE *const file = fopen("/dev/urandom", "r");
    byte = (unsigned char)getc(file);
    fclose(file);
  } else if (!strcmp(kind, "system")) {
    FILE *const file = fopen("/proc/self/stat", "r");
    byte = (unsigned char)getc(file);
    fclose(file);
  } else if (!strcmp(kind, "other-program")) {
    FILE *const output = popen("date", "r");
    byte = (unsigned char)getc(output);
    pclose(output);
  } else if (!strcmp(kind, "start")) {
    byte = *(const unsigned char *)getauxval(AT_RANDOM);
  } else if (!strcmp(kind, "temporary")) {
    char name[] = "hidden.XXXXXX";
    close(mkstemp(name));
    unlink(name);
  } else if (!strcmp(kind, "shared-folder")) {
    if (mkdir("hidden.folder", 0700) != 0) byte = 1;
    rmdir("hidden.folder");
  } else if (!strcmp(kind, "shared-name")) {
    struct stat found;
    if (RCCE_ue() == 0) remove("hidden.name");
    else byte = stat("hidden.name", &found) == 0;
  } else if (!strncmp(kind, "shared-", 7)) {
    const int file = open("hidden.shared", O_RDWR | O_CREAT, 0600);
    if (ftruncate(file, 4096) != 0) exit(9);
    if (!strcmp(kind, "shared-mapping"))
      byte = *(volatile unsigned char *)mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    close(file);
  } else if (!strcmp(kind, "semaphore")) {
    sem_t *const named = sem_open("/rockcreek.hidden", O_CREAT, 0600, 1);
    byte = sem_trywait(named) == 0;
    sem_unlink("/rockcreek.hidden");
  } else if (!strcmp(kind, "queue")) {
    byte = mq_open("/rockcreek.none", O_RDWR) != (mqd_t)-1;
  } else if (!strcmp(kind, "old-queue")) {
    byte = msgsnd(-1, "", 0, 0) == 0;
  } else if (!strcmp(kind, "old-semaphore")) {
    byte = semop(-1, NULL, 0) == 0;
  } else if (!strcmp(kind, "datagrams")) {
    struct sockaddr_in any = {.sin_family = AF_INET};
    const int file = socket(AF_INET, SOCK_DGRAM, 0);
    byte = sendto(file, "", 0, 0, (struct sockaddr *)&any, sizeof any) > 0;
    close(file);
  } else if (!strcmp(kind, "instruction")) {
    unsigned word = 0;
    if (drawn(&word)) byte = (unsigned char)word;
  } else if (!strcmp(kind, "assembler")) {
    unsigned low = 0;
    __asm__ volatile("rdtsc\n\taddl %%edx, %%eax" : "=a"(low) : : "edx"); /* no moves alone: the host's */
    byte = (unsigned char)low;
  }
  if (byte == 255) fflush(stdout);
}

int RCCE_APP(int argc, char **argv) {
  const char *kind;
  RCCE_init(&argc, &argv);
  kind = argc > 1 ? argv[1] : "";
  shared = (char *)RCCE_shmalloc(1024);
  if (RCCE_ue() == 0) memset(shared, 0, 1024);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (!strcmp(kind, "mask") || !strncmp(kind, "parts", 5)) accesses(kind, RCCE_ue());
  if (!strncmp(kind, "call-", 5)) calls(kind, RCCE_ue());
  if (!strcmp(kind, "several")) {
    accesses(RCCE_ue() == 1 ? "mask" : "parts", RCCE_ue());
    asks("process");
    asks("device");
    if (RCCE_wtime() < 0) puts("never");
  }
  /* a structure that is missing holds nothing */
  if (!strcmp(kind, "no-message") && sendmsg(-1, argc > 5 ? (struct msghdr *)shared : 0, 0) != -1) exit(9);
  if (!strcmp(kind, "file") && RCCE_ue() == 0) fclose(fopen("hidden.written", "w"));
  if (!strcmp(kind, "link") && RCCE_ue() == 0 && symlink("nowhere", "hidden.link") == 0)
    rename("hidden.link", "hidden.moved");
  /* nor does a stream */
  if (!strcmp(kind, "stream")) fprintf(stdout, "a line\n");
  asks(kind);
  RCCE_barrier(&RCCE_COMM_WORLD);
  RCCE_finalize();
  return 0;
}
