// SPDX-License-Identifier: Apache-2.0
// A second signal at any instant of the first one's handling is the same wish, and must not end the process:
// it comes here after every single instruction around the first one's being noted, by the processor's trap
// flag.
#include "catch.hpp"

#include <csignal>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "engine/host/clock.hpp"
#include "process/run/interrupt.hpp"

using namespace rcce::run;
namespace host = rcce::host;

namespace {

constexpr greg_t trap_flag = 0x100;
/// Exit status of a process of the test: had the first signal been noted when the second came?
enum Outcome { not_yet = 10, noted = 11, handled = 12, lost = 13 };

volatile std::sig_atomic_t steps;   // instructions executed since stepping began
volatile std::sig_atomic_t at;      // how many of them until the second signal
volatile std::sig_atomic_t outcome; // of this process

void no_tick(int, siginfo_t*, void*) {}

void step(int, siginfo_t*, void* context) {
  steps = steps + 1;
  if (steps <= at) return;
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~trap_flag;
  outcome = interrupt_signal() == 0 ? not_yet : noted;
  end_runs_by(SIGTERM, -1);
}

/// A process in which SIGINT is handled, and SIGTERM after so many instructions of that.
[[noreturn]] void second_after(int instructions) {
  struct sigaction action {};
  action.sa_sigaction = &step;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, nullptr);
  const int place = enter_interrupts(getpid(), &no_tick);
  at = instructions;
  outcome = handled;
  asm volatile("lea -128(%%rsp), %%rsp\n pushfq\n orq $0x100, (%%rsp)\n popfq\n lea 128(%%rsp), %%rsp" ::
                   : "memory", "cc");
  end_runs_by(SIGINT, -1);
  asm volatile("lea -128(%%rsp), %%rsp\n pushfq\n andq $-257, (%%rsp)\n popfq\n lea 128(%%rsp), %%rsp" ::
                   : "memory", "cc");
  const int signal = interrupt_signal();
  leave_interrupts(place);
  _exit(signal == SIGINT || signal == SIGTERM ? outcome : lost);
}

} // namespace

TEST_CASE("a second signal ends nothing, at whichever instruction of the first's handling it comes",
          "[interrupt]") {
  REQUIRE(host::nanoseconds() > 0); // a run has read the clock before it can be interrupted
  int before = 0;
  int after = 0;
  constexpr std::int64_t close_together = 400'000'000;
  for (int instructions = 0; after < 40 && instructions < 5000; ++instructions) {
    const std::int64_t begin = host::nanoseconds();
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) second_after(instructions);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    if (host::nanoseconds() - begin > close_together) { // the host has run others: once more
      --instructions;
      continue;
    }
    INFO("after " << instructions << " instructions: status " << status);
    REQUIRE(WIFEXITED(status));
    REQUIRE((WEXITSTATUS(status) == not_yet || WEXITSTATUS(status) == noted));
    ++(WEXITSTATUS(status) == noted ? after : before);
  }
  CHECK(before > 10);
  CHECK(after == 40);
}
