// SPDX-License-Identifier: Apache-2.0
// Reductions on a cluster's cards and hosts: every operand once and in the stated order, for many numbers of
// nodes, elements and options; sums bit by bit as in the vectors.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>
#include <sstream>

#include "algorithms/on_cards/rank_run.hpp"
#include "algorithms/on_cards/reductions.hpp"
#include "catch.hpp"
#include "csv.hpp"
#include "mesh_sim/machines/cluster/machine.hpp"

using namespace mesh::cluster;
using algorithms::on_cards::join_runs;
using algorithms::on_cards::RankRun;
using algorithms::on_cards::ReduceOptions;
using algorithms::on_cards::ReduceRow;
using algorithms::on_cards::reductions;

namespace {

const Config& machine() {
  static const Config config = load_machine("alc");
  return config;
}

template <class T>
T element(Values& values, int node, std::size_t i) {
  T value;
  std::memcpy(&value, values.of(node).data() + i * sizeof(T), sizeof(T));
  return value;
}
template <class T>
void set(Values& values, int node, std::size_t i, T value) {
  std::memcpy(values.of(node).data() + i * sizeof(T), &value, sizeof(T));
}

bool has(const ReduceRow& row, std::string_view parameter) {
  return std::ranges::any_of(row.parameters, [&](const auto& one) { return one.name == parameter; });
}

std::vector<ReduceOptions> options_of(const ReduceRow& row) {
  std::vector<ReduceOptions> all;
  std::vector<std::vector<int>> degrees{{4}};
  if (has(row, "degree")) degrees = {{2}, {3}, {4}, {7}, {64}, {2, 5, 3}, {6, 2}};
  for (const auto& degree : degrees)
    for (int splits = 0; splits <= (has(row, "splits") ? 4 : 0); ++splits)
      for (const Order order : {Order::all, Order::list, Order::arrival}) {
        all.push_back({degree, splits, order});
        if (!has(row, "order")) break;
      }
  return all;
}

/// Sums of int64 that name each operand: every node adds another power of two as long as there are bits.
void check_sums(const ReduceRow& row, int nodes, std::uint32_t elements, const ReduceOptions& options) {
  CAPTURE(row.name, nodes, elements, options.degrees, options.splits, static_cast<int>(options.order));
  const Vector what{Type::int64, Operation::sum};
  const Program program = row.program(nodes, elements, what, machine(), options);
  Values values(nodes, elements, what);
  const auto operand = [](int node, std::size_t i) {
    return (std::int64_t{1} << (node % 62)) + static_cast<std::int64_t>(i) * 977 * node;
  };
  std::vector<std::int64_t> sums(elements, 0);
  for (int node = 0; node < nodes; ++node)
    for (std::size_t i = 0; i < elements; ++i) {
      set(values, node, i, operand(node, i));
      sums[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sums[i]) +
                                          static_cast<std::uint64_t>(operand(node, i)));
    }
  Machine cluster(machine(), nodes, 1, 1);
  CHECK(cluster.reduce(program, what, values) > 0);
  int wrong = 0;
  for (int node = 0; node < (row.ending == Ending::everywhere ? nodes : 1); ++node)
    for (std::size_t i = 0; i < elements; ++i)
      wrong += element<std::int64_t>(values, node, i) == sums[i] ? 0 : 1;
  CHECK(wrong == 0);
}

void check_order(const ReduceRow& row, int nodes, std::uint32_t elements, const ReduceOptions& options) {
  CAPTURE(row.name, nodes, elements, options.degrees);
  const Program program = row.program(nodes, elements, {}, machine(), options);
  Values values(nodes, elements, sizeof(RankRun), join_runs);
  for (int node = 0; node < nodes; ++node)
    for (std::size_t i = 0; i < elements; ++i) set(values, node, i, RankRun{node, node});
  Machine cluster(machine(), nodes, 1, 1);
  (void)cluster.reduce(program, {}, values);
  for (std::size_t i = 0; i < elements; ++i) CHECK(element<RankRun>(values, 0, i) == RankRun{0, nodes - 1});
}

} // namespace

TEST_CASE("every reduction of the cluster gives every element") {
  for (const ReduceRow& row : reductions)
    for (const int nodes : {2, 3, 5, 7, 8, 9, 31, 47, 48, 64, 65})
      for (const std::uint32_t elements : {1U, 2U, 3U, 17U})
        for (const ReduceOptions& options : options_of(row)) check_sums(row, nodes, elements, options);
}

TEST_CASE("every broadcast of the cluster gives every node every word, short and long") {
  Config config = machine();
  for (const std::int64_t eager : {std::int64_t{16384}, std::int64_t{0}}) { // 0: each sender waits
    config.eager_bytes = eager;
    for (const ReduceRow& row : algorithms::on_cards::broadcasts)
      for (int nodes = 2; nodes <= 70; ++nodes)
        for (const std::uint32_t words : {1U, 3U, 69U, 70U, 1000U}) {
          CAPTURE(row.name, nodes, words, eager);
          const Vector what{Type::int32, Operation::sum};
          Values values(nodes, words, what);
          for (std::uint32_t i = 0; i < words; ++i) set(values, 0, i, static_cast<std::int32_t>(i + 1));
          Machine cluster(config, nodes, 1, 1);
          CHECK(cluster.reduce(row.program(nodes, words, what, config, {}), what, values) > 0);
          int wrong = 0;
          for (int node = 0; node < nodes; ++node)
            for (std::uint32_t i = 0; i < words; ++i)
              wrong += element<std::int32_t>(values, node, i) == static_cast<std::int32_t>(i + 1) ? 0 : 1;
          CHECK(wrong == 0);
        }
  }
}

