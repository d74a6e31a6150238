// SPDX-License-Identifier: Apache-2.0
// An exception that a signal handler throws passes the call that has sent the signal, called so that the
// compiler does not know that it is declared not to throw.
#include <csignal>
#include <cstdio>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include "RCCE.h"

static void handle(int signal) {
  throw std::runtime_error(std::to_string(signal == SIGUSR1));
}

template <class Send>
static void attempt(const char* name, Send send) {
  try {
    send();
  } catch (const std::exception& error) {
    std::printf("rank %d: %s, caught %s\n", RCCE_ue(), name, error.what());
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr); // as natively: nobody has returned from the handler
}

int main(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  std::signal(SIGUSR1, handle);
  int (*volatile by_raise)(int) = raise;
  int (*volatile by_kill)(pid_t, int) = kill;
  int (*volatile by_thread)(pthread_t, int) = pthread_kill;
  int (*volatile by_queue)(pid_t, int, union sigval) = sigqueue;
  attempt("raise", [&] { by_raise(SIGUSR1); });
  attempt("kill", [&] { by_kill(getpid(), SIGUSR1); });
  attempt("pthread_kill", [&] { by_thread(pthread_self(), SIGUSR1); });
  attempt("sigqueue", [&] { by_queue(getpid(), SIGUSR1, {}); });
  RCCE_finalize();
  return 0;
}
