// SPDX-License-Identifier: Apache-2.0
// bcast/cube: the vectors; then, for every n up to 100 and up to 40 parts, that the schedule is complete,
// minimal, one-port and free of deadlock in the order of its steps.
#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "algorithms/shapes/cube.hpp"
#include "algorithms/shapes/message.hpp"
#include "catch.hpp"
#include "csv.hpp"
#include "rendezvous.hpp"

using algorithms::cube::Move;
using algorithms::cube::Shape;
using algorithms::cube::Step;

namespace {

constexpr int most_ranks = 100, most_parts = 40;

std::vector<std::vector<rendezvous::Call>> calls(int ranks, int parts) {
  const Shape shape(ranks, parts);
  std::vector<std::vector<rendezvous::Call>> result(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank)
    for (int round = 0; round < shape.rounds(); ++round)
      for (const Move& move : shape.moves(rank, round))
        result[static_cast<std::size_t>(rank)].push_back({move.send, move.partner, move.part});
  return result;
}

/// The calls of root 0, with `root` in its place.
std::vector<std::vector<rendezvous::Call>> rotated(const std::vector<std::vector<rendezvous::Call>>& calls,
                                                   int root) {
  const int ranks = static_cast<int>(calls.size());
  std::vector<std::vector<rendezvous::Call>> result(calls.size());
  for (int self = 0; self < ranks; ++self) {
    auto& list = result[static_cast<std::size_t>(algorithms::real_rank(self, root, ranks))];
    list = calls[static_cast<std::size_t>(self)];
    for (auto& call : list) call.partner = algorithms::real_rank(call.partner, root, ranks);
  }
  return result;
}

} // namespace

TEST_CASE("cube: distances and swaps of the worked examples") {
  for (const auto& row : csv::Table("dis-switch-example.csv")) {
    const Shape shape(row.number("n"), 1);
    const int unit = row.number("i"), bit = row.number("bit_index");
    CAPTURE(row.number("n"), unit, bit);
    CHECK(shape.bits() == row.number("q"));
    CHECK(shape.distance(unit, bit) == row.number("dis"));
    CHECK(shape.swaps(unit, bit + 1) == row.number("switch"));
  }
}

TEST_CASE("cube: parts of every round for n = 2^q") {
  for (const auto& row : csv::Table("cube-basic.csv")) {
    const Shape shape(row.number("n"), row.number("parts"));
    const int rank = row.number("rank"), round = row.number("round");
    CAPTURE(row.number("n"), row.number("parts"), round, rank);
    CHECK((rank ^ 1 << round % shape.bits()) == row.number("partner"));
    CHECK(std::max(-1, shape.part_sent(rank, round)) == row.number("send_part"));
    CHECK(std::max(-1, shape.part_received(rank, round)) == row.number("recv_part"));
    // Messages to the root are left out, on both sides.
    int sends = row.number("send_part") >= 0 && row.number("send_to_root") == 0 ? 1 : 0;
    int receives = row.number("recv_part") >= 0 && row.number("recv_at_root") == 0 ? 1 : 0;
    for (const Move& move : shape.moves(rank, round)) {
      CHECK(move.partner == row.number("partner"));
      CHECK(move.part == row.number(move.send ? "send_part" : "recv_part"));
      --(move.send ? sends : receives);
    }
    CHECK(sends == 0);
    CHECK(receives == 0);
  }
}

TEST_CASE("cube: units and roles for any n") {
  for (const auto& row : csv::Table("cube-units.csv")) {
    const Shape shape(row.number("n"), 1);
    CAPTURE(row.number("n"), row.number("rank"));
    CHECK(shape.bits() == row.number("q"));
    CHECK(shape.co(row.number("rank")) == row.number("co"));
    CHECK(shape.unit(row.number("rank")) == row.number("rep"));
  }
  for (const auto& row : csv::Table("cube-roles.csv")) {
    const Shape shape(row.number("n"), 1);
    const int unit = row.number("unit"), round = row.number("round"), partner = row.number("partner_unit");
    CAPTURE(row.number("n"), round, unit);
    CHECK((unit ^ 1 << round % shape.bits()) == partner);
    CHECK(shape.roles(unit, round).in == row.number("in"));
    CHECK(shape.roles(unit, round).out == row.number("out"));
    CHECK(shape.swaps(unit, round) == row.number("u"));
    CHECK(shape.swaps(partner, round) % 2 == row.number("v"));
  }
}

