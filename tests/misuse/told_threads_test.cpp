// SPDX-License-Identifier: Apache-2.0
// Threads of UEs are told of a run's end by a signal, and go to the next point where they can stop. One that
// is told before that point stops anybody passes it: no thread may be told before the run has been stopped.
#include <atomic>
#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

#include "catch.hpp"
#include "engine/thread_engine.hpp"
#include "mesh_sim/machines/machines.hpp"

namespace {

std::atomic<bool> told{false};

/// True if a run ends that one UE stops at once.
bool stops() {
  const auto engine = rcce::make_thread_engine(mesh::load_machine("scc"), {});
  // In code of its own, where only the signal reaches it.
  std::atomic<bool> begun{false};
  engine->start(0, [&] {
    begun = true;
    while (!told) {
    }
  });
  engine->start(1, [&] {
    while (!begun) {
    }
    engine->stop();
  });
  engine->on_progress(
      [](void* self, rcce::Picoseconds) {
        static_cast<rcce::Engine*>(self)->interrupt(SIGUSR1);
        return rcce::Picoseconds{0};
      },
      engine.get());
  return engine->run() == rcce::Outcome::stopped;
}

} // namespace

TEST_CASE("a run that is stopped before it waits for its threads tells them all the same") {
  // In processes of their own: the first run of each takes long enough to start.
  for (int round = 0; round < 60; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      std::signal(SIGUSR1, [](int) { told = true; });
      alarm(10);
      _exit(stops() ? 0 : 1);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CAPTURE(round, status);
    REQUIRE(status == 0);
  }
}

TEST_CASE("threads are told of the end once the run has been stopped, and not before") {
  struct sigaction action {
  }, before{};
  action.sa_handler = [](int) { told = true; };
  sigaction(SIGUSR1, &action, &before);
  told = false;

  const auto engine = rcce::make_thread_engine(mesh::load_machine("scc"), {});
  std::atomic<bool> both{false}, early{false};
  // In code of its own, where only the signal reaches it.
  engine->start(0, [&] {
    both = true;
    while (!told) {
    }
  });
  engine->start(1, [&] {
    while (!both) {
    }
    for (int i = 0; i < 1000; ++i) engine->interrupt(SIGUSR1);
    early = told.load();
    engine->stop();
  });
  engine->on_progress(
      [](void* self, rcce::Picoseconds) {
        static_cast<rcce::Engine*>(self)->interrupt(SIGUSR1);
        return rcce::Picoseconds{0};
      },
      engine.get());
  CHECK(engine->run() == rcce::Outcome::stopped);
  CHECK(told);
  CHECK_FALSE(early);
  sigaction(SIGUSR1, &before, nullptr);
}
