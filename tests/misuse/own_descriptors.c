// SPDX-License-Identifier: Apache-2.0
// Descriptors 0, 1 and 2 and the streams of the C library lead where a UE has led them, as in a process, and
// each UE's alone. No line is lost, and a UE's lines keep their order. Programs that it starts find the same.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ue_check.h"

static char name[64];

static void others_run(void) {
  RCCE_barrier(&RCCE_COMM_WORLD);
}

static const char* file_named(const char* what) {
  snprintf(name, sizeof name, "%s.%d", what, RCCE_ue());
  return name;
}

static void fill(const char* path, const char* text) {
  FILE* file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
}

static void check_contents(const char* path, const char* expected) {
  char text[256] = "";
  FILE* file = fopen(path, "r");
  CHECK(file != NULL, "no %s", path);
  if (file == NULL) return;
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  CHECK(strcmp(text, expected) == 0, "%s holds '%s', not '%s'", path, text, expected);
}

static void test_input(void) {
  char word[32] = "", text[64];
  snprintf(text, sizeof text, "word%d line\nrest", RCCE_ue());
  fill(file_named("input"), text);
  const int saved = dup(0);
  const int file = open(name, O_RDONLY);
  CHECK(saved > 2 && file > 2, "descriptors %d and %d", saved, file);
  CHECK_INT(dup2(file, 0), 0);
  close(file);
  others_run();
  CHECK_INT(read(0, word, 4), 4);
  CHECK(strcmp(word, "word") == 0, "read '%s'", word);
  CHECK_INT(getchar(), '0' + RCCE_ue());
  CHECK_INT(scanf("%31s", word), 1);
  CHECK(strcmp(word, "line") == 0, "scanned '%s'", word);
  others_run();
  close(0);
  CHECK_INT(open(name, O_RDONLY), 0);
  CHECK_INT(read(0, word, 5), 5);
  CHECK_INT(word[4], '0' + RCCE_ue());
  CHECK_INT(isatty(0), 0);
  CHECK_INT(lseek(0, 0, SEEK_CUR), 5);
  CHECK_INT(dup2(saved, 0), 0);
  close(saved);
  others_run();
  // What rccerun was given, for rank 0 alone.
  const ssize_t got = read(0, word, 6);
  CHECK_INT(got, RCCE_ue() == 0 ? 6 : 0);
  if (RCCE_ue() == 0) CHECK(memcmp(word, "given\n", 6) == 0, "read '%.6s'", word);
}

