// SPDX-License-Identifier: Apache-2.0
// bcast/dopl: the vectors; then, for every mesh up to 8x8, every source and all line orders, that the
// schedule is complete, free of superfluous messages and, with blocking calls in either of two orders, of
// deadlock.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <tuple>
#include <vector>

#include "algorithms/shapes/core_mesh.hpp"
#include "algorithms/shapes/dopl.hpp"
#include "catch.hpp"
#include "csv.hpp"
#include "rendezvous.hpp"

using algorithms::CoreMesh;
using algorithms::dopl::LineOrder;
using algorithms::dopl::none;
using algorithms::dopl::Role;
using algorithms::dopl::Shape;
using algorithms::dopl::Turn;

namespace {

constexpr std::array orders{LineOrder::ring, LineOrder::folded, LineOrder::neighbour};

LineOrder order_of(const std::string& name) {
  const std::array names{"ring", "folded", "neighbour"};
  const auto found = std::find(names.begin(), names.end(), name);
  REQUIRE(found != names.end());
  return orders[static_cast<std::size_t>(found - names.begin())];
}

std::string name_of(Role role) {
  switch (role) {
  case Role::source:
    return "source";
  case Role::head:
    return "head";
  case Role::pipeliner:
    return "pipeliner";
  case Role::tail:
    return "tail";
  }
  return "";
}

/// A rank of the vector files: core id of the SCC, or row by row.
int rank_of(const std::string& map, int rows, int columns, int node) {
  if (node == none) return -1;
  const CoreMesh mesh{rows, columns};
  return map == "scc" ? mesh.rank(node / columns, node % columns) : node;
}

using Message = std::tuple<int, int, int, int, bool>; // round, from, to, part, wrap

/// All messages, as the receivers see them; empty where a sender sees others.
std::set<Message> messages(const Shape& shape) {
  std::set<Message> sent, received;
  for (int round = 0; round < shape.rounds(); ++round) {
    for (int node = 0; node < shape.nodes(); ++node) {
      const Turn turn = shape.turn(node, round);
      for (const int to : turn.pipe_to)
        if (to != none) sent.insert({round, node, to, turn.pipe_part, false});
      if (turn.pipe_from != none) received.insert({round, turn.pipe_from, node, turn.pipe_part, false});
      if (turn.wrap_to != none) sent.insert({round, node, turn.wrap_to, turn.wrap_part, true});
      if (turn.wrap_from != none) received.insert({round, turn.wrap_from, node, turn.wrap_part, true});
    }
  }
  return sent == received ? received : std::set<Message>{};
}

/// Number of messages; -1 where a node lacks a part at the end, gets one twice, passes on what it did not
/// hold in time, or has more than one receive or `most_sends` sends in a round.
int check(const Shape& shape, int source, int parts, int most_sends) {
  std::vector<std::vector<bool>> held(static_cast<std::size_t>(shape.nodes()),
                                      std::vector<bool>(static_cast<std::size_t>(parts)));
  held[static_cast<std::size_t>(source)].assign(static_cast<std::size_t>(parts), true);
  const auto has = [&](int node, int part) -> std::vector<bool>::reference {
    return held.at(static_cast<std::size_t>(node)).at(static_cast<std::size_t>(part));
  };
  int count = 0;
  for (int round = 0; round < shape.rounds(); ++round) {
    std::vector<std::pair<int, int>> arrived;
    for (int node = 0; node < shape.nodes(); ++node) {
      const Turn turn = shape.turn(node, round);
      int sends = 0, receives = 0;
      for (const int to : turn.pipe_to) {
        if (to == none) continue;
        ++sends;
        // Either held before the round, or it arrives in the same pipe.
        if (turn.pipe_from == none && !has(node, turn.pipe_part)) return -1;
        if (shape.turn(to, round).pipe_from != node || shape.turn(to, round).pipe_part != turn.pipe_part)
          return -1;
      }
      if (turn.wrap_to != none) {
        ++sends;
        if (!has(node, turn.wrap_part) || shape.turn(turn.wrap_to, round).wrap_from != node) return -1;
      }
      if (turn.pipe_from != none) {
        ++receives;
        arrived.emplace_back(node, turn.pipe_part);
      }
      if (turn.wrap_from != none) {
        ++receives;
        if (shape.turn(turn.wrap_from, round).wrap_to != node) return -1;
        arrived.emplace_back(node, turn.wrap_part);
      }
      if (receives > 1 || sends > most_sends) return -1;
    }
    for (const auto& [node, part] : arrived) {
      if (has(node, part)) return -1;
      has(node, part) = true;
      ++count;
    }
  }
  for (const auto& parts_of_node : held)
    if (std::find(parts_of_node.begin(), parts_of_node.end(), false) != parts_of_node.end()) return -1;
  return count;
}

/// True if some directed link between neighbours of the mesh carries two messages of one round.
bool shares_links(const Shape& shape, int columns) {
  std::set<std::tuple<int, int, int>> used; // round, node left, step
  for (const auto& [round, from, to, part, wrap] : messages(shape)) {
    const int along = from / columns == to / columns ? 1 : columns;
    const int step = from < to ? along : -along;
    for (int node = from; node != to; node += step)
      if (!used.insert({round, node, step}).second) return true;
  }
  return false;
}

enum class Wrap { first, last, mixed };

/// Blocking calls: a part is `segments` segments, the wrap one message that stands for all of them.
std::string blocking(const Shape& shape, int source, int parts, int segments, Wrap rule) {
  std::vector<std::vector<rendezvous::Call>> calls(static_cast<std::size_t>(shape.nodes()));
  for (int node = 0; node < shape.nodes(); ++node) {
    auto& list = calls[static_cast<std::size_t>(node)];
    for (int round = 0; round < shape.rounds(); ++round) {
      const Turn turn = shape.turn(node, round);
      const bool wraps_first = rule == Wrap::first || (rule == Wrap::mixed && turn.wrap_to != none);
      const auto wrap = [&] {
        for (int segment = 0; segment < segments; ++segment) {
          if (turn.wrap_from != none)
            list.push_back({false, turn.wrap_from, turn.wrap_part * segments + segment});
          if (turn.wrap_to != none) list.push_back({true, turn.wrap_to, turn.wrap_part * segments + segment});
        }
      };
      if (wraps_first) wrap();
      for (int segment = 0; segment < segments && turn.pipe_part != none; ++segment) {
        if (turn.pipe_from != none)
          list.push_back({false, turn.pipe_from, turn.pipe_part * segments + segment});
        for (const int to : turn.pipe_to)
          if (to != none) list.push_back({true, to, turn.pipe_part * segments + segment});
      }
      if (!wraps_first) wrap();
    }
  }
  return rendezvous::Replay(std::move(calls), source, parts * segments).run();
}

std::vector<int> numbers(std::string text, char separator) {
  std::vector<int> result;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, separator);) result.push_back(std::stoi(word));
  return result;
}

} // namespace