TEST_CASE("cube: every message for any n") {
  using Message = std::tuple<int, char, int, int, int>; // round, step, from, to, part
  std::map<std::pair<int, int>, std::set<Message>> expected;
  for (const auto& row : csv::Table("cube-arbitrary.csv"))
    expected[{row.number("n"), row.number("parts")}].insert({row.number("round"), row.text("step").at(0),
                                                             row.number("src"), row.number("dst"),
                                                             row.number("part")});
  REQUIRE(expected.size() > 8);
  for (const auto& [setting, messages] : expected) {
    const auto [ranks, parts] = setting;
    const Shape shape(ranks, parts);
    std::set<Message> sent, received;
    for (int round = 0; round < shape.rounds(); ++round) {
      for (int rank = 0; rank < ranks; ++rank) {
        for (const Move& move : shape.moves(rank, round)) {
          const auto step = static_cast<char>(move.step);
          if (move.send)
            sent.insert({round, step, rank, move.partner, move.part});
          else
            received.insert({round, step, move.partner, rank, move.part});
        }
      }
    }
    CAPTURE(ranks, parts);
    CHECK(sent == messages);
    CHECK(received == messages);
  }
}

TEST_CASE("cube: numbers of rounds and messages") {
  for (const auto& row : csv::Table("cube-counts.csv")) {
    const int ranks = row.number("n"), parts = row.number("parts");
    const Shape shape(ranks, parts);
    CAPTURE(ranks, parts);
    CHECK(shape.exchange_rounds() == row.number("exchange_rounds"));
    CHECK(shape.rounds() == row.number("rounds"));
    CHECK(shape.rounds() - shape.exchange_rounds() == row.number("closing_rounds"));
    rendezvous::Replay replay(calls(ranks, parts), 0, parts);
    CHECK(replay.run() == "");
    CHECK(replay.messages() == row.number("messages"));
  }
  CHECK(Shape(48, 0).rounds() == 0);
  CHECK(Shape(1, 5).rounds() == 0);
}

TEST_CASE("cube: every n and number of parts") {
  int schedules = 0;
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    for (int parts = 1; parts <= most_parts; ++parts) {
      const Shape shape(ranks, parts);
      ++schedules;
      // The lower bound: m - 1 + ceil(log2 n).
      const int least =
          ranks > 1 ? parts - 1 + static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1))) : 0;
      rendezvous::Replay replay(calls(ranks, parts), 0, parts);
      const std::string fault = replay.run();
      bool ordered = true, one_port = true;
      for (int rank = 0; rank < ranks; ++rank) {
        for (int round = 0; round < shape.rounds(); ++round) {
          Step last{};
          int sends = 0, receives = 0;
          for (const Move& move : shape.moves(rank, round)) {
            ordered = ordered && last < move.step;
            last = move.step;
            ++(move.send ? sends : receives);
          }
          one_port = one_port && sends <= 1 && receives <= 1;
        }
      }
      if (fault.empty() && ordered && one_port && shape.rounds() == least &&
          replay.messages() == (ranks - 1) * parts)
        continue;
      CAPTURE(ranks, parts, fault, ordered, one_port, shape.rounds(), replay.messages());
      FAIL_CHECK("the schedule is wrong");
    }
  }
  CHECK(schedules == most_ranks * most_parts);
}

