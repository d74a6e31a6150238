// SPDX-License-Identifier: Apache-2.0
// Are lines ordered by time, core and sequence? Are the same words told once?
#include <cstdint>
#include <string>

#include "catch.hpp"
#include "process/run/message_deduplicator.hpp"
#include "process/run/output.hpp"

using rcce::run::LineQueue;
using rcce::run::MessageDeduplicator;

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

TEST_CASE("the same words of several UEs are told once, with their number") {
  MessageDeduplicator words(100, 3);
  for (const int rank : {2, 0, 1}) words.add({10 + rank, rank + 4, rank, "rccerun: ", ": wrong"});
  CHECK(words.due() == 110);
  const MessageDeduplicator::MergedMessage told = words.take();
  CHECK(told.text == "rccerun: [3 UEs] wrong\n");
  CHECK(told.time == 110);
  CHECK(told.core == 4);
  CHECK(words.empty());
}

TEST_CASE("words of some UEs name their ranks, words of one its core") {
  MessageDeduplicator words(100, 48);
  words.add({10, 0, 0, "rccerun: ", ": wrong"});
  words.add({20, 1, 1, "rccerun: ", ": other"});
  words.add({110, 2, 2, "rccerun: ", ": wrong"}); // just in time
  words.add({111, 3, 3, "rccerun: ", ": wrong"}); // just too late
  words.add({111, 4, 4, "rccerun: warning: ", ": wrong"});
  CHECK(words.take().text == "rccerun: [2 UEs: ranks 0, 2] wrong\n");
  CHECK(words.take().text == "rccerun: rank 1 (core 01): other\n");
  CHECK(words.take().text == "rccerun: rank 3 (core 03): wrong\n");
  CHECK(words.take().text == "rccerun: warning: rank 4 (core 04): wrong\n");
  CHECK(words.empty());
}
