// SPDX-License-Identifier: Apache-2.0
// barrier/dissemination against the vectors, and that everybody knows of everybody at the end, in the fewest
// rounds; barrier/tree: children and parents agree, every rank is in it once.
#include <algorithm>
#include <sstream>
#include <vector>

#include "algorithms/shapes/dissemination.hpp"
#include "algorithms/shapes/tree.hpp"
#include "catch.hpp"
#include "csv.hpp"

using algorithms::dissemination::Shape;

TEST_CASE("dissemination: the vectors") {
  for (const auto& row : csv::Table("dissemination.csv")) {
    const Shape shape(row.number("n"), row.number("m"));
    const int thread = row.number("thread"), round = row.number("round");
    std::ostringstream notifies, waits_for;
    const char* separator = "";
    for (int index = 0; index < shape.partners(); ++index) {
      const int distance = shape.distance(round, index);
      if (distance == 0) continue;
      notifies << separator << shape.notifies(thread, distance);
      waits_for << separator << shape.waits_for(thread, distance);
      separator = " ";
    }
    CAPTURE(row.number("n"), row.number("m"), round, thread);
    CHECK(notifies.str() == row.text("notifies"));
    CHECK(waits_for.str() == row.text("waits_for"));
  }
}

TEST_CASE("dissemination: complete and minimal for every n") {
  int schedules = 0;
  for (int ranks = 1; ranks <= 128; ++ranks) {
    for (int partners = 1; partners <= 11; ++partners) {
      const Shape shape(ranks, partners);
      ++schedules;
      // Every rank does the same, so one set stands for all: the distances d for which v knows of v - d.
      std::vector<bool> known(static_cast<std::size_t>(ranks), false);
      known[0] = true;
      const auto complete_now = [&] { return std::find(known.begin(), known.end(), false) == known.end(); };
      bool complete_early = false;
      for (int round = 0; round < shape.rounds(); ++round) {
        complete_early = complete_now();
        std::vector<bool> after = known;
        for (int index = 0; index < partners; ++index) {
          const int distance = shape.distance(round, index);
          for (int d = 0; distance > 0 && d < ranks; ++d)
            if (known[static_cast<std::size_t>(d)])
              after[static_cast<std::size_t>((d + distance) % ranks)] = true;
        }
        known = after;
      }
      const bool complete = complete_now();
      if (complete && !complete_early) continue;
      CAPTURE(ranks, partners, shape.rounds(), complete, complete_early);
      FAIL_CHECK("the schedule is wrong");
    }
  }
  CHECK(schedules == 128 * 11);
}

TEST_CASE("tree: parents and children for every n") {
  using namespace algorithms::tree;
  for (int fan_out = 1; fan_out <= 8; ++fan_out) {
    for (int rank = 1; rank < 200; ++rank) {
      CAPTURE(fan_out, rank);
      REQUIRE(parent(rank, fan_out) < rank);
      REQUIRE(slot(rank, fan_out) < fan_out);
      REQUIRE(child(parent(rank, fan_out), slot(rank, fan_out), fan_out) == rank);
    }
  }
}
