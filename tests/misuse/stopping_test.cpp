// SPDX-License-Identifier: Apache-2.0
// Is a run ended from outside for the right cause, at the right place, and in the end for certain?
#include "catch.hpp"
#include "process/run/stopping.hpp"

using rcce::run::Stopping;
using Action = Stopping::Action;
using Cause = Stopping::Cause;
using Place = Stopping::Place;

namespace {

constexpr std::int64_t deadline = 1000;

Stopping interrupted() {
  Stopping run;
  run.find_cause(0, true, false);
  return run;
}

/// Attempts until the answer is no longer to ask again, that one included.
int attempts_until(Stopping& run, Action last, Place place, bool slow) {
  int attempts = 1;
  Action action = run.next(place, slow);
  for (; action == Action::ask_again; action = run.next(place, slow)) ++attempts;
  CHECK(action == last);
  return attempts;
}

} // namespace

TEST_CASE("a run ends for the first cause that there is", "[misuse]") {
  Stopping run(deadline);
  CHECK(run.left(0) == deadline);
  CHECK(run.find_cause(deadline - 1, false, false) == Cause::none);
  CHECK(run.find_cause(deadline, false, true) == Cause::none); // another process has ended it
  CHECK(run.find_cause(deadline, true, true) == Cause::none);
  CHECK(run.find_cause(deadline, false, false) == Cause::timeout);
  CHECK(run.find_cause(deadline, true, false) == Cause::timeout);
  CHECK(interrupted().cause() == Cause::interrupt);
  CHECK(Stopping().find_cause(INT64_MAX, false, false) == Cause::none); // no time limit
  CHECK(Stopping().left(INT64_MAX) == INT64_MAX);
}

TEST_CASE("in a program's own code a run ends at once", "[misuse]") {
  Stopping run = interrupted();
  CHECK(run.next(Place::program, false) == Action::stop);
  CHECK_FALSE(run.asked());
  CHECK(interrupted().next(Place::broken_call, false) == Action::stop);
}

TEST_CASE("who sleeps in a call of the host is taken out of it after some patience", "[misuse]") {
  Stopping run = interrupted();
  CHECK(attempts_until(run, Action::stop, Place::call, false) == Stopping::patient_attempts + 1);
  CHECK_FALSE(Stopping::leaves(Place::call, Stopping::patient_attempts));
  CHECK(Stopping::leaves(Place::call, Stopping::patient_attempts + 1));
  CHECK_FALSE(Stopping::leaves(Place::elsewhere, 1000));
}

TEST_CASE("a run that does not stop is given up, later where it may take longer", "[misuse]") {
  Stopping quick = interrupted(), slow = interrupted();
  CHECK(attempts_until(quick, Action::give_up, Place::elsewhere, false) == Stopping::most_attempts + 1);
  CHECK(attempts_until(slow, Action::give_up, Place::elsewhere, true) == Stopping::most_long_attempts + 1);
}

TEST_CASE("what has been stopped has no cause, and attempts count anew", "[misuse]") {
  Stopping run(deadline);
  run.find_cause(deadline, false, false);
  run.next(Place::elsewhere, false);
  CHECK(run.asked());
  run.stopped();
  CHECK(run.cause() == Cause::none);
  CHECK_FALSE(run.asked());
  CHECK(run.find_cause(2 * deadline, false, false) == Cause::none); // the deadline has been
}
