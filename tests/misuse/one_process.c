/* What a UE cannot do because the UEs of a job share one process is refused with an error number; what starts
 * a process of its own works. argv[1] "child": starts `sh -c argv[2]` and nothing else. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <pty.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include "ue_check.h"

extern char** environ;

static void* body(void* argument) {
  return argument;
}
static int thread_body(void* argument) {
  return argument != NULL;
}

/* With the error number of the call, which is an argument. */
#define REFUSED(call)                                                                  \
  do {                                                                                 \
    errno = 0;                                                                         \
    CHECK((call) == -1 && errno == ENOSYS, "error number %d, expected ENOSYS", errno); \
  } while (0)

static void refused(void) {
  char* words[] = {"true", NULL};
  pthread_t thread;
  thrd_t c11_thread;
  int terminal;
  CHECK_INT(pthread_create(&thread, NULL, body, NULL), EAGAIN);
  CHECK_INT(thrd_create(&c11_thread, thread_body, NULL), thrd_error);
  CHECK_INT(pthread_join(thread, NULL), ESRCH); /* as programs do that do not look at what they were told */
  CHECK_INT(pthread_detach(thread), ESRCH);
  CHECK_INT(thrd_join(c11_thread, NULL), thrd_error);
  REFUSED(fork());
  REFUSED(vfork());
  REFUSED(daemon(1, 1));
  REFUSED(forkpty(&terminal, NULL, NULL, NULL));
  REFUSED(execl("/bin/true", "true", (char*)NULL));
  REFUSED(execlp("true", "true", (char*)NULL));
  REFUSED(execle("/bin/true", "true", (char*)NULL, environ));
  REFUSED(execv("/bin/true", words));
  REFUSED(execvp("true", words));
  REFUSED(execve("/bin/true", words, environ));
  REFUSED(execvpe("true", words, environ));
  REFUSED(fexecve(open("/bin/true", O_RDONLY), words, environ));
  REFUSED(fork()); /* told once */
}

static void works(void) {
  char* words[] = {"sh", "-c", "exit 4", NULL};
  char text[16] = "";
  pid_t child;
  int status;
  FILE* pipe;
  CHECK_INT(WEXITSTATUS(system("exit 3")), 3);
  CHECK_INT(posix_spawnp(&child, "sh", NULL, NULL, words, environ), 0);
  CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 4, "status %#x", status);
  pipe = popen("echo read", "r");
  CHECK(pipe != NULL && fgets(text, sizeof text, pipe) != NULL && strcmp(text, "read\n") == 0,
        "'%s' was read", text);
  CHECK_INT(pclose(pipe), 0);
}

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  if (argc > 2 && !strcmp(argv[1], "child")) return system(argv[2]) != 0;
  refused();
  works();
  if (RCCE_ue() == 0) {
    printf("before\n");
    system("echo between");
    printf("after\n");
  }
  return check_end();
}
