// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/parts/routes.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
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

Graph::Graph(std::vector<Coordinates> places, const std::vector<JoinedRouters>& joined)
    : places_(std::move(places)) {
  std::vector<std::vector<int>> arriving(places_.size()); // links, by the router that they lead to
  const auto add = [&](JoinedRouters link) {
    for (const int router : {link.one, link.other})
      if (router < 0 || router >= routers())
        throw std::invalid_argument(
            fmt::format("there is no router {}; routers are 0..{}", router, routers() - 1));
    if (link.one == link.other)
      throw std::invalid_argument(fmt::format("a link from router {} to itself", link.one));
    for (const int other : arriving[static_cast<std::size_t>(link.other)])
      if (this->link(other).one == link.one)
        throw std::invalid_argument(fmt::format(
            "the link from router {} to router {} is named twice; {},{} goes in both directions", link.one,
            link.other, std::min(link.one, link.other), std::max(link.one, link.other)));
    arriving[static_cast<std::size_t>(link.other)].push_back(links());
    links_.push_back(link);
  };
  for (JoinedRouters link : joined) {
    const bool one_way = std::exchange(link.one_way, true);
    add(link);
    if (one_way) continue;
    std::swap(link.one, link.other);
    add(link);
  }
  for (std::vector<int>& links : arriving)
    std::ranges::sort(links, {}, [&](int number) { return link(number).one; });
  constexpr std::int32_t none = -1;
  next_.assign(places_.size() * places_.size(), none);
  for (int target = 0; target < routers(); ++target)
    find_ways(target, arriving, next_.data() + static_cast<std::size_t>(target) * places_.size());
}

/// Fills in the link that each router takes to the target: Dijkstra's algorithm, from the target backwards.
void Graph::find_ways(int target, const std::vector<std::vector<int>>& arriving, std::int32_t* next) const {
  /// Found later: behind those that are as far.
  struct Candidate {
    Cycles cycles;
    int links;
    std::size_t found;
    int router, link;
    auto operator<=>(const Candidate&) const = default;
  };
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
  std::vector<bool> reached(places_.size());
  std::size_t found = 0;
  for (candidates.push({0, 0, found, target, -1}); !candidates.empty();) {
    const Candidate one = candidates.top();
    candidates.pop();
    if (reached[static_cast<std::size_t>(one.router)]) continue;
    reached[static_cast<std::size_t>(one.router)] = true;
    next[one.router] = one.link;
    for (const int number : arriving[static_cast<std::size_t>(one.router)])
      candidates.push({one.cycles + link(number).cycles, one.links + 1, ++found, link(number).one, number});
  }
  for (int router = 0; router < routers(); ++router)
    if (!reached[static_cast<std::size_t>(router)])
      throw std::invalid_argument(fmt::format("no links lead from router {} to router {}", router, target));
}

std::string Graph::link_name(int link) const {
  const JoinedRouters& ends = this->link(link);
  return fmt::format("link({},{})->{}", place(ends.one).x, place(ends.one).y, ends.other);
}

std::vector<int> Graph::route(int from, int to) const {
  return links_of(*this, from, to);
}

} // namespace mesh
