// Are lines ordered by time, core and sequence?
#include <cstdint>
#include <string>

#include "catch.hpp"
#include "run/output.hpp"

using rcce::run::LineQueue;

TEST_CASE("lines leave in the order of time, then core, then writing") {
  LineQueue queue;
  queue.add(20, 0, 1, "e");
  queue.add(10, 5, 1, "c");
  queue.add(10, 1, 2, "a");
  queue.add(10, 1, 1, "b");
  queue.add(11, 0, 1, "d");
  std::string order;
  LineQueue::Line line;
  while (queue.take_before(INT64_MAX, 0, line)) order += line.text;
  CHECK(order == "abcde");
}

TEST_CASE("a line waits until nobody can come in front of it") {
  LineQueue queue;
  queue.add(10, 3, 1, "x");
  LineQueue::Line line;
  CHECK_FALSE(queue.take_before(9, 47, line));
  CHECK_FALSE(queue.take_before(10, 3, line));
  CHECK(queue.take_before(10, 4, line));
  CHECK(queue.empty());
}
