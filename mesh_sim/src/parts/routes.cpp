// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/parts/routes.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace mesh {

namespace {

int steps_of_mesh(int from, int to, int) noexcept {
  return to - from;
}

/// The shorter way round. Of two equally long ones even coordinates take that upwards, odd ones that
/// downwards, so that both directions carry the same.
int steps_of_torus(int from, int to, int length) noexcept {
  const int up = (to - from + length) % length;
  if (2 * up == length) return from % 2 == 0 ? up : -up;
  return 2 * up < length ? up : up - length;
}

constexpr std::array rules = {
    GridRule{"mesh", steps_of_mesh},
    GridRule{"torus", steps_of_torus},
};

std::vector<std::int16_t> steps_of(std::string_view name, int length) {
  const auto rule =
      std::find_if(rules.begin(), rules.end(), [name](const GridRule& one) { return one.name == name; });
  if (rule == rules.end()) throw std::invalid_argument(fmt::format("topology '{}'", name));
  std::vector<std::int16_t> steps;
  for (int from = 0; from < length; ++from)
    for (int to = 0; to < length; ++to)
      steps.push_back(static_cast<std::int16_t>(rule->steps(from, to, length)));
  return steps;
}

template <class Walked>
std::vector<int> links_of(const Walked& network, int from, int to) {
  std::vector<int> links;
  network.walk(from, to, [&](int link) { links.push_back(link); });
  return links;
}

} // namespace

std::span<const GridRule> grid_rules() noexcept {
  return rules;
}

Grid::Grid(int columns, int rows, std::string_view rule, bool columns_first)
    : columns_(columns),
      rows_(rows),
      columns_first_(columns_first),
      steps_x_(steps_of(rule, columns)),
      steps_y_(steps_of(rule, rows)) {
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) places_.push_back({x, y});
}

std::string Grid::link_name(int link) const {
  static constexpr std::array<const char*, ports_per_router> ports = {"east", "west", "north", "south"};
  const Coordinates from = place(link / ports_per_router);
  return fmt::format("link({},{})->{}", from.x, from.y,
                     ports[static_cast<std::size_t>(link % ports_per_router)]);
}

std::vector<int> Grid::route(int from, int to) const {
  return links_of(*this, from, to);
}

Graph::Graph(std::vector<Coordinates> places, const std::vector<Coordinates>& pairs)
    : places_(std::move(places)) {
  const auto router = [&](int number) {
    if (number < 0 || number >= routers())
      throw std::invalid_argument(
          fmt::format("there is no router {}; routers are 0..{}", number, routers() - 1));
    return number;
  };
  std::vector<std::vector<int>> leaving(places_.size()); // links, by the router that they leave
  for (const Coordinates& pair : pairs) {
    const int a = router(pair.x), b = router(pair.y);
    if (a == b) throw std::invalid_argument(fmt::format("a link from router {} to itself", a));
    if (std::ranges::find(ends_, std::pair{a, b}) != ends_.end())
      throw std::invalid_argument(fmt::format(
          "the link between routers {} and {} is named twice; links go in both directions", a, b));
    for (const auto& ends : {std::pair{a, b}, std::pair{b, a}}) {
      leaving[static_cast<std::size_t>(ends.first)].push_back(links());
      ends_.push_back(ends);
    }
  }
  constexpr std::int32_t none = -1;
  next_.assign(places_.size() * places_.size(), none);
  for (int target = 0; target < routers(); ++target) {
    std::int32_t* const next = next_.data() + static_cast<std::size_t>(target) * places_.size();
    // All links have their opposite at the number that differs in the last bit.
    std::vector<int> reached{target};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      std::vector<int> nearer = leaving[static_cast<std::size_t>(reached[i])];
      std::ranges::sort(nearer, {}, [&](int link) { return ends_[static_cast<std::size_t>(link)].second; });
      for (const int link : nearer) {
        const int other = ends_[static_cast<std::size_t>(link)].second;
        if (other == target || next[other] != none) continue;
        next[other] = link ^ 1;
        reached.push_back(other);
      }
    }
    for (int other = 0; other < routers(); ++other)
      if (other != target && next[other] == none)
        throw std::invalid_argument(fmt::format("no links lead from router {} to router {}", other, target));
  }
}

std::string Graph::link_name(int link) const {
  const auto& [from, to] = ends_[static_cast<std::size_t>(link)];
  return fmt::format("link({},{})->{}", place(from).x, place(from).y, to);
}

std::vector<int> Graph::route(int from, int to) const {
  return links_of(*this, from, to);
}

} // namespace mesh
