// SPDX-License-Identifier: Apache-2.0
// C++ on UEs: static constructors and destructors, function-local and inline statics, thread_local,
// std::cout, exceptions that are in flight while other UEs run, standard containers. One line per UE and
// kind, so that the test can count them.
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "RCCE.h"

namespace {

struct Global {
  std::string text = "constructed";
  int changes = 0;
  ~Global() { std::cout << "global of rank " << rank << " destroyed\n"; }
  int rank = -1;
};
Global global;

template <class T>
struct Counter {
  static inline T value{};
};

struct Local {
  std::vector<int> values{1, 2, 3};
  ~Local() { Counter<int>::value += 1; }
};
thread_local Local local;

int& once() {
  static int value = [] { return 10 * (global.rank + 1); }();
  return value;
}

void deep(int levels) {
  Local guard;
  if (levels > 0) return deep(levels - 1);
  RCCE_barrier(&RCCE_COMM_WORLD); // others run while this one is about to throw
  throw std::runtime_error("thrown by " + std::to_string(RCCE_ue()));
}

int exceptions_stay_private() {
  std::string want = "thrown by " + std::to_string(RCCE_ue());
  int faults = 0;
  for (int n = 0; n < 5; ++n) {
    try {
      try {
        deep(6);
      } catch (const std::exception& inner) {
        if (inner.what() != want) ++faults;
        RCCE_barrier(&RCCE_COMM_WORLD); // others throw and catch meanwhile
        throw;
      }
    } catch (const std::runtime_error& outer) {
      RCCE_barrier(&RCCE_COMM_WORLD);
      if (outer.what() != want) ++faults;
    }
  }
  return faults;
}

} // namespace

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  const int me = RCCE_ue();
  int faults = 0;
  if (global.text != "constructed" || global.rank != -1) ++faults;
  global.rank = me;
  RCCE_barrier(&RCCE_COMM_WORLD);
  once() += 1;
  local.values.push_back(me);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (global.rank != me || once() != 10 * (me + 1) + 1 || local.values.size() != 4 || local.values[3] != me)
    ++faults;
  faults += exceptions_stay_private();
  if (Counter<int>::value != 5 * 7) ++faults;
  std::map<int, std::string> names;
  for (int n = 0; n < 100; ++n) names[n] = std::string(50, static_cast<char>('a' + n % 26));
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (names.size() != 100 || names[27] != std::string(50, 'b')) ++faults;
  std::ostringstream line;
  line << "rank " << me << " has " << faults << " faults";
  std::cout << line.str() << std::endl;
  RCCE_finalize();
  return faults != 0;
}
