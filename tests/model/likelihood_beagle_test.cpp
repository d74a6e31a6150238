// SPDX-License-Identifier: Apache-2.0
// Is the likelihood workload that of BEAGLE, the library that programs of the field share? Likelihoods and
// both derivatives at every branch of generated trees. Built where Debian's libhmsbeagle-dev is (LGPL-3 or
// later; for this test alone).
#include <cmath>

#include <libhmsbeagle/beagle.h>

#include "catch.hpp"
#include "likelihood/kernel.hpp"

using namespace rccebench::likelihood;
using Catch::Matchers::WithinRel;

namespace {

struct Branch {
  double log_likelihood = 0, first = 0, second = 0;
};

/// The same tree, model and alignment in BEAGLE. A view of a tree is what a node knows of all that is not
/// behind one of its neighbours; each has a buffer of its own, behind those of the tips.
class Beagle {
 public:
  Beagle(const Model& model, const Tree& tree, const Alignment& alignment) : tree_(tree) {
    const int views = tree.tips + 3 * tree.nodes();
    BeagleInstanceDetails details;
    instance_ = beagleCreateInstance(tree.tips, views, 0, states, alignment.sites, 1, tree.nodes() + 2, rates,
                                     0, nullptr, 0, 0, BEAGLE_FLAG_PRECISION_DOUBLE, &details);
    REQUIRE(instance_ >= 0);
    std::vector<double> right, left;
    for (std::size_t i = 0; i < states; ++i)
      for (std::size_t j = 0; j < states; ++j) {
        right.push_back(model.right()[i][j]);
        left.push_back(model.left()[i][j]);
      }
    const std::vector<double> alike(rates, 1.0 / rates), once(static_cast<std::size_t>(alignment.sites), 1.0);
    done(beagleSetEigenDecomposition(instance_, 0, right.data(), left.data(), model.values().data()));
    done(beagleSetStateFrequencies(instance_, 0, model.frequencies().data()));
    done(beagleSetCategoryRates(instance_, model.rate().data()));
    done(beagleSetCategoryWeights(instance_, 0, alike.data()));
    done(beagleSetPatternWeights(instance_, once.data()));
    for (int tip = 0; tip < tree.tips; ++tip) {
      std::vector<double> known;
      for (const std::uint8_t code : alignment.codes[static_cast<std::size_t>(tip)])
        for (int state = 0; state < states; ++state) known.push_back(code >> state & 1);
      done(beagleSetTipPartials(instance_, tip, known.data()));
    }
    // Of every branch, by the node below it.
    for (int node = 1; node < tree.nodes(); ++node) matrix(node, nullptr, nullptr);
  }
  ~Beagle() { beagleFinalizeInstance(instance_); }
  Beagle(const Beagle&) = delete;
  Beagle& operator=(const Beagle&) = delete;

  /// The branch from the node to its parent.
  Branch at(int node) {
    next_view_ = tree_.tips;
    const int parent = tree_.parent[static_cast<std::size_t>(node)];
    int below = view(node, parent), above = view(parent, node);
    if (above < tree_.tips)
      std::swap(above, below); // which BEAGLE wants at an inner node; time is reversible
    const int first = tree_.nodes(), second = first + 1, zero = 0, none = BEAGLE_OP_NONE;
    matrix(node, &first, &second);
    Branch branch;
    done(beagleCalculateEdgeLogLikelihoods(instance_, &above, &below, &node, &first, &second, &zero, &zero,
                                           &none, 1, &branch.log_likelihood, &branch.first, &branch.second));
    return branch;
  }

 private:
  static void done(int status) { REQUIRE(status == BEAGLE_SUCCESS); }
  void matrix(int node, const int* first, const int* second) {
    done(beagleUpdateTransitionMatrices(instance_, 0, &node, first, second,
                                        &tree_.length[static_cast<std::size_t>(node)], 1));
  }
  /// The buffer of the node's view.
  int view(int node, int without) {
    if (tree_.is_tip(node)) return node;
    std::vector<std::pair<int, int>> others; // views, and the branches to them
    const int parent = tree_.parent[static_cast<std::size_t>(node)];
    for (const int child : tree_.children[static_cast<std::size_t>(node)])
      if (child != without) others.emplace_back(view(child, node), child);
    if (parent != without) others.emplace_back(view(parent, node), node);
    REQUIRE(others.size() == 2);
    const BeagleOperation operation{next_view_++,     BEAGLE_OP_NONE,  BEAGLE_OP_NONE,  others[0].first,
                                    others[0].second, others[1].first, others[1].second};
    done(beagleUpdatePartials(instance_, &operation, 1, BEAGLE_OP_NONE));
    return operation.destinationPartials;
  }

  Tree tree_;
  int instance_ = -1, next_view_ = 0;
};

/// All views that the branch's ends need.
void prepare(Kernel& kernel, int node) {
  kernel.newview_all(0, 1);
  std::vector<int> path;
  for (int at = node; kernel.tree().parent[static_cast<std::size_t>(at)] > 0;
       at = kernel.tree().parent[static_cast<std::size_t>(at)])
    path.push_back(at);
  for (auto below = path.rbegin(); below != path.rend(); ++below)
    kernel.newview({kernel.tree().parent[static_cast<std::size_t>(*below)], *below}, 0, 1);
}

} // namespace

TEST_CASE("likelihoods and derivatives at every branch are BEAGLE's") {
  const ModelParameters general{{1.2, 3.1, 0.9, 1.1, 4.0, 1}, {0.3, 0.2, 0.22, 0.28}, 0.8};
  for (const int tips : {3, 4, 12, 40}) {
    const Model model(general);
    const Tree tree = random_tree(tips, 7);
    Alignment alignment = evolve(tree, model, 60, 7);
    alignment.codes[1][0] = 15; // nothing is known there
    alignment.codes[2][1] = 5;  // A or G
    Kernel kernel(model, tree, alignment);
    Beagle beagle(model, tree, alignment);
    for (int node = 1; node < tree.nodes(); ++node) {
      INFO(tips << " tips, branch of node " << node);
      const Branch expected = beagle.at(node);
      prepare(kernel, node);
      CHECK_THAT(kernel.evaluate(node, 0, 1), WithinRel(expected.log_likelihood, 1e-12));
      kernel.prepare_derivatives(node, 0, 1);
      const auto [first, second] = kernel.derivatives(kernel.length(node), 0, 1);
      CHECK(std::abs(first - expected.first) <= 1e-9 * (std::abs(expected.first) + 60));
      CHECK(std::abs(second - expected.second) <= 1e-9 * (std::abs(expected.second) + 60));
    }
  }
}