TEST_CASE("every number of nodes up to 200, every row") {
  for (const ReduceRow& row : reductions)
    for (int nodes = 2; nodes <= 200; ++nodes) check_sums(row, nodes, 5, {{3}, 2, Order::all});
}

TEST_CASE("rows that say so combine in rank order") {
  int rows = 0;
  for (const ReduceRow& row : reductions) {
    if (row.commutative) continue;
    ++rows;
    for (int nodes = 2; nodes <= 100; ++nodes)
      for (const int degree : {2, 3, 4, 9}) {
        check_order(row, nodes, 3, {{degree}, 0, Order::all});
        if (!has(row, "degree")) break;
      }
  }
  CHECK(rows == 6);
}

TEST_CASE("elements that are fewer than segments: nothing is lost") {
  for (const ReduceRow& row : reductions)
    for (const std::uint32_t elements : {1U, 4U, 64U}) check_sums(row, 37, elements, {{4}, 6, Order::list});
}

TEST_CASE("sums of the cards equal the vectors bit by bit") {
  std::map<int, std::vector<double>> inputs;
  int rows = 0;
  for (const auto& line : csv::Table("fixed-order-sums.csv")) {
    const int nodes = line.number("n");
    const std::string& order = line.text("order");
    std::istringstream stream(line.text("values_hex"));
    std::vector<double> numbers;
    for (std::string word; stream >> word;) numbers.push_back(std::strtod(word.c_str(), nullptr));
    if (order == "inputs") {
      inputs[nodes] = numbers;
      continue;
    }
    std::string_view name = "reduce/f_nomial";
    ReduceOptions options;
    if (order == "sequential")
      name = "reduce/serial";
    else if (order == "pair_tree")
      options.degrees = {2};
    else
      options.degrees = {std::stoi(order.substr(9))};
    const auto& row = *std::find_if(std::begin(reductions), std::end(reductions),
                                    [&](const ReduceRow& one) { return one.name == name; });
    const Vector what{};
    Values values(nodes, 1, what);
    for (int node = 0; node < nodes; ++node)
      set(values, node, 0, inputs[nodes][static_cast<std::size_t>(node)]);
    Machine cluster(machine(), nodes, 1, 1);
    (void)cluster.reduce(row.program(nodes, 1, what, machine(), options), what, values);
    CAPTURE(nodes, order);
    CHECK(element<double>(values, 0, 0) == numbers.at(0));
    ++rows;
  }
  CHECK(rows == 32);
}

TEST_CASE("minimum, maximum and sum of every type") {
  const auto check = [&]<class T>(Type type, T) {
    for (const Operation operation : {Operation::sum, Operation::min, Operation::max}) {
      const Vector what{type, operation};
      const int nodes = 13;
      Values values(nodes, 2, what);
      std::vector<T> all;
      for (int node = 0; node < nodes; ++node) {
        const T value = static_cast<T>((node * 7) % 11 - 5);
        all.push_back(value);
        set(values, node, 0, value);
        set(values, node, 1, static_cast<T>(-value));
      }
      Machine cluster(machine(), nodes, 1, 1);
      (void)cluster.reduce(reductions[0].program(nodes, 2, what, machine(), {}), what, values);
      const T wanted = operation == Operation::sum ? std::accumulate(all.begin(), all.end(), T{})
          : operation == Operation::min            ? *std::min_element(all.begin(), all.end())
                                                   : *std::max_element(all.begin(), all.end());
      CAPTURE(name(type), name(operation));
      CHECK(element<T>(values, 0, 0) == wanted);
    }
  };
  check(Type::int32, std::int32_t{});
  check(Type::int64, std::int64_t{});
  check(Type::float32, float{});
  check(Type::float64, double{});
}

TEST_CASE("the awake tree is a tree over consecutive ranks, and done when it says") {
  Config config = machine();
  config.distance = config.links = false;
  for (const int nodes : {2, 3, 5, 47, 48, 200, 906})
    for (const std::uint32_t elements : {1U, 8U}) {
      CAPTURE(nodes, elements);
      const auto shape = algorithms::on_cards::awake_shape(nodes, elements, {}, config);
      const auto parents = shape.parents();
      CHECK(shape.size(0) == nodes);
      CHECK(std::count(parents.begin(), parents.end(), -1) == 1);
      for (int rank = 1; rank < nodes; ++rank) CHECK(parents[static_cast<std::size_t>(rank)] < rank);
      const Program program = reductions[3].program(nodes, elements, {}, config, {});
      const auto outside = picoseconds(config.barrier) + picoseconds(config.start) + picoseconds(config.end);
      const auto took = Machine(config, nodes, 1, 1).repeat(program, {}, {}).total - outside;
      CHECK(took <= shape.time());
      CHECK(took > shape.time() - config.card_step({}, elements));
    }
}

TEST_CASE("an algorithm whose messages do not fit together is told so") {
  const auto lost = [](Port& port) {
    if (port.rank() == 1) port.send(0);
  };
  CHECK_THROWS_AS(Recording::of(3, 1, Processor::cards, Ending::root, lost), std::logic_error);
  const auto beyond = [](Port& port) { port.send(3); };
  CHECK_THROWS_AS(Recording::of(3, 1, Processor::cards, Ending::root, beyond), std::logic_error);
  const auto both_wait = [](Port& port) {
    port.receive(1 - port.rank());
    port.send(1 - port.rank());
  };
  const Program waiting = Recording::of(2, 1, Processor::hosts, Ending::root, both_wait);
  std::string told;
  try {
    (void)Machine(machine(), 2, 1, 1).repeat(waiting, {}, {});
  } catch (const std::runtime_error& error) {
    told = error.what();
  }
  CHECK(told.find("node 0 waits for a message from 1") != std::string::npos);
}
