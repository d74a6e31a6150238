// SPDX-License-Identifier: Apache-2.0
// What the operating system and the C and C++ libraries keep once per process belongs to a UE: working
// directory, umask, locale, time zone, environment, table of hsearch(), variables that are named. Every UE
// makes its own changes, the others run, and nothing of it has moved. argv[1] "crash": rank 1 crashes from a
// directory of its own.
#include <cerrno>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <fts.h>
#include <getopt.h>
#include <iomanip>
#include <iostream>
#include <langinfo.h>
#include <locale>
#include <new>
#include <search.h>
#include <sstream>
#include <string>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ue_check.h"

extern char** environ;

namespace {

int me;

void others_run() {
  RCCE_barrier(&RCCE_COMM_WORLD);
}

std::string line_of(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::string output_of(const char* command) {
  char line[256] = "";
  FILE* pipe = popen(command, "r");
  if (pipe == nullptr || fgets(line, sizeof line, pipe) == nullptr) line[0] = '\0';
  if (pipe != nullptr) pclose(pipe);
  return {line, strcspn(line, "\n")};
}

bool exists(const char* name) {
  return access(name, F_OK) == 0;
}

/// Rank 3 stays where the run began.
void test_directory(const std::string& start) {
  const std::string name = "dir" + std::to_string(me);
  const std::string own = me == 3 ? start : start + "/" + name;
  if (me != 3) {
    mkdir(name.c_str(), 0777);
    CHECK_INT(chdir(name.c_str()), 0);
  }
  others_run();
  FILE* file = fopen("out.txt", "w");
  fprintf(file, "of rank %d\n", me);
  fclose(file);
  others_run();
  CHECK(line_of("out.txt") == "of rank " + std::to_string(me), "opened by name");
  CHECK(line_of(own + "/out.txt") == "of rank " + std::to_string(me), "opened by its whole name");
  CHECK(std::filesystem::current_path() == own, "in %s", std::filesystem::current_path().c_str());
  CHECK(output_of("pwd") == own, "child of popen in %s", output_of("pwd").c_str());
  CHECK_INT(system("touch of_child"), 0);
  others_run();
  char resolved[4096];
  CHECK(realpath("out.txt", resolved) != nullptr && resolved == own + "/out.txt", "realpath");
  CHECK_INT(rename("out.txt", "renamed.txt"), 0);
  others_run();
  CHECK(exists("renamed.txt") && exists("of_child") && !exists("out.txt"), "renamed");
  CHECK_INT(mkdir("below", 0777), 0);
  others_run();
  const int below = open("below", O_RDONLY | O_DIRECTORY);
  CHECK_INT(fchdir(below), 0);
  close(below);
  others_run();
  CHECK(std::filesystem::current_path() == own + "/below", "after fchdir");
  CHECK_INT(chdir(".."), 0);
  others_run();
  CHECK_INT(rmdir("below"), 0);
  int entries = 0;
  DIR* folder = opendir(".");
  while (readdir(folder) != nullptr) ++entries;
  closedir(folder);
  if (me != 3) CHECK_INT(entries, 4); // with . and ..
  std::string listed = start;
  char* paths[] = {listed.data(), nullptr};
  FTS* tree = fts_open(paths, FTS_PHYSICAL, nullptr); // enters what it lists, left to itself
  for (int n = 0; n < 3; ++n) {
    const FTSENT* entry = fts_read(tree);
    CHECK(entry != nullptr && access(entry->fts_accpath, F_OK) == 0, "entry %d", n);
    others_run();
    CHECK(std::filesystem::current_path() == own, "while it lists");
  }
  fts_close(tree);
  errno = 0;
  CHECK(chdir("renamed.txt") == -1 && errno == ENOTDIR, "error number %d", errno);
  CHECK(chdir("nowhere") == -1 && errno == ENOENT, "error number %d", errno);
  others_run();
  CHECK(std::filesystem::current_path() == own, "after failing");
  unlink("renamed.txt");
  unlink("of_child");
  others_run();
}

void test_umask(const std::string& start) {
  const mode_t masks[] = {0, 077, 027};
  mode_t first = 0;
  if (me < 3) first = umask(masks[me]);
  others_run();
  const std::string name = start + "/mask" + std::to_string(me);
  close(open(name.c_str(), O_CREAT | O_WRONLY, 0666));
  others_run();
  struct stat facts {};
  stat(name.c_str(), &facts);
  unlink(name.c_str());
  if (me < 3) CHECK_INT(facts.st_mode & 0777, 0666 & ~masks[me]);
  if (me < 3) CHECK_INT(umask(first), masks[me]);
  others_run();
  if (me == 3) CHECK_INT(facts.st_mode & 0777, 0644); // the test starts it with umask 022
}

struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

void test_locale() {
  CHECK(strcmp(setlocale(LC_ALL, nullptr), "C") == 0, "begins in %s", setlocale(LC_ALL, nullptr));
  others_run();
  if (me == 1) {
    CHECK(setlocale(LC_CTYPE, "C.UTF-8") != nullptr, "setlocale");
    CHECK(strncmp(setlocale(LC_ALL, nullptr), "LC_CTYPE=C.UTF-8;LC_NUMERIC=C;", 30) == 0, "all: %s",
          setlocale(LC_ALL, nullptr));
    CHECK(setlocale(LC_ALL, "no_such_LOCALE") == nullptr, "unknown");
  }
  locale_t chosen = nullptr;
  if (me == 2) uselocale(chosen = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr));
  others_run();
  const bool wide = me == 1 || me == 2;
  CHECK_INT(MB_CUR_MAX, wide ? 6 : 1);
  CHECK(strcmp(nl_langinfo(CODESET), wide ? "UTF-8" : "ANSI_X3.4-1968") == 0, "code set %s",
        nl_langinfo(CODESET));
  CHECK(strcmp(setlocale(LC_CTYPE, nullptr), me == 1 ? "C.UTF-8" : "C") == 0, "name");
  CHECK(uselocale(nullptr) == (me == 2 ? chosen : LC_GLOBAL_LOCALE), "chosen");
  CHECK(strcmp(localeconv()->decimal_point, ".") == 0, "decimal point");
  others_run();
  if (me == 1) setlocale(LC_ALL, "C");
  if (me == 2) uselocale(LC_GLOBAL_LOCALE), freelocale(chosen);
  if (me == 0) {
    setenv("LC_ALL", "C.UTF-8", 1);
    CHECK(strcmp(setlocale(LC_ALL, ""), "C.UTF-8") == 0, "named by the environment");
  }
  others_run();
  CHECK_INT(MB_CUR_MAX, me == 0 ? 6 : 1);
  others_run();
  if (me == 0) setlocale(LC_ALL, "C");

  if (me == 2) std::locale::global(std::locale(std::locale::classic(), new Comma));
  others_run();
  std::ostringstream text;
  text << 1.5;
  CHECK(text.str() == (me == 2 ? "1,5" : "1.5"), "printed %s", text.str().c_str());
  CHECK_INT(snprintf(nullptr, 0, "%.1f", 1.5), 3);
  others_run();
  if (me == 2) std::locale::global(std::locale::classic());
}

/// The C++ library's, and standard input, which is rank 0's: "12 word", "rest of the line", "w".
void test_streams() {
  if (me == 1) std::cout.imbue(std::locale(std::locale::classic(), new Comma));
  others_run();
  std::cout << "prints " << 1.5 << std::endl;
  others_run();
  if (me == 1) std::cout.imbue(std::locale::classic());
  std::cout << "prints again " << 1.5 << std::endl;
  others_run();

  std::cout << std::setw(8) << std::setfill(static_cast<char>('a' + me)) << std::setprecision(2 + me);
  if (me == 1) std::cerr << std::hex;
  if (me == 2) std::cout.setstate(std::ios::failbit);
  others_run();
  std::cout << 1.0 / 3 << std::endl;
  CHECK_INT(std::cout.fail(), me == 2);
  CHECK_INT(std::cerr.flags() & std::ios::hex ? 1 : 0, me == 1);
  std::cout.clear();
  std::ostringstream text;
  std::streambuf* const before = std::cout.rdbuf(text.rdbuf());
  others_run();
  std::cout << "of rank " << me;
  others_run();
  std::cout.rdbuf(before);
  CHECK(text.str() == "of rank " + std::to_string(me), "into '%s'", text.str().c_str());
  std::wcout << L"wide " << me << std::endl;
  others_run();

  int number = -1;
  std::string word;
  CHECK_INT(scanf("%d", &number), me == 0 ? 1 : EOF);
  others_run();
  std::cin >> word;
  CHECK(word == (me == 0 ? "word" : "") && number == (me == 0 ? 12 : -1), "read %d '%s'", number,
        word.c_str());
  CHECK_INT(getchar(), me == 0 ? '\n' : EOF);
  std::getline(std::cin, word);
  CHECK(me != 0 || word == "rest of the line", "line '%s'", word.c_str());
  CHECK_INT(std::cin.eof(), me != 0);
  CHECK_INT(getc(stdin), me == 0 ? 'w' : EOF);
  const std::string name = "input" + std::to_string(me);
  std::ofstream(name) << "from a file " << me;
  CHECK(freopen(name.c_str(), "r", stdin) != nullptr, "freopen");
  others_run();
  std::cin.clear();
  CHECK(std::getline(std::cin, word) && word == "from a file " + std::to_string(me), "'%s'", word.c_str());
  unlink(name.c_str());
  others_run();
}

void test_zone() {
  const std::string zone = "UE" + std::string(1, static_cast<char>('A' + me)) + "-" + std::to_string(me);
  if (me != 3) {
    setenv("TZ", zone.c_str(), 1);
    tzset();
  }
  others_run();
  const int hours = me == 3 ? 0 : me; // the test starts it with TZ=UTC0
  const time_t noon = 12 * 3600;
  CHECK_INT(timezone, -3600 * hours);
  CHECK(zone.compare(0, 3, tzname[0]) == 0 || me == 3, "zone %s", tzname[0]);
  CHECK_INT(localtime(&noon)->tm_hour, 12 + hours);
  others_run();
  tm parts{};
  CHECK_INT(localtime_r(&noon, &parts)->tm_hour, 12 + hours);
  CHECK_INT(mktime(&parts), noon);
  char text[64];
  strftime(text, sizeof text, "%Z", &parts);
  CHECK(zone.compare(0, 3, text) == 0 || me == 3, "printed zone %s", text);
  others_run();
  CHECK_INT(timezone, -3600 * hours);
}

void test_environment() {
  setenv("ROCKCREEK_TEST_OWN", std::to_string(me).c_str(), 1);
  others_run();
  CHECK(output_of("echo $ROCKCREEK_TEST_OWN") == std::to_string(me), "in a child of popen");
  CHECK_INT(WEXITSTATUS(system("exit $ROCKCREEK_TEST_OWN")), me);
  bool found = false;
  for (char** entry = environ; *entry != nullptr; ++entry)
    found |= *entry == "ROCKCREEK_TEST_OWN=" + std::to_string(me);
  CHECK(found, "through environ");
  char word[] = "ONLY=1";
  char* few[] = {word, nullptr};
  environ = few;
  others_run();
  CHECK(getenv("ONLY") != nullptr && getenv("PATH") == nullptr, "environ led elsewhere");
  others_run();
}

void test_variables() {
  optind = 10 + me;
  others_run();
  CHECK_INT(optind, 10 + me);
  volatile double argument = me % 2 == 0 ? 0.5 : -0.5; // the sign of gamma is + and -
  CHECK(lgamma(argument) > 0, "lgamma");
  others_run();
  CHECK_INT(signgam, me % 2 == 0 ? 1 : -1);
}

void test_table() {
  char key[] = "key";
  CHECK(hcreate(10) != 0, "hcreate");
  others_run();
  hsearch({key, reinterpret_cast<void*>(static_cast<long>(me))}, ENTER);
  others_run();
  const ENTRY* found = hsearch({key, nullptr}, FIND);
  CHECK(found != nullptr && found->data == reinterpret_cast<void*>(static_cast<long>(me)), "hsearch");
  others_run();
  hdestroy();
  others_run();
}

void handler_of_odd() {}

void test_handlers() {
  const auto terminate_before = std::get_terminate();
  if (me % 2 == 1) {
    std::set_new_handler(handler_of_odd);
    CHECK(std::set_terminate(handler_of_odd) == terminate_before, "handler before");
  }
  others_run();
  CHECK(std::get_new_handler() == (me % 2 == 1 ? handler_of_odd : nullptr), "new handler");
  CHECK(std::get_terminate() == (me % 2 == 1 ? handler_of_odd : terminate_before), "terminate handler");
  others_run();
}

void test_refused() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  CHECK_INT(setrlimit(RLIMIT_NOFILE, &limit), 0); // no change
  limit.rlim_cur = 20;
  errno = 0;
  CHECK(setrlimit(RLIMIT_NOFILE, &limit) == -1 && errno == ENOSYS, "error number %d", errno);
  CHECK(nice(1) == -1, "nice");
  CHECK(chroot(".") == -1, "chroot");
  CHECK_INT(setuid(getuid()), 0); // no change
  CHECK(setgid(getgid() + 1) == -1, "setgid");
  CHECK(unshare(CLONE_NEWUSER) == -1, "unshare");
  CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0) == -1, "prctl");
  CHECK_INT(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) >= 0, 1);
  others_run();
}

} // namespace

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  const std::string start = std::filesystem::current_path();
  if (argc > 1 && strcmp(argv[1], "streams") == 0) {
    test_streams();
    return check_end();
  }
  if (argc > 1 && strcmp(argv[1], "crash") == 0) {
    if (chdir("/") == 0 && me == 1) *static_cast<volatile int*>(nullptr) = 1;
    others_run();
  }
  test_directory(start);
  test_umask(start);
  test_locale();
  test_zone();
  test_variables();
  test_table();
  test_handlers();
  test_refused();
  test_environment();
  RCCE_finalize();
  return check_end();
}
