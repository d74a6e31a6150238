// SPDX-License-Identifier: Apache-2.0
// Reductions: every operand once and in the stated order, for every number of ranks; no deadlock; sums bit by
// bit as in the vectors.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "algorithms/shapes/f_nomial.hpp"
#include "algorithms/shapes/f_nomial_split.hpp"
#include "algorithms/shapes/pair_tree.hpp"
#include "algorithms/shapes/recursive_doubling.hpp"
#include "algorithms/shapes/recursive_halving.hpp"
#include "algorithms/shapes/recursive_multiplying.hpp"
#include "algorithms/shapes/tagged_tree.hpp"
#include "catch.hpp"
#include "csv.hpp"

namespace {

constexpr int most_ranks = 200;

using algorithms::f_nomial_split::Exchange;
using algorithms::f_nomial_split::Group;
using algorithms::f_nomial_split::group_of;
using algorithms::f_nomial_split::Split;
using algorithms::f_nomial_split::splits_of;

/// Operands 0 .. ranks-1 in the order in which reduce/f_nomial combines them, by `combine(own, incoming)`.
template <class Value, class Combine>
Value f_nomial(const std::vector<Value>& inputs, int degree, Combine combine, int rank = 0) {
  const algorithms::f_nomial::Shape shape(static_cast<int>(inputs.size()), degree);
  Value own = inputs[static_cast<std::size_t>(rank)];
  for (int index = 0; index < shape.children(rank); ++index)
    own = combine(own, f_nomial(inputs, degree, combine, shape.child(rank, index)));
  return own;
}

template <class Value, class Combine>
Value pair_tree(std::vector<Value> values, Combine combine) {
  const int ranks = static_cast<int>(values.size());
  for (int iteration = 0; iteration < algorithms::pair_tree::iterations(ranks); ++iteration)
    for (int rank = 1; rank < ranks; ++rank) {
      if (algorithms::pair_tree::child_iteration(rank) != iteration) continue;
      Value& parent = values[static_cast<std::size_t>(algorithms::pair_tree::parent(rank))];
      parent = combine(parent, values[static_cast<std::size_t>(rank)]);
    }
  return values[0];
}

/// The values of all ranks at the end.
template <class Value, class Combine>
std::vector<Value> recursive_doubling(std::vector<Value> values, Combine combine) {
  const int ranks = static_cast<int>(values.size());
  const algorithms::recursive_doubling::Shape shape(ranks);
  const auto at = [&](int rank) -> Value& { return values[static_cast<std::size_t>(rank)]; };
  for (int rank = 0; rank < ranks; ++rank)
    if (shape.is_deputy(rank)) at(rank) = combine(at(rank - 1), at(rank));
  for (int round = 0; round < shape.rounds(); ++round) {
    const std::vector<Value> before = values;
    for (int rank = 0; rank < ranks; ++rank) {
      if (shape.stays_out(rank)) continue;
      const int partner = shape.partner(rank, round);
      REQUIRE(partner >= 0);
      REQUIRE(partner < ranks);
      REQUIRE(!shape.stays_out(partner));
      REQUIRE(shape.partner(partner, round) == rank);
      const Value& low = before[static_cast<std::size_t>(std::min(rank, partner))];
      const Value& high = before[static_cast<std::size_t>(std::max(rank, partner))];
      at(rank) = combine(low, high);
    }
  }
  for (int rank = 0; rank < ranks; ++rank)
    if (shape.stays_out(rank)) at(rank) = at(rank + 1);
  return values;
}

std::vector<std::string> names(int ranks) {
  std::vector<std::string> names;
  for (int rank = 0; rank < ranks; ++rank) names.push_back(" " + std::to_string(rank));
  return names;
}
std::string in_rank_order(int ranks) {
  std::string all;
  for (const std::string& name : names(ranks)) all += name;
  return all;
}
const auto append = [](const std::string& a, const std::string& b) { return a + b; };

} // namespace