TEST_CASE("core mesh: the SCC's") {
  for (const auto& row : csv::Table("scc-map.csv")) {
    const CoreMesh mesh = algorithms::core_mesh(48);
    REQUIRE(mesh.nodes() == 48);
    CHECK(mesh.rank(row.number("row"), row.number("col")) == row.number("core"));
  }
  for (int ues = 1; ues <= 100; ++ues) {
    const CoreMesh mesh = algorithms::core_mesh(ues);
    CAPTURE(ues, mesh.rows, mesh.columns);
    REQUIRE(mesh.nodes() == ues);
    for (int rank = 0; rank < ues; ++rank) CHECK(mesh.rank(mesh.row(rank), mesh.column(rank)) == rank);
  }
  CHECK(algorithms::core_mesh(24).columns == 6);
  CHECK(algorithms::core_mesh(48, 4, 0).columns == 12);
  CHECK(algorithms::core_mesh(48, 0, 5).nodes() != 48);
}

TEST_CASE("dopl: the role of every node in every round") {
  for (const auto& row : csv::Table("dopl.csv")) {
    const int rows = row.number("rows"), columns = row.number("cols"), round = row.number("round");
    const int source = row.number("root_row") * columns + row.number("root_col");
    const int node = row.number("row") * columns + row.number("col");
    const auto rank = [&](int other) { return rank_of(row.text("map"), rows, columns, other); };
    const Shape shape({columns, rows}, source, row.number("parts"), order_of(row.text("order")));
    CAPTURE(row.text("map"), rows, columns, source, row.number("parts"), row.text("order"), round, node);
    CHECK(rank(node) == row.number("rank"));
    const Turn turn = shape.turn(node, round);
    CHECK(name_of(turn.role) == row.text("role"));
    const bool gets_wrap = turn.wrap_from != none, gets_pipe = turn.pipe_from != none;
    CHECK((gets_wrap ? "wrap" : gets_pipe ? "pipe" : "-") == row.text("recv_kind"));
    CHECK(rank(gets_wrap ? turn.wrap_from : turn.pipe_from) == row.number("recv_from"));
    CHECK((gets_wrap ? turn.wrap_part : gets_pipe ? turn.pipe_part : none) == row.number("recv_part"));
    const bool gives_wrap = turn.wrap_to != none, gives_pipe = turn.pipe_to[0] != none;
    CHECK((gives_wrap ? "wrap" : gives_pipe ? "pipe" : "-") == row.text("send_kind"));
    CHECK(rank(gives_wrap ? turn.wrap_to : turn.pipe_to[0]) == row.number("send_to"));
    CHECK((gives_wrap ? turn.wrap_part : gives_pipe ? turn.pipe_part : none) == row.number("send_part"));
  }
}

