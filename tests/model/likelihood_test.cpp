// SPDX-License-Identifier: Apache-2.0
// Is the likelihood workload right: matrices against closed forms, derivatives against differences, sums
// the same bits in every run, and as many regions as published?
#include <cmath>

#include <boost/math/special_functions/gamma.hpp>

#include "algorithms/in_memory/simulated.hpp"
#include "algorithms/memory/host.hpp"
#include "catch.hpp"
#include "measuring/optimise.hpp"
#include "measuring/regions.hpp"

using namespace rccebench;
using namespace rccebench::likelihood;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using measuring::memory::Host;

namespace {

const ModelParameters general{{1.2, 3.1, 0.9, 1.1, 4.0, 1}, {0.3, 0.2, 0.22, 0.28}, 0.8};

Kernel kernel_of(int tips, int patterns, const ModelParameters& parameters = general) {
  const Model model(parameters);
  Tree tree = random_tree(tips, 7);
  const Alignment alignment = evolve(tree, model, patterns, 7);
  return {model, std::move(tree), alignment};
}

/// Evaluates the branch from the node to its parent, with the views of both its ends.
double evaluate_at(Kernel& kernel, int node) {
  kernel.newview_all(0, 1);
  // From the top down, each view of a parent without the child below it.
  std::vector<int> path;
  for (int at = node; kernel.tree().parent[static_cast<std::size_t>(at)] > 0;
       at = kernel.tree().parent[static_cast<std::size_t>(at)])
    path.push_back(at);
  for (auto below = path.rbegin(); below != path.rend(); ++below)
    kernel.newview({kernel.tree().parent[static_cast<std::size_t>(*below)], *below}, 0, 1);
  return kernel.evaluate(node, 0, 1);
}

struct Evaluation {
  double before = 0, after = 0;
  Counts counts;
  bool operator==(const Evaluation& other) const {
    return before == other.before && after == other.after && counts.regions == other.counts.regions;
  }
};

template <class M>
Evaluation optimise(M& memory, int tips, int patterns, const measuring::Variant& variant, int passes) {
  Kernel kernel = kernel_of(tips, patterns);
  measuring::Team<M> team(memory, variant);
  Optimiser<M> optimiser(kernel, team);
  Evaluation run;
  memory.run([&](typename M::Thread& thread) {
    if (thread.thread() > 0) return team.serve(thread);
    run.before = optimiser.evaluate(thread);
    run.after = optimiser.optimise(thread, passes);
    team.stop(thread);
  });
  run.counts = optimiser.counts();
  return run;
}

} // namespace

TEST_CASE("transition matrices: closed form, rows of probabilities, reversible") {
  const Model jukes_cantor{ModelParameters{}};
  for (const double time : {0.0, 0.01, 0.3, 5.0}) {
    const Transition p = jukes_cantor.transition(time);
    for (std::size_t r = 0; r < rates; ++r)
      for (std::size_t i = 0; i < states; ++i)
        for (std::size_t j = 0; j < states; ++j) {
          const double decay = std::exp(-4.0 / 3 * jukes_cantor.rate()[r] * time);
          CHECK_THAT(p[r][i][j], WithinAbs(i == j ? 0.25 + 0.75 * decay : 0.25 - 0.25 * decay, 1e-13));
        }
  }
  const Model model(general);
  const Transition p = model.transition(0.7);
  for (std::size_t r = 0; r < rates; ++r)
    for (std::size_t i = 0; i < states; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < states; ++j) {
        sum += p[r][i][j];
        CHECK_THAT(model.frequencies()[i] * p[r][i][j],
                   WithinAbs(model.frequencies()[j] * p[r][j][i], 1e-14));
      }
      CHECK_THAT(sum, WithinAbs(1, 1e-13));
    }
}

TEST_CASE("rates of sites are the means of a gamma distribution's quarters") {
  for (const double shape : {0.1, 0.8, 1.0, 3.0, 50.0}) {
    ModelParameters parameters;
    parameters.shape = shape;
    const Model model(parameters);
    double below = 0;
    for (int k = 0; k < rates; ++k) {
      const double up_to = k + 1 == rates
          ? 1
          : boost::math::gamma_p(shape + 1, boost::math::gamma_p_inv(shape, (k + 1) / 4.0));
      CHECK_THAT(model.rate()[static_cast<std::size_t>(k)], WithinAbs(rates * (up_to - below), 1e-10));
      below = up_to;
    }
  }
  CHECK_THROWS_AS(Model({{1, 1, 1, 1, 1, 0}, {0.25, 0.25, 0.25, 0.25}, 1}), std::invalid_argument);
  CHECK_THROWS_AS(Model({{1, 1, 1, 1, 1, 1}, {0.25, 0.25, 0.25, 0.25}, 0}), std::invalid_argument);
}