TEST_CASE("f_nomial equals the vectors") {
  int rows = 0;
  for (const auto& row : csv::Table("fnomial.csv")) {
    const int ranks = row.number("P"), degree = row.number("f"), rank = row.number("rank");
    CAPTURE(ranks, degree, rank);
    const algorithms::f_nomial::Shape shape(ranks, degree);
    if (rank > 0) {
      CHECK(shape.parent(rank) == row.number("parent"));
      CHECK(shape.sending_phase(rank) == row.number("phase"));
      CHECK(shape.child_index(rank) == row.number("child_index"));
    }
    std::string children = row.text("children");
    for (char& letter : children)
      if (letter == '|') letter = ' ';
    std::istringstream stream(children);
    int index = 0;
    for (int child = 0; stream >> child; ++index) {
      REQUIRE(index < shape.children(rank));
      CHECK(shape.child(rank, index) == child);
    }
    CHECK(shape.children(rank) == index);
    ++rows;
  }
  CHECK(rows == 816);
}

TEST_CASE("f_nomial: parents and children agree, operands come in rank order") {
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    for (int degree = 2; degree <= 64; degree += degree < 9 ? 1 : 11) {
      const algorithms::f_nomial::Shape shape(ranks, degree);
      int children = 0, faults = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        children += shape.children(rank);
        for (int index = 0; index < shape.children(rank); ++index) {
          const int child = shape.child(rank, index);
          if (child <= rank || child >= ranks || shape.parent(child) != rank ||
              shape.child_index(child) != index)
            ++faults;
        }
      }
      long full = 1;
      int whole_phases = 0;
      for (; full * degree <= ranks; full *= degree) ++whole_phases;
      const int of_root = (degree - 1) * whole_phases + static_cast<int>((ranks + full - 1) / full) - 1;
      if (faults == 0 && children == ranks - 1 && shape.children(0) == of_root &&
          f_nomial(names(ranks), degree, append) == in_rank_order(ranks))
        continue;
      CAPTURE(ranks, degree, faults, children, shape.children(0), of_root);
      FAIL_CHECK("the tree is wrong");
    }
  }
}

TEST_CASE("pair_tree equals the vectors, and takes operands in rank order") {
  std::map<int, int> pairs;
  for (const auto& row : csv::Table("pair-tree.csv")) {
    const int child = row.number("child");
    CAPTURE(row.number("n"), child);
    CHECK(algorithms::pair_tree::child_iteration(child) == row.number("iteration"));
    CHECK(algorithms::pair_tree::parent(child) == row.number("parent"));
    CHECK(algorithms::pair_tree::child(row.number("parent"), row.number("iteration")) == child);
    ++pairs[row.number("n")];
  }
  CHECK(pairs.size() == 8);
  for (const auto& [ranks, count] : pairs) CHECK(count == ranks - 1);
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    CAPTURE(ranks);
    CHECK(pair_tree(names(ranks), append) == in_rank_order(ranks));
  }
  CHECK(algorithms::pair_tree::middle(0) == 0);
  CHECK(algorithms::pair_tree::middle(1) == 1);
  CHECK(algorithms::pair_tree::middle(7) == 4);
}

TEST_CASE("recursive_doubling: everybody has all operands in rank order") {
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    CAPTURE(ranks);
    const std::string expected = in_rank_order(ranks);
    int wrong = 0;
    for (const std::string& result : recursive_doubling(names(ranks), append))
      if (result != expected) ++wrong;
    CHECK(wrong == 0);
  }
}

