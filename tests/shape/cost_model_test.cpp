// SPDX-License-Identifier: Apache-2.0
// Are the closed forms for machines with coherent caches, and the best shapes by them, those of the vectors?
#include <cmath>
#include <sstream>
#include <string>

#include "algorithms/in_memory/cost_model.hpp"
#include "algorithms/in_memory/machine_costs.hpp"
#include "catch.hpp"
#include "csv.hpp"
#include "mesh_sim/machines/coherent/placement.hpp"

using namespace algorithms::in_memory::cost;

namespace {

/// The Xeon Phi's numbers as its source prints them; exclusive lines. c is a parameter.
Parameters phi(double readers) {
  return {8.6, 235.8, 277.7, readers, 76.0, 1521.0, 1096.0};
}

std::vector<int> numbers(const std::string& text) {
  std::vector<int> values;
  std::istringstream words(text);
  for (int value; words >> value;) values.push_back(value);
  return values;
}

std::string text_of(const std::vector<int>& fan_outs) {
  std::string text;
  for (const int k : fan_outs) text += (text.empty() ? "" : " ") + std::to_string(k);
  return text;
}

/// The cost of "bcast_min", "reduce_max/o*k", ...
double tree_cost(const std::string& model, const Parameters& p, std::span<const int> fan_outs) {
  const Bound bound = model.find("_min") != std::string::npos ? Bound::min : Bound::max;
  if (model.starts_with("bcast")) return broadcast(p, fan_outs, bound);
  return reduction(p, fan_outs, bound,
                   model.ends_with("/fit")         ? Operands::stream
                       : model.ends_with("/k*R_R") ? Operands::remote
                                                   : Operands::lines);
}

bool near(double a, double b) {
  return std::abs(a - b) < 0.01;
}

} // namespace

TEST_CASE("single evaluations equal the vectors") {
  const csv::Table rows("xeonphi-costs.csv");
  const Parameters p = phi(50);
  const Parameters invalid{8.6, 235.8, 277.7, 50, 94.9, 2750.0, 2017.5};
  for (const auto& row : rows) {
    const std::string &model = row.text("model"), &n = row.text("n"), &lines = row.text("lines");
    const int threads = n.empty() ? 0 : std::stoi(n), count = lines.empty() ? 0 : std::stoi(lines);
    const Bound bound = model.ends_with("_min") ? Bound::min : Bound::max;
    double cost = 0;
    if (model.starts_with("nb_"))
      cost = notification(p, threads, bound);
    else if (model == "contention")
      cost = p.contention(threads);
    else if (model.starts_with("multiline_"))
      cost = (model == "multiline_exclusive" ? p : invalid).stream(count);
    else if (model.starts_with("pipelined"))
      cost = pipelined(p, threads, count, bound);
    else if (model.starts_with("flat"))
      cost = flat(p, threads, count, bound);
    else
      cost = tree_cost(model, p, numbers(row.text("k")));
    INFO(model << ", n " << n << ", k " << row.text("k") << ", lines " << lines << ": " << cost);
    CHECK(near(cost, std::stod(row.text("cost_ns_at_c50"))));
  }
}

TEST_CASE("the best trees equal the vectors, for every number of threads and slope") {
  const csv::Table rows("xeonphi-optima.csv");
  for (const auto& row : rows) {
    const std::string& model = row.text("model");
    const Parameters p = phi(std::stod(row.text("c_ns")));
    const auto best =
        best_trees(row.number("n"), 20, [&](std::span<const int> k) { return tree_cost(model, p, k); });
    INFO(model << ", n " << row.text("n") << ", c " << row.text("c_ns"));
    CHECK(text_of(best.front().fan_outs) == row.text("k"));
    CHECK(near(best.front().cost, std::stod(row.text("cost_ns"))));
    int ties = 0;
    for (const Tree& tree : best) ties += near(tree.cost, best.front().cost) ? 1 : 0;
    CHECK(ties == row.number("ties"));
  }
}

TEST_CASE("the best trees change where the vectors say, as the slope grows") {
  const csv::Table rows("xeonphi-c-range.csv");
  for (const auto& row : rows) {
    const std::string& model = row.text("model");
    if (model.ends_with("as printed")) continue;
    for (const char* const end : {"c_from_ns", "c_to_ns"}) {
      const Parameters p = phi(std::stod(row.text(end)));
      const Tree best =
          best_tree(row.number("n"), [&](std::span<const int> k) { return tree_cost(model, p, k); });
      INFO(model << ", n " << row.text("n") << ", c " << row.text(end));
      CHECK(text_of(best.fan_outs) == row.text("k"));
    }
  }
}

TEST_CASE("the best radices equal the vectors") {
  const csv::Table rows("xeonphi-barrier.csv");
  for (const auto& row : rows) {
    const std::string& model = row.text("model");
    const Radix best =
        best_radix(phi(50), row.number("n"), model.starts_with("min") ? Bound::min : Bound::max,
                   model.ends_with("log_m"));
    INFO(model << ", n " << row.text("n"));
    CHECK(best.partners == row.number("m"));
    CHECK(best.rounds == row.number("rounds"));
    CHECK(near(best.cost, std::stod(row.text("cost_ns"))));
  }
}

TEST_CASE("a machine's numbers are its parameters where there is one distance, and between the extremes "
          "elsewhere") {
  const auto on = [](const char* name, int threads) {
    const auto config = mesh::coherent::load_machine(name);
    return parameters_of(config, mesh::coherent::placement(config, "compact", threads));
  };
  const Parameters phi_60 = on("xeon-phi-5110p", 60);
  CHECK(std::abs(phi_60.own - 8.6) < 0.01);
  CHECK(std::abs(phi_60.remote - 234.7) < 0.01);
  CHECK(std::abs(phi_60.memory - 277.7) < 0.01);
  CHECK(std::abs(phi_60.line - 234.7 / 3.1) < 0.01);
  // A die, then all: 81 to 252 cycles of 2.1 GHz.
  CHECK(std::abs(on("opteron-6172", 6).remote - 81 / 2.1) < 0.01);
  CHECK(on("opteron-6172", 48).remote > 81 / 2.1);
  CHECK(on("opteron-6172", 48).remote < 252 / 2.1);
  CHECK(on("core2d", 1).remote > 0);
}