TEST_CASE("dopl: every message in neighbour order") {
  std::map<std::vector<int>, std::set<Message>> expected;
  for (const auto& row : csv::Table("dopl-neighbour.csv")) {
    const int rows = row.number("rows"), columns = row.number("cols");
    REQUIRE((row.text("map") == "rowmajor" || row.text("map") == "scc"));
    const int scc = row.text("map") == "scc" ? 1 : 0;
    expected[{scc, rows, columns, row.number("root_row") * columns + row.number("root_col"),
              row.number("parts")}]
        .insert({row.number("round"), row.number("src"), row.number("dst"), row.number("part"),
                 row.text("kind") == "wrap"});
  }
  REQUIRE(expected.size() > 2);
  for (const auto& [setting, wanted] : expected) {
    const int rows = setting[1], columns = setting[2];
    std::set<Message> got;
    for (const auto& [round, from, to, part, wrap] :
         messages(Shape({columns, rows}, setting[3], setting[4], LineOrder::neighbour))) {
      const std::string map = setting[0] != 0 ? "scc" : "rowmajor";
      got.insert({round, rank_of(map, rows, columns, from), rank_of(map, rows, columns, to), part, wrap});
    }
    CAPTURE(rows, columns, setting[3], setting[4]);
    CHECK(got == wanted);
  }
}

TEST_CASE("dopl: every message on three dimensions") {
  using Coordinates = std::vector<int>;
  std::map<std::vector<Coordinates>, std::set<Message>> expected;
  const auto node = [](const Coordinates& lengths, const Coordinates& at) {
    return at[0] + lengths[0] * (at[1] + lengths[1] * at[2]);
  };
  for (const auto& row : csv::Table("dopl-3d.csv")) {
    const Coordinates lengths = numbers(row.text("dims"), 'x');
    const auto number = [&](const char* column) { return node(lengths, numbers(row.text(column), ' ')); };
    expected[{lengths, {number("root")}, {row.number("parts")}}].insert(
        {row.number("round"), number("src"), number("dst"), row.number("part"), row.text("kind") == "wrap"});
  }
  REQUIRE(expected.size() == 3);
  for (const auto& [setting, wanted] : expected) {
    const Coordinates& lengths = setting[0];
    const Shape shape({lengths[0], lengths[1], lengths[2]}, setting[1][0], setting[2][0], LineOrder::ring);
    CAPTURE(lengths, setting[1][0], setting[2][0]);
    CHECK(messages(shape) == wanted);
  }
}

TEST_CASE("dopl: messages and tile hops on the chip") {
  for (const auto& row : csv::Table("dopl-hops.csv")) {
    const int rows = row.number("rows"), columns = row.number("cols");
    const int source = row.number("root_row") * columns + row.number("root_col");
    const Shape shape({columns, rows}, source, row.number("parts"), order_of(row.text("order")));
    int wraps = 0, hops = 0, longest = 0;
    std::map<std::pair<int, int>, int> sends; // by round and node
    const std::set<Message> all = messages(shape);
    for (const auto& [round, from, to, part, wrap] : all) {
      wraps += wrap ? 1 : 0;
      // Rows 2y and 2y+1 lie on the same tiles.
      const int distance =
          std::abs(from % columns - to % columns) + std::abs(from / columns / 2 - to / columns / 2);
      hops += distance;
      longest = std::max(longest, distance);
      ++sends[{round, from}];
    }
    int most_sends = 0;
    for (const auto& [who, count] : sends) most_sends = std::max(most_sends, count);
    CAPTURE(row.number("cores"), source, row.text("order"), row.number("parts"));
    CHECK(algorithms::core_mesh(row.number("cores")).rows == rows);
    CHECK(shape.rounds() == row.number("rounds"));
    CHECK(static_cast<int>(all.size()) == row.number("messages"));
    CHECK(wraps == row.number("wrap_messages"));
    CHECK(most_sends == row.number("max_sends_per_round"));
    CHECK(hops == row.number("tile_hops_total"));
    CHECK(longest == row.number("tile_hops_max"));
  }
}