TEST_CASE(
    "recursive_multiplying: everybody has all operands in rank order, each message in a slot of its own") {
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    const algorithms::recursive_multiplying::Shape shape(ranks);
    std::vector<std::string> values = names(ranks);
    const auto at = [&](int rank) -> std::string& { return values[static_cast<std::size_t>(rank)]; };
    int faults = 0, places = 1;
    for (int rank = 0; rank < ranks; ++rank)
      if (shape.is_deputy(rank)) at(rank) = at(rank - 1) + at(rank);
    std::vector<std::set<int>> taken(static_cast<std::size_t>(ranks));
    for (int round = 0; round < shape.rounds(); ++round) {
      places *= shape.radix(round);
      const std::vector<std::string> before = values;
      for (int rank = 0; rank < ranks; ++rank) {
        if (shape.stays_out(rank)) continue;
        const int own = shape.member(rank, round);
        at(rank).clear();
        for (int member = 0; member < shape.radix(round); ++member) {
          const int other = shape.rank_of(rank, round, member);
          if (shape.stays_out(other) || shape.member(other, round) != member ||
              shape.rank_of(other, round, own) != rank || (member == own) != (other == rank))
            ++faults;
          at(rank) += before[static_cast<std::size_t>(other)];
          if (member == own) continue;
          const int slot = shape.message(round, member, own);
          if (slot < 0 || slot >= shape.messages() ||
              !taken[static_cast<std::size_t>(rank)].insert(slot).second)
            ++faults;
        }
      }
    }
    for (int rank = 0; rank < ranks; ++rank)
      if (shape.stays_out(rank)) at(rank) = at(rank + 1);
    const auto wrong = static_cast<std::size_t>(ranks) -
        static_cast<std::size_t>(std::count(values.begin(), values.end(), in_rank_order(ranks)));
    const int folded = places == ranks ? 0 : 2;
    // Never more than by powers of two.
    const algorithms::recursive_doubling::Shape doubling(ranks);
    const int most = doubling.rounds() + (doubling.places() == ranks ? 0 : 2);
    if (faults == 0 && wrong == 0 && places == shape.places() && 2 * places >= ranks &&
        shape.messages() + folded <= most)
      continue;
    CAPTURE(ranks, faults, wrong, places, shape.places(), shape.messages());
    FAIL_CHECK("the exchanges are wrong");
  }
  const algorithms::recursive_multiplying::Shape chip(48);
  CHECK(chip.places() == 48);
  CHECK(chip.messages() == 6);
}

TEST_CASE("tagged_tree: a tree in rank order, and everybody hears that a part is read") {
  using algorithms::tagged_tree::Role;
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    const algorithms::tagged_tree::Shape shape(ranks);
    std::vector<Role> roles;
    for (int v = 0; v < ranks; ++v) roles.push_back(shape.role(v));
    const auto at = [&](int v) -> const Role& { return roles[static_cast<std::size_t>(v)]; };
    int faults = 0;
    std::size_t most = 0;
    std::vector<int> told(static_cast<std::size_t>(ranks), 0);
    for (int v = 0; v < ranks; ++v) {
      most = std::max(most, at(v).children.size());
      for (std::size_t slot = 0; slot < at(v).children.size(); ++slot) {
        const int child = at(v).children[slot];
        if (child <= v || child >= ranks || at(child).parent != v || at(child).slot != static_cast<int>(slot))
          ++faults;
      }
      for (const int other : at(v).tells)
        if (++told.at(static_cast<std::size_t>(other)) > 1) ++faults;
    }
    // From the root on; who tells has been told.
    std::vector<int> heard{0};
    for (std::size_t i = 0; i < heard.size(); ++i)
      heard.insert(heard.end(), at(heard[i]).tells.begin(), at(heard[i]).tells.end());
    if (at(0).tells.size() > 1 || (ranks > 1 && !at(at(0).tells[0]).children.empty())) ++faults;
    const auto result = [&](auto&& self, int v) -> std::string {
      std::string own = " " + std::to_string(v);
      for (const int child : at(v).children) own += self(self, child);
      return own;
    };
    if (faults == 0 && static_cast<int>(heard.size()) == ranks && at(0).parent == -1 &&
        static_cast<int>(most) == shape.most_children() && result(result, 0) == in_rank_order(ranks))
      continue;
    CAPTURE(ranks, faults, heard.size(), most);
    FAIL_CHECK("the tree is wrong");
  }
}

