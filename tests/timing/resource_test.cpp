// SPDX-License-Identifier: Apache-2.0
// Does a link, port or controller serve one packet at a time, in the order of arrival, and are packets beside
// shares late by what the rule says?
#include <cmath>
#include <random>

#include <malloc.h>

#include "catch.hpp"
#include "mesh_sim/parts/resource.hpp"

using mesh::Picoseconds;
using mesh::Resource;

static mesh::Turn never; // nobody arrives before 0

/// A run of lines, none of which has acted.
static mesh::LineRun run_of(int core, std::uint32_t lines, Picoseconds begin, Picoseconds period) {
  mesh::LineRun run;
  run.core = core;
  run.lines = lines;
  run.begin = run.next = begin;
  run.period = period;
  return run;
}

TEST_CASE("who comes while another is served waits for the rest of it, and no longer") {
  Resource resource({}, never);
  CHECK(resource.serve(1000, 50) == 0);
  CHECK(resource.serve(1049, 50) == 1);  // at n-1
  CHECK(resource.serve(1100, 50) == 0);  // at n
  CHECK(resource.serve(1100, 50) == 50); // both at once: one behind the other
  CHECK(resource.serve(5000, 50) == 0);
}

TEST_CASE("who was issued later and arrives earlier is served in the gap, if it fits") {
  Resource resource({}, never);
  CHECK(resource.serve(1000, 50) == 0);
  CHECK(resource.serve(2000, 50) == 0);
  CHECK(resource.serve(1050, 50) == 0);  // behind the first
  CHECK(resource.serve(1950, 50) == 0);  // just fits before the second
  CHECK(resource.serve(900, 50) == 0);   // before all
  CHECK(resource.serve(1040, 50) == 60); // the first and the third stand there until 1100
  CHECK(resource.serve(1150, 850) ==
        100); // 50 too long: it makes the one at 1950 late and the next, and bears both
}

TEST_CASE("who comes early waits for all who stand there without a gap") {
  Resource resource({}, never);
  CHECK(resource.serve(1000, 50) == 0);
  CHECK(resource.serve(1050, 50) == 0);
  CHECK(resource.serve(1010, 10) == 90); // until 1100; between the two it would be 40 and 10 for the second
}

TEST_CASE("who makes two in a row late bears the wait of both, in whatever order they were shown") {
  for (const bool in_order : {true, false}) {
    Resource resource({}, never);
    CHECK(resource.serve(in_order ? 1000 : 1050, 50) == 0);
    CHECK(resource.serve(in_order ? 1050 : 1000, 50) == 0);
    CHECK(resource.serve(960, 60) == 40);
  }
}

TEST_CASE("it remembers every gap that somebody can come to, however many there are") {
  mesh::Turn turn;
  Picoseconds& oldest = turn.oldest;
  Resource resource({}, turn);
  constexpr Picoseconds apart = 100, packets = 10'000;
  for (Picoseconds i = 0; i < packets; ++i) CHECK(resource.serve(i * apart, 10) == 0);
  for (; oldest < packets * apart; oldest += apart) {
    CHECK(resource.serve(oldest + 5, 10) == 5); // behind the packet that is there
    CHECK(resource.serve(oldest + 5, 80) == 15);
  }
}

TEST_CASE("what nobody can meet any more is forgotten: a link keeps no memory of a long run") {
  const bool early = GENERATE(false, true);
  std::minstd_rand random(7);
  mesh::Turn turn;
  Picoseconds& oldest = turn.oldest;
  Resource link({}, turn);
  constexpr Picoseconds apart = 100, packets = 200'000;
  const auto taken = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
  const std::size_t before = taken();
  for (; oldest < packets * apart; oldest += apart) {
    CHECK(link.serve(oldest + 50, 10) == 0);
    if (early && random() % 2 == 0) CHECK(link.serve(oldest, 10) == 0);
  }
  CHECK(taken() < before + 100'000); // 5 MB if it kept all
}

TEST_CASE("beside shares of others a packet waits for half a service as often as it meets one") {
  constexpr auto part = [](double of) { return static_cast<std::int64_t>(of * Resource::whole); };
  CHECK(Resource::expected_wait(0, 5000) == 0);
  CHECK(Resource::expected_wait(part(0.05), 5000) == 124); // 0.05 * 5000 / 2, cut
  // More than they would one by one: a queue. 0.5 * 5000 / 2 / sqrt(0.5)
  CHECK(Resource::expected_wait(part(0.5), 5000) == 1767);
  CHECK(Resource::expected_wait(part(0.94), 5000) < Resource::expected_wait(part(0.95), 5000));
  CHECK(Resource::expected_wait(part(3), 5000) == Resource::expected_wait(part(0.95), 5000));
}

TEST_CASE("a crowd is served in a round of all: each waits for what that takes beyond its own period") {
  // 47 copies, each with a service of 5 in every 200: the round takes 235.
  const Resource::Share all{47 * Resource::whole * 5 / 200, Picoseconds{47} * 5};
  CHECK(std::abs(Resource::crowd_wait(all) - 35) <= 1);
  CHECK(Resource::crowd_wait({Resource::whole, 200}) == 0);
}

TEST_CASE("shares come and go without a trace, and a single packet waits beside them") {
  Resource resource({}, never);
  Resource::Share first, second;
  const Resource::Share half{Resource::whole / 2, 1000};
  CHECK(resource.change_share(first, half).used == 0);
  CHECK(resource.change_share(second, half).used == half.used);
  CHECK(resource.change_share(first, {}).used == half.used);
  CHECK(resource.serve(0, 2000) == Resource::expected_wait(half.used, 2000));
  CHECK(resource.change_share(second, {}).round == 0);
  CHECK(resource.serve(1'000'000, 2000) == 0);
}

TEST_CASE("a run's lines are met each at its time, and packets pass in between") {
  mesh::Turn turn;
  Resource resource({}, turn);
  mesh::LineRun run = run_of(3, 5, 1000, 100);
  mesh::Passage passage{.resource = &resource, .service = 10, .late = 20, .run = &run};
  std::vector<Resource::Met> met;
  CHECK(resource.alone(passage, 5, met) == 5);
  resource.enter(passage); // served from 1020, 1120, ... 1420
  turn.at = 1050;
  CHECK(resource.serve(1030, 40) == 0); // behind line 0, which has acted
  CHECK(resource.serve(1070, 20) == 0);
  CHECK(resource.serve(1025, 5) == 65); // behind line 0 and the two that stand there without a gap
  CHECK(resource.serve(1095, 5) == 0);
  CHECK(turn.cut.empty());
  CHECK(resource.serve(1100, 21) == 0); // line 1, which is still to act, meets it
  REQUIRE(turn.cut.size() == 1);
  CHECK(run.lines == 1);
}

TEST_CASE("the last lines of a run may still be under way when it has ended") {
  mesh::Turn turn;
  Resource resource({}, turn);
  mesh::LineRun run = run_of(0, 3, 0, 100);
  mesh::Passage passage{.resource = &resource, .service = 30, .late = 250, .run = &run};
  resource.enter(passage); // served from 250, 350, 450
  turn.at = 300;
  run.acted = 3;
  run.next = 300;
  resource.leave(passage);
  CHECK(resource.serve(440, 20) == 10); // makes the third late
}