TEST_CASE("dopl: every mesh up to 8x8, every source") {
  int schedules = 0;
  for (int rows = 1; rows <= 8; ++rows) {
    for (int columns = 1; columns <= 8; ++columns) {
      const int nodes = rows * columns;
      const int dimensions = (rows > 1 ? 1 : 0) + (columns > 1 ? 1 : 0);
      for (int source = 0; source < nodes; ++source) {
        for (int parts = 1; parts <= 40; ++parts) {
          if (!rendezvous::taken(source, nodes, parts)) continue;
          for (const LineOrder order : orders) {
            ++schedules;
            const Shape shape({columns, rows}, source, parts, order);
            const int most_sends = order == LineOrder::neighbour ? 2 : 1;
            const int rounds = dimensions > 0 ? parts + dimensions - 1 : 0;
            if (shape.rounds() == rounds && check(shape, source, parts, most_sends) == (nodes - 1) * parts)
              continue;
            CAPTURE(rows, columns, source, parts, static_cast<int>(order));
            FAIL_CHECK("the schedule is wrong");
          }
        }
      }
    }
  }
  CHECK(schedules > 36 * 40);
  if (rendezvous::whole())
    CHECK(schedules == 36 * 36 * 40 * static_cast<int>(std::size(orders))); // 36 = 1 + ... + 8
}

TEST_CASE("dopl: every number of parts; three to five dimensions") {
  for (const LineOrder order : orders) {
    for (int parts = 0; parts <= 30; ++parts) {
      for (const int source : {0, 7, 20, 47}) {
        CAPTURE(parts, source, static_cast<int>(order));
        CHECK(check(Shape({6, 8}, source, parts, order), source, parts, 2) == 47 * parts);
      }
    }
    for (const int parts : {1, 2, 3, 4, 7}) {
      for (const int a : {1, 2, 3, 4}) {
        for (const int b : {1, 2, 3}) {
          for (const int c : {2, 3}) {
            for (int source = 0; source < a * b * c; ++source) {
              CAPTURE(parts, a, b, c, source, static_cast<int>(order));
              CHECK(check(Shape({a, b, c}, source, parts, order), source, parts, 2) ==
                    (a * b * c - 1) * parts);
            }
          }
        }
      }
      for (const int source : {0, 5, 23}) {
        CHECK(check(Shape({2, 3, 2, 2}, source, parts, order), source, parts, 2) == 23 * parts);
        CHECK(check(Shape({2, 2, 1, 3, 2}, source, parts, order), source, parts, 2) == 23 * parts);
      }
    }
  }
}

TEST_CASE("dopl: no link twice in a round; blocking calls, wrap first or last") {
  bool mixed_hangs_on_the_smallest = false;
  for (int rows = 1; rows <= 8; ++rows) {
    for (int columns = 1; columns <= 8; ++columns) {
      const int nodes = rows * columns;
      for (const int source : std::set{0, columns - 1, nodes / 2, nodes - 1}) {
        for (const int segments : {1, 2, 4}) {
          for (const LineOrder order : orders) {
            const int parts = 5;
            const Shape shape({columns, rows}, source, parts, order);
            const std::string last = blocking(shape, source, parts, segments, Wrap::last);
            const std::string first = blocking(shape, source, parts, segments, Wrap::first);
            if (rows == 2 && columns == 2 && !blocking(shape, source, parts, segments, Wrap::mixed).empty())
              mixed_hangs_on_the_smallest = true;
            const bool shared = shares_links(shape, columns);
            if (first.empty() && last.empty() && !shared) continue;
            CAPTURE(rows, columns, source, segments, static_cast<int>(order), first, last, shared);
            FAIL_CHECK("the calls do not come through, or two messages of a round share a link");
          }
        }
      }
    }
  }
  CHECK(mixed_hangs_on_the_smallest);
}