TEST_CASE(
    "recursive_halving: partners halve one range, every segment has one owner, none meet within a line") {
  using algorithms::recursive_halving::Range;
  for (const std::size_t granule : {std::size_t{1}, std::size_t{4}, std::size_t{8}})
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{31},
                                    std::size_t{32}, std::size_t{33}, std::size_t{1000}})
      for (int ranks = 1; ranks <= most_ranks; ++ranks) {
        const algorithms::recursive_doubling::Shape shape(ranks);
        std::vector<Range> ranges(static_cast<std::size_t>(ranks), Range{0, count});
        const auto at = [&](int rank) -> Range& { return ranges[static_cast<std::size_t>(rank)]; };
        int faults = 0;
        for (int round = 0; round < shape.rounds(); ++round) {
          const std::vector<Range> before = ranges;
          for (int rank = 0; rank < ranks; ++rank) {
            if (shape.stays_out(rank)) continue;
            const int partner = shape.partner(rank, round);
            if (before[static_cast<std::size_t>(partner)] != before[static_cast<std::size_t>(rank)]) ++faults;
            at(rank) = rank < partner ? lower_half(at(rank), granule) : upper_half(at(rank), granule);
          }
        }
        std::vector<int> owners(count);
        for (int rank = 0; rank < ranks; ++rank) {
          if (shape.stays_out(rank)) continue;
          if (at(rank).size() > 0 && at(rank).begin % granule != 0) ++faults;
          for (std::size_t i = at(rank).begin; i < at(rank).end; ++i) ++owners[i];
        }
        if (faults == 0 && std::count(owners.begin(), owners.end(), 1) == static_cast<std::ptrdiff_t>(count))
          continue;
        CAPTURE(ranks, count, granule, faults);
        FAIL_CHECK("the segments are wrong");
      }
}

TEST_CASE("sums of doubles equal the vectors bit by bit") {
  const auto add = [](double a, double b) { return a + b; };
  std::map<int, std::vector<double>> inputs;
  int rows = 0;
  for (const auto& row : csv::Table("fixed-order-sums.csv")) {
    const int ranks = row.number("n");
    const std::string& order = row.text("order");
    CAPTURE(ranks, order);
    std::istringstream stream(row.text("values_hex"));
    std::vector<double> values;
    for (std::string value; stream >> value;) values.push_back(std::strtod(value.c_str(), nullptr));
    ++rows;
    if (order == "inputs") {
      inputs[ranks] = values;
      continue;
    }
    const std::vector<double>& operands = inputs.at(ranks);
    REQUIRE(operands.size() == static_cast<std::size_t>(ranks));
    if (order == "sequential") {
      double sum = operands[0];
      for (std::size_t i = 1; i < operands.size(); ++i) sum += operands[i];
      CHECK(sum == values.at(0));
    } else if (order == "pair_tree") {
      CHECK(pair_tree(operands, add) == values.at(0));
      CHECK(f_nomial(operands, 2, add) == values.at(0));
      if ((ranks & (ranks - 1)) == 0)
        for (const double sum : recursive_doubling(operands, add)) CHECK(sum == values.at(0));
    } else {
      REQUIRE(order.starts_with("fnomial_f"));
      CHECK(f_nomial(operands, std::stoi(order.substr(9)), add) == values.at(0));
    }
  }
  CHECK(rows == 40);
}

