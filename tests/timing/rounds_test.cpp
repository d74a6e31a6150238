// SPDX-License-Identifier: Apache-2.0
// Do rounds follow from who has seen what, and from nothing else? Each case tells its events by hand.
#include "mesh_sim/observe/rounds.hpp"

#include "catch.hpp"

using namespace mesh;

namespace {

constexpr Picoseconds whole = 1'000'000;

/// Tells what cores do, in the order in which they would.
struct Story {
  Rounds rounds;

  /// A store that is visible at `at`.
  void store(int core, int target, std::size_t offset, Picoseconds at, std::uint32_t mask = 0xff) {
    const Access access{.kind = mask == 0xff ? Access::Kind::store : Access::Kind::update,
                        .write = true,
                        .delivered = true,
                        .mask = mask,
                        .core = core,
                        .target = target,
                        .offset = offset,
                        .bytes = 1,
                        .at = at};
    rounds.issued(access);
    rounds.acted(access);
  }
  void wait(int core, std::size_t offset, Picoseconds at, std::uint32_t mask = 0xff, bool done = true) {
    rounds.acted({.kind = Access::Kind::wait,
                  .done = done,
                  .mask = mask,
                  .core = core,
                  .target = core,
                  .offset = offset,
                  .bytes = 1,
                  .at = at});
  }
  void copy(int core, int target, bool write, std::size_t bytes, Picoseconds at) {
    const Access access{.kind = write ? Access::Kind::put : Access::Kind::get,
                        .write = write,
                        .core = core,
                        .target = target,
                        .offset = 1024,
                        .bytes = bytes,
                        .at = at};
    rounds.issued(access);
    rounds.acted(access);
    rounds.ended(access, at);
  }
  void message(int from, int to, Picoseconds begin, Picoseconds end) {
    rounds.message({from, to, false, 64, begin, end});
    rounds.message({from, to, true, 64, begin, end});
  }
  std::vector<RoundEdge> edges(int cores) const {
    std::vector<RoundWindow> windows;
    for (int core = 0; core < cores; ++core) windows.push_back({core, 0, whole});
    return rounds.edges(windows);
  }
};

} // namespace

TEST_CASE("nothing has happened") {
  CHECK(Story().edges(3).empty());
}

TEST_CASE(
    "a signal leads from its writer to who has waited for it, one round behind what the writer had seen") {
  Story story;
  story.store(0, 1, 0, 10);
  story.wait(1, 0, 12);
  story.store(1, 2, 0, 20);
  story.wait(2, 0, 25);
  const auto edges = story.edges(3);
  REQUIRE(edges.size() == 2);
  CHECK(edges[0].round == 1);
  CHECK((edges[0].from == 0 && edges[0].to == 1 && !edges[0].data && edges[0].bytes == 0));
  CHECK((edges[0].begin == 10 && edges[0].end == 12));
  CHECK((edges[1].round == 2 && edges[1].from == 1 && edges[1].to == 2));
}

TEST_CASE("what its writer sees after it has set out is too late for a store") {
  Story story;
  story.store(0, 1, 0, 30); // on its way until 30
  story.store(1, 0, 0, 5);
  story.wait(0, 0, 10);
  story.wait(1, 0, 31);
  for (const RoundEdge& edge : story.edges(2)) CHECK(edge.round == 1);
  CHECK(story.edges(2).size() == 2);
}

TEST_CASE("a look in vain, and what a core has written itself, are no edges") {
  Story story;
  story.store(0, 1, 0, 10);
  story.wait(1, 0, 12, 0xff, false);
  story.store(1, 1, 8, 20);
  story.wait(1, 8, 21);
  CHECK(story.edges(2).empty());
}

TEST_CASE("bits of one word have writers of their own") {
  Story story;
  story.store(0, 2, 0, 10, 1);
  story.store(1, 2, 0, 11, 2);
  story.wait(2, 0, 12, 1);
  const auto edges = story.edges(3);
  REQUIRE(edges.size() == 1);
  CHECK(edges[0].from == 0);
}

TEST_CASE("data and their signal are one edge, with the bytes that were got") {
  Story story;
  story.copy(0, 0, true, 96, 5);
  story.store(0, 1, 0, 10);
  story.wait(1, 0, 12);
  story.copy(1, 0, false, 96, 20);
  const auto edges = story.edges(2);
  REQUIRE(edges.size() == 1);
  CHECK((edges[0].data && edges[0].bytes == 96));
  CHECK((edges[0].begin == 5 && edges[0].end == 20));
}

TEST_CASE("messages of one sender follow each other, also to different cores") {
  Story story;
  story.message(0, 1, 0, 10);
  story.message(0, 2, 10, 20);
  story.message(1, 3, 10, 20);
  const auto edges = story.edges(4);
  REQUIRE(edges.size() == 3);
  CHECK((edges[0].round == 1 && edges[0].to == 1));
  CHECK((edges[1].round == 2 && edges[1].from == 0 && edges[1].to == 2));
  CHECK((edges[2].round == 2 && edges[2].from == 1 && edges[2].to == 3));
}

TEST_CASE("an exchange is one round, and flags inside of a message are the message") {
  Story story;
  story.rounds.message({0, 1, false, 64, 0, 12});
  story.rounds.message({1, 0, false, 64, 0, 12});
  story.store(0, 1, 0, 3);
  story.wait(1, 0, 4);
  story.rounds.message({0, 1, true, 64, 0, 13});
  story.rounds.message({1, 0, true, 64, 0, 13});
  const auto edges = story.edges(2);
  REQUIRE(edges.size() == 2);
  for (const RoundEdge& edge : edges) CHECK((edge.round == 1 && edge.data && edge.bytes == 64));
}

TEST_CASE("a multicast is one round to all") {
  Story story;
  story.rounds.message({0, -1, false, 32, 0, 20});
  for (const int to : {1, 2, 3}) story.rounds.message({0, to, true, 32, 1, 10 + to});
  const auto edges = story.edges(4);
  REQUIRE(edges.size() == 3);
  for (const RoundEdge& edge : edges) CHECK((edge.round == 1 && edge.from == 0));
}

TEST_CASE("an atomic counter hands on what the one before it has seen") {
  Story story;
  for (int core = 0; core < 4; ++core)
    story.rounds.acted(
        {.kind = Access::Kind::counter, .write = true, .core = core, .target = 0, .at = 10 + core});
  const auto edges = story.edges(4);
  REQUIRE(edges.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(edges[i].round == static_cast<int>(i) + 1);
    CHECK(edges[i].to == static_cast<int>(i) + 1);
  }
}

TEST_CASE("outside of the windows nothing counts but data that lie ready") {
  Story story;
  story.copy(0, 0, true, 32, 5);
  story.store(0, 1, 0, 6);
  story.wait(1, 0, 110);
  story.copy(1, 0, false, 32, 120);
  const RoundWindow windows[] = {{0, 100, 200}, {1, 100, 200}};
  const auto edges = story.rounds.edges(windows);
  REQUIRE(edges.size() == 1);
  CHECK((edges[0].round == 1 && edges[0].data && edges[0].bytes == 32));
  const RoundWindow early[] = {{0, 0, 50}, {1, 0, 50}};
  CHECK(story.rounds.edges(early).empty());
}