static void test_output(void) {
  printf("rank %d: first\n", RCCE_ue());
  others_run();
  const int saved = dup(1);
  int file = open(file_named("dup2"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  CHECK_INT(dup2(file, 1), 1);
  close(file);
  printf("printed %d\n", RCCE_ue());
  others_run();
  puts("put");
  CHECK_INT(write(1, "written\n", 8), 8);
  struct stat facts;
  CHECK_INT(fstat(1, &facts), 0);
  CHECK_INT(S_ISREG(facts.st_mode), 1);
  const int again = dup(1);
  CHECK_INT(write(again, "by a copy\n", 10), 10);
  close(again);
  const int far = fcntl(1, F_DUPFD, 50);
  CHECK(far >= 50, "descriptor %d", far);
  CHECK_INT(write(far, "far\n", 4), 4);
  close(far);
  CHECK_INT(fcntl(1, F_GETFL) & O_ACCMODE, O_WRONLY);
  dprintf(saved, "rank %d: past the redirection\n", RCCE_ue());
  CHECK_INT(dup2(saved, 1), 1);
  close(saved);
  printf("rank %d: second\n", RCCE_ue());
  char expected[128];
  snprintf(expected, sizeof expected, "printed %d\nput\nwritten\nby a copy\nfar\n", RCCE_ue());
  check_contents(name, expected);
  others_run();

  const int kept = fcntl(1, F_DUPFD, 3);
  close(1);
  CHECK_INT(fcntl(1, F_GETFD), -1);
  CHECK_INT(open(file_named("closed"), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
  others_run();
  printf("into the lowest\n");
  close(1);
  CHECK_INT(dup(kept), 1);
  printf("rank %d: third\n", RCCE_ue());
  check_contents(name, "into the lowest\n");
  others_run();

  FILE* by_descriptor = fdopen(kept, "w");
  fprintf(by_descriptor, "rank %d: fourth\n", RCCE_ue());
  printf("rank %d: fifth\n", RCCE_ue());
  CHECK_INT(fclose(by_descriptor), 0);
  others_run();
}

/// Numbers from 3 on are one set: a file is never led where another UE's already is.
static void test_chosen_number(void) {
  int file = open(file_named("chosen"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int led = dup2(file, 100);
  CHECK(led == 100 || (led == -1 && errno == EBUSY), "dup2 returns %d", led);
  others_run();
  if (led == 100) CHECK_INT(write(led, "own\n", 4), 4);
  others_run();
  if (led == 100) close(led);
  close(file);
  check_contents(name, led == 100 ? "own\n" : "");
  others_run();
}

static void test_streams(void) {
  FILE* const before = stdout;
  stdout = fopen(file_named("stream"), "w");
  printf("printed");
  others_run();
  putchar(' ');
  puts("and put");
  fprintf(before, "rank %d: sixth\n", RCCE_ue());
  fclose(stdout);
  stdout = before;
  printf("rank %d: seventh\n", RCCE_ue());
  check_contents(name, "printed and put\n");

  others_run();
  const int saved = dup(2);
  CHECK(freopen(file_named("error"), "w", stderr) != NULL, "freopen");
  fprintf(stderr, "an error of %d\n", RCCE_ue());
  others_run();
  CHECK_INT(dup2(saved, 2), 2);
  close(saved);
  char expected[64];
  snprintf(expected, sizeof expected, "an error of %d\n", RCCE_ue());
  check_contents(name, expected);
  fprintf(stderr, "rank %d: told\n", RCCE_ue());

  others_run();
  dup2(1, 2); // as in 2>&1
  fprintf(stderr, "rank %d: eighth\n", RCCE_ue());
  others_run();
}

static int status_of(pid_t child) {
  int status = -1;
  CHECK_INT(waitpid(child, &status, 0), child);
  return WEXITSTATUS(status);
}

/// By posix_spawnp(), with the program's actions on top, and an environment of its own.
static int spawn(const char* shell, const char* command, const posix_spawn_file_actions_t* actions) {
  char* words[] = {(char*)shell, (char*)"-c", (char*)command, NULL};
  char* none[] = {NULL};
  pid_t child = -1;
  CHECK_INT(posix_spawnp(&child, shell, actions, NULL, words, none), 0);
  return status_of(child);
}

static void spawn_children(void) {
  char path[64], line[80];
  char* words[] = {(char*)"sh", (char*)"-c", (char*)"echo spawned; echo an error >&2", NULL};
  pid_t child = -1;
  CHECK_INT(posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ), 0);
  CHECK_INT(status_of(child), 0);
  snprintf(path, sizeof path, "bin.%d", RCCE_ue());
  mkdir(path, 0700);
  snprintf(line, sizeof line, "%s/shell", path);
  CHECK(symlink("/bin/sh", line) == 0 || errno == EEXIST, "error %d", errno);
  setenv("PATH", path, 1); // where the UE itself looks
  CHECK_INT(spawn("shell", "echo by its path", NULL), 0);
  setenv("PATH", "/bin:/usr/bin", 1);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addchdir_np(&actions, "/");
  CHECK_INT(spawn("sh", "echo by actions >&2; pwd; read line || echo nothing", &actions), 0);
  posix_spawn_file_actions_destroy(&actions);
}

static void popen_children(void) {
  FILE* to = popen("cat", "w");
  fprintf(to, "through cat\n");
  CHECK_INT(WEXITSTATUS(pclose(to)), 0);
  char text[64] = "";
  FILE* from = popen("cat; echo left out >&2; exit 5", "re");
  CHECK(fgets(text, sizeof text, from) != NULL && strcmp(text, "of the input\n") == 0, "read '%s'", text);
  CHECK(fgets(text, sizeof text, from) == NULL, "read '%s'", text);
  CHECK_INT(WEXITSTATUS(pclose(from)), 5);
  errno = 0;
  CHECK(popen("true", "rw") == NULL && errno == EINVAL, "error %d", errno);
}

/// Behind their lines: the children of all UEs write to rccerun's descriptors.
static void test_children(void) {
  const int input = dup(0), output = dup(1), error = dup(2);
  fill(file_named("child_input"), "of the input\n");
  close(0);
  CHECK_INT(open(name, O_RDONLY), 0);
  int file = open(file_named("child_error"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(file, 2);
  close(file);
  file = open(file_named("children"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(file, 1);
  close(file);
  others_run();
  popen_children();
  spawn_children();
  close(1);
  CHECK(WEXITSTATUS(system("echo to nobody 2>/dev/null")) != 0, "a closed descriptor takes text");
  dup2(output, 1);
  check_contents(file_named("children"), "through cat\nspawned\nby its path\nby actions\n/\nnothing\n");
  check_contents(file_named("child_error"), "left out\nan error\n");
  dup2(error, 2);

  // Exchanged.
  dup2(error, 1);
  dup2(output, 2);
  CHECK_INT(system("echo to the error; echo to the output >&2"), 0);
  dup2(output, 1);
  dup2(error, 2);
  dup2(input, 0);
  close(input);
  close(output);
  close(error);
  // The input of the run is that of rank 0.
  CHECK_INT(WEXITSTATUS(system("read line")), RCCE_ue() == 0 ? 0 : 1);
}

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  test_input();
  test_output();
  test_chosen_number();
  test_children();
  others_run();
  test_streams();
  others_run();
  const int status = check_end();
  const int file = open(file_named("child"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(file, 1);
  CHECK_INT(system("echo by a child"), 0);
  // Lost, which is no failure of the run.
  fclose(stdout);
  printf("to nobody\n");
  // Left to the end of the UE.
  stdout = fopen(file_named("left"), "w");
  printf("left %d\n", RCCE_ue());
  return status;
}