TEST_CASE("a tree of three organisms: the likelihood by hand") {
  const Model model(general);
  Tree tree = random_tree(3, 1);
  const Alignment alignment{2, {{1, 2}, {1, 4}, {8, 15}}}; // the last code says nothing
  Kernel kernel(model, tree, alignment);
  double expected = 0;
  for (std::size_t site = 0; site < 2; ++site) {
    double likelihood = 0;
    for (std::size_t r = 0; r < rates; ++r)
      for (std::size_t x = 0; x < states; ++x) {
        double product = model.frequencies()[x] / rates;
        for (int tip = 0; tip < 3; ++tip) {
          const double length = tip == 0 ? tree.length[3] : tree.length[static_cast<std::size_t>(tip)];
          const Transition p = model.transition(length);
          double sum = 0;
          for (std::size_t s = 0; s < states; ++s)
            if ((alignment.codes[static_cast<std::size_t>(tip)][site] >> s & 1) != 0) sum += p[r][x][s];
          product *= sum;
        }
        likelihood += product;
      }
    expected += std::log(likelihood);
  }
  CHECK_THAT(evaluate_at(kernel, 3), WithinAbs(expected, 1e-11));
}

TEST_CASE("the likelihood is the same at every branch, also where it has to be scaled") {
  Kernel kernel = kernel_of(150, 3);
  const double top = evaluate_at(kernel, kernel.tree().children[0][0]);
  for (int node = 1; node < kernel.tree().nodes(); node += 7)
    CHECK_THAT(evaluate_at(kernel, node), WithinRel(top, 1e-12));
  // Longer branches: single numbers beyond the range of a double, if they were not scaled.
  for (int node = 1; node < kernel.tree().nodes(); ++node) kernel.set_length(node, 50);
  const double far = evaluate_at(kernel, kernel.tree().children[0][0]);
  // Nothing is left of the tree: each organism's nucleotide has its frequency.
  CHECK(std::isfinite(far));
  CHECK(far < -150 * 3 * std::log(1 / 0.3));
}

TEST_CASE("derivatives are those of the likelihood") {
  Kernel kernel = kernel_of(12, 200);
  for (const int node : {1, 5, 12, 17, 20}) {
    (void)evaluate_at(kernel, node);
    kernel.prepare_derivatives(node, 0, 1);
    const double length = kernel.length(node), h = 1e-4 * length;
    const auto at = [&](double value) {
      kernel.set_length(node, value);
      const double result = kernel.evaluate(node, 0, 1);
      kernel.set_length(node, length);
      return result;
    };
    const auto [first, second] = kernel.derivatives(length, 0, 1);
    INFO("node " << node << ", length " << length);
    CHECK_THAT(first, WithinRel((at(length + h) - at(length - h)) / (2 * h), 1e-4));
    const auto slope = [&](double value) { return kernel.derivatives(value, 0, 1)[0]; };
    CHECK_THAT(second, WithinRel((slope(length + h) - slope(length - h)) / (2 * h), 1e-4));
  }
}

TEST_CASE("optimised lengths: a maximum, the same bits by every join, on host and machine") {
  for (const int threads : {1, 3, 5}) {
    std::vector<Evaluation> runs;
    for (const measuring::Variant& variant : measuring::variants()) {
      if (variant.reduction == measuring::Reduction::tree) continue;
      Host host(threads);
      runs.push_back(optimise(host, 9, 47, variant, 8));
      mesh::coherent::Machine machine(mesh::coherent::load_machine("x4600"), threads);
      measuring::memory::Simulated simulated(machine);
      runs.push_back(optimise(simulated, 9, 47, variant, 8));
    }
    for (const Evaluation& run : runs) CHECK(run == runs.front());
    CHECK(runs.front().after > runs.front().before);
  }
  // The tree's order is another one, the same in each run.
  Host five(5), again(5);
  const measuring::Variant tree = measuring::variants().back();
  const Evaluation first = optimise(five, 9, 47, tree, 8), second = optimise(again, 9, 47, tree, 8);
  CHECK(first == second);
  CHECK_THAT(first.after, WithinRel(optimise(five, 9, 47, measuring::variants().front(), 8).after, 1e-9));
}

TEST_CASE("at optimised lengths first derivatives are zero") {
  Kernel kernel = kernel_of(8, 300);
  Host host(1);
  measuring::Team<Host> team(host, {});
  Optimiser<Host> optimiser(kernel, team);
  host.run([&](Host::Thread& thread) { (void)optimiser.optimise(thread, 60); });
  for (int node = 1; node < kernel.tree().nodes(); ++node) {
    (void)evaluate_at(kernel, node);
    kernel.prepare_derivatives(node, 0, 1);
    const double length = kernel.length(node);
    if (length < 1e-5) continue; // at its lower limit
    CHECK_THAT(kernel.derivatives(length, 0, 1)[0] * length, WithinAbs(0, 1e-3));
  }
}

TEST_CASE("regions of an optimisation are as many as published") {
  for (const measuring::DataSet& data : measuring::data_sets) {
    const Counts published = data.counts(), ours = measuring::count_regions(data);
    INFO(data.workload);
    CHECK(published.all() == data.barriers);
    CHECK(measuring::optimisations * ours.of(Region::view) == published.of(Region::view));
    CHECK(measuring::optimisations * ours.of(Region::derivative) == published.of(Region::derivative));
    CHECK(measuring::optimisations * ours.of(Region::evaluation) == published.of(Region::evaluation));
  }
}
