// SPDX-License-Identifier: Apache-2.0
#include "likelihood/tree.hpp"

#include <stdexcept>

#include "lab.hpp"
#include "lab/random.hpp"

namespace rccebench::likelihood {

namespace {

double random_length(Random& random) {
  return -mean_length * natural_logarithm(1 - random.uniform());
}

int draw(const Vector& weights, Random& random) {
  double rest = random.uniform();
  for (int i = 0; i + 1 < states; ++i) {
    rest -= weights[static_cast<std::size_t>(i)];
    if (rest < 0) return i;
  }
  return states - 1;
}

} // namespace

Tree random_tree(int tips, std::uint64_t seed) {
  if (tips < 3) throw std::invalid_argument("a tree has three organisms at least");
  Random random(seed, 0, 0);
  const auto nodes = static_cast<std::size_t>(2 * tips - 2);
  Tree tree{tips, std::vector<int>(nodes, -1), std::vector<std::array<int, 2>>(nodes, {-1, -1}),
            std::vector<double>(nodes)};
  const auto at = [](int node) { return static_cast<std::size_t>(node); };
  const auto hang = [&](int node, int parent, std::size_t place) {
    tree.parent[at(node)] = parent;
    tree.children[at(parent)][place] = node;
  };
  // Tip 0 with the first inner node, of which tips 1 and 2 hang.
  hang(tips, 0, 0);
  hang(1, tips, 0);
  hang(2, tips, 1);
  for (int tip = 3; tip < tips; ++tip) {
    // A branch is named by its lower end: any node so far but tip 0.
    const int branches = 2 * tip - 3;
    const int drawn = static_cast<int>(random.uniform() * branches);
    const int lower = drawn < tip - 1 ? drawn + 1 : tips + drawn - (tip - 1);
    const int joint = tips + tip - 2, upper = tree.parent[at(lower)];
    const std::size_t place = tree.children[at(upper)][0] == lower ? 0 : 1;
    hang(joint, upper, place);
    hang(lower, joint, 0);
    hang(tip, joint, 1);
  }
  for (std::size_t node = 1; node < nodes; ++node) tree.length[node] = random_length(random);
  return tree;
}

Alignment evolve(const Tree& tree, const Model& model, int sites, std::uint64_t seed) {
  Random random(seed, 1, 0);
  Alignment alignment{
      sites,
      std::vector<std::vector<std::uint8_t>>(static_cast<std::size_t>(tree.tips),
                                             std::vector<std::uint8_t>(static_cast<std::size_t>(sites)))};
  std::vector<Transition> transitions;
  for (const double length : tree.length) transitions.push_back(model.transition(length));
  std::vector<int> state(tree.parent.size());
  // Parents before children.
  std::vector<int> order{0};
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const int child : tree.children[static_cast<std::size_t>(order[i])])
      if (child >= 0) order.push_back(child);
  for (std::size_t site = 0; site < static_cast<std::size_t>(sites); ++site) {
    const auto rate = static_cast<std::size_t>(random.uniform() * rates);
    for (const int node : order) {
      const auto n = static_cast<std::size_t>(node);
      state[n] = node == 0
          ? draw(model.frequencies(), random)
          : draw(transitions[n][rate]
                            [static_cast<std::size_t>(state[static_cast<std::size_t>(tree.parent[n])])],
                 random);
      if (tree.is_tip(node)) alignment.codes[n][site] = static_cast<std::uint8_t>(1 << state[n]);
    }
  }
  return alignment;
}

} // namespace rccebench::likelihood