namespace {

template <class... Fields>
std::string row_of(const std::string& kind, Fields... fields) {
  return (kind + ... + ("," + std::to_string(fields)));
}

/// The plan of reduce/f_nomial_split as the vector file has it, without P, V and splits.
std::multiset<std::string> plan_of(int ranks, std::size_t elements, int splits) {
  std::multiset<std::string> rows;
  for (int rank = 0; rank < ranks; ++rank) {
    for (int step = 0; step < splits; ++step) {
      const Exchange own = Split(group_of(rank, ranks, elements, step)).exchange_of(rank);
      rows.insert(row_of("split", step, rank, own.partner, own.send_begin, own.send_end));
    }
  }
  int number = 0;
  for (int first = 0; first < ranks; ++number) {
    const Group group = group_of(first, ranks, elements, splits);
    rows.insert(row_of("group", number, group.first, group.size, group.begin, group.end));
    if (number > 0) rows.insert(row_of("gather", splits, group.first, 0, group.begin, group.end));
    first += group.size;
  }
  return rows;
}

using Contributions = std::vector<std::vector<int>>; // [element][rank of the operand]: how often

/// The fault of one plan, or nothing: every element must end in one group, in all its ranks together once.
std::string fault_of(int ranks, std::size_t elements, int splits) {
  const auto size = static_cast<std::size_t>(ranks);
  std::vector<Contributions> held(size, Contributions(elements, std::vector<int>(size, 0)));
  for (std::size_t rank = 0; rank < size; ++rank)
    for (std::size_t i = 0; i < elements; ++i) held[rank][i][rank] = 1;
  for (int step = 0; step < splits; ++step) {
    const std::vector<Contributions> before = held;
    const auto take = [&](int rank, int from) {
      const Split split(group_of(rank, ranks, elements, step));
      const Group own = split.half_of(rank);
      const Exchange sent = split.exchange_of(from);
      if (sent.send_begin != own.begin || sent.send_end != own.end) return false;
      for (std::size_t i = own.begin; i < own.end; ++i)
        for (std::size_t operand = 0; operand < size; ++operand)
          held[static_cast<std::size_t>(rank)][i][operand] +=
              before[static_cast<std::size_t>(from)][i][operand];
      return true;
    };
    for (int rank = 0; rank < ranks; ++rank) {
      const Split split(group_of(rank, ranks, elements, step));
      const Exchange own = split.exchange_of(rank);
      const Exchange other = split.exchange_of(own.partner);
      if (own.receives && (other.partner != rank || other.sends_first == own.sends_first))
        return "rank " + std::to_string(rank) + " and its partner do not agree";
      if (own.receives && !take(rank, own.partner)) return "a segment is not what its receiver keeps";
      if (!own.receives && split.extra_of(own.partner) != rank) return "nobody takes from the odd one";
      if (split.extra_of(rank) >= 0 && !take(rank, split.extra_of(rank)))
        return "the odd one's segment is wrong";
    }
  }
  std::size_t covered = 0;
  for (int first = 0; first < ranks;) {
    const Group group = group_of(first, ranks, elements, splits);
    if (group.first != first || group.size < 1 || group.begin >= group.end) return "a group is empty";
    for (std::size_t i = group.begin; i < group.end; ++i, ++covered)
      for (std::size_t operand = 0; operand < size; ++operand) {
        int times = 0;
        for (int rank = first; rank < first + group.size; ++rank)
          times += held[static_cast<std::size_t>(rank)][i][operand];
        if (times != 1) return "an operand is not in exactly once";
      }
    first += group.size;
  }
  return covered == elements ? "" : "the groups are not all elements";
}

} // namespace

TEST_CASE("f_nomial_split equals the vectors") {
  std::map<std::string, std::multiset<std::string>> plans;
  for (const auto& row : csv::Table("fnomial-split.csv"))
    plans[row.text("P") + " " + row.text("V") + " " + row.text("splits")].insert(
        row.text("kind") + "," + row.text("step_or_group") + "," + row.text("src_or_first") + "," +
        row.text("dst_or_size") + "," + row.text("lo") + "," + row.text("hi"));
  CHECK(plans.size() == 5);
  for (const auto& [plan, rows] : plans) {
    std::istringstream stream(plan);
    int ranks = 0, splits = 0;
    std::size_t elements = 0;
    stream >> ranks >> elements >> splits;
    CAPTURE(plan);
    CHECK(splits_of(splits, ranks, elements) == splits);
    CHECK(plan_of(ranks, elements, splits) == rows);
  }
}

TEST_CASE("f_nomial_split: every operand once in every element") {
  for (int ranks = 1; ranks < 70; ++ranks)
    for (int splits = 0; splits < 7; ++splits)
      for (const std::size_t elements : {1U, 5U, 16U, 33U}) {
        if (splits_of(splits, ranks, elements) != splits) continue;
        const std::string fault = fault_of(ranks, elements, splits);
        if (fault.empty()) continue;
        CAPTURE(ranks, splits, elements, fault);
        FAIL_CHECK("the plan is wrong");
      }
  CHECK(splits_of(9, 48, 1000) == 5);
  CHECK(splits_of(9, 48, 3) == 1);
  CHECK(splits_of(9, 48, 0) == 0);
  CHECK(splits_of(9, 1, 1000) == 0);
}
