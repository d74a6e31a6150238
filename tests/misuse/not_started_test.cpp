// SPDX-License-Identifier: Apache-2.0
// A function of the library that is called where no runtime has started the program: a message with its name
// and how to start it, then SIGABRT. Nothing of the UE that there is not is touched.
#include <csignal>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "catch.hpp"

extern "C" {
double rockcreek_wtime(void* ue) noexcept;
int rockcreek_init(void* ue, int* argc, char*** argv) noexcept;
}

namespace {

struct End {
  int status = 0;
  std::string said;
};

End end_of(void (*call)()) {
  int ends[2] = {};
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    for (const int signal : {SIGABRT, SIGSEGV})
      (void)std::signal(signal, SIG_DFL); // Catch's tell of a failure
    dup2(ends[1], STDERR_FILENO);
    call();
    _exit(0);
  }
  close(ends[1]);
  End end;
  char text[4096];
  for (ssize_t count = 0; (count = read(ends[0], text, sizeof text)) > 0;)
    end.said.append(text, static_cast<std::size_t>(count));
  close(ends[0]);
  REQUIRE(waitpid(child, &end.status, 0) == child);
  return end;
}

} // namespace

TEST_CASE("a call without a runtime says so and aborts") {
  End end = end_of([] { (void)rockcreek_wtime(nullptr); });
  CHECK(end.said ==
        "rockcreek: RCCE_wtime: the program was not started by the runtime; start it with rccerun\n");
  CHECK(WIFSIGNALED(end.status));
  CHECK(WTERMSIG(end.status) == SIGABRT);
  end = end_of([] { (void)rockcreek_init(nullptr, nullptr, nullptr); });
  CHECK(end.said ==
        "rockcreek: RCCE_init: the program was not started by the runtime; start it with rccerun\n");
  CHECK(WIFSIGNALED(end.status));
  CHECK(WTERMSIG(end.status) == SIGABRT);
}