TEST_CASE("cube: of a pair, each member lacks one part at most") {
  int schedules = 0;
  // Before round j, In holds part j-1-q that Out lacks, and Out holds one part that In lacks.
  for (int ranks = 2; ranks < 80; ++ranks) {
    for (int parts = 1; parts <= 15; ++parts) {
      const Shape shape(ranks, parts);
      ++schedules;
      std::vector<std::set<int>> held(static_cast<std::size_t>(ranks));
      for (int part = 0; part < parts; ++part) held[0].insert(part);
      for (int round = 0; round < shape.rounds(); ++round) {
        for (int unit = 1; unit < shape.units(); ++unit) {
          const auto roles = shape.roles(unit, round);
          if (roles.in == roles.out) continue;
          const auto &in = held[static_cast<std::size_t>(roles.in)],
                     &out = held[static_cast<std::size_t>(roles.out)];
          std::vector<int> only_in, only_out;
          std::set_difference(in.begin(), in.end(), out.begin(), out.end(), std::back_inserter(only_in));
          std::set_difference(out.begin(), out.end(), in.begin(), in.end(), std::back_inserter(only_out));
          const int late = round - 1 - shape.bits();
          const bool right = only_in == (late >= 0 ? std::vector<int>{late} : std::vector<int>{}) &&
              only_out.size() == (out.empty() ? 0U : 1U);
          if (right) continue;
          CAPTURE(ranks, parts, round, unit);
          FAIL_CHECK("the members differ in other parts");
        }
        std::vector<std::pair<int, int>> arriving;
        for (int rank = 0; rank < ranks; ++rank)
          for (const Move& move : shape.moves(rank, round))
            if (!move.send) arriving.emplace_back(rank, move.part);
        for (const auto& [rank, part] : arriving) held[static_cast<std::size_t>(rank)].insert(part);
      }
    }
  }
  CHECK(schedules == 78 * 15);
}

TEST_CASE("cube: every root and number of parts") {
  int schedules = 0;
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    for (int root = 0; root < ranks; ++root) {
      CAPTURE(ranks, root);
      CHECK(algorithms::virtual_rank(root, root, ranks) == 0);
      for (int rank = 0; rank < ranks; ++rank)
        if (algorithms::real_rank(algorithms::virtual_rank(rank, root, ranks), root, ranks) != rank)
          FAIL_CHECK("rank " << rank << ": no way back from the virtual rank");
    }
    for (int parts = 1; parts <= most_parts; ++parts) {
      const auto of_root_0 = calls(ranks, parts);
      for (int root = 0; root < ranks; ++root) {
        if (!rendezvous::taken(root, ranks, parts)) continue;
        ++schedules;
        const std::string fault = rendezvous::Replay(rotated(of_root_0, root), root, parts).run();
        if (fault.empty()) continue;
        CAPTURE(ranks, root, parts, fault);
        FAIL_CHECK("the rotated schedule is wrong");
      }
    }
  }
  CHECK(schedules > most_ranks * most_parts);
  if (rendezvous::whole()) CHECK(schedules == most_ranks * (most_ranks + 1) / 2 * most_parts);
}

TEST_CASE("cube: other orders of calls deadlock for n >= 3 with two parts or more") {
  for (int ranks = 1; ranks <= 20; ++ranks) {
    for (int parts = 1; parts <= 6; ++parts) {
      for (const bool send_first : {true, false}) {
        const Shape shape(ranks, parts);
        std::vector<std::vector<rendezvous::Call>> wrong(static_cast<std::size_t>(ranks));
        for (int rank = 0; rank < ranks; ++rank) {
          auto& list = wrong[static_cast<std::size_t>(rank)];
          for (int round = 0; round < shape.rounds(); ++round) {
            const auto begin = static_cast<std::ptrdiff_t>(list.size());
            for (const Move& move : shape.moves(rank, round))
              list.push_back({move.send, move.partner, move.part});
            std::stable_sort(list.begin() + begin, list.end(), [&](const auto& a, const auto& b) {
              return a.send != b.send && a.send == send_first;
            });
          }
        }
        const std::string fault = rendezvous::Replay(wrong, 0, parts).run();
        CAPTURE(ranks, parts, send_first, fault);
        CHECK((fault.find("waits for ever") != std::string::npos) == (ranks >= 3 && parts >= 2));
      }
    }
  }
}
