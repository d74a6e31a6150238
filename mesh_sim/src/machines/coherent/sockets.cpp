// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/sockets.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace mesh::coherent {

Sockets::Sockets(const Config& config) : nodes_(static_cast<int>(config.nodes)) {
  const auto pairs = static_cast<std::size_t>(nodes_ * nodes_);
  places_.resize(pairs);
  paths_.resize(pairs);
  for (int from = 0; from < nodes_; ++from)
    for (int to = 0; to < nodes_; ++to) places_[index(from, to)] = config.place(from, to);
  for (int from = 0; from < nodes_; ++from)
    for (int to = 0; to < nodes_; ++to)
      if (is_linked(from, to)) {
        paths_[index(from, to)] = {links()};
        ends_.emplace_back(from, to);
      }
  // Ways of two links from those of one, then of three ...: every pair is reached, as the nearest pairs are
  // linked.
  for (std::size_t length = 2; static_cast<int>(length) < nodes_; ++length)
    for (int from = 0; from < nodes_; ++from)
      for (int to = 0; to < nodes_; ++to) {
        std::vector<int>& path = paths_[index(from, to)];
        for (int next = 0; next < nodes_ && from != to && path.empty(); ++next) {
          const auto &first = paths_[index(from, next)], &rest = paths_[index(next, to)];
          if (first.size() != 1 || rest.size() + 1 != length) continue;
          path = first;
          path.insert(path.end(), rest.begin(), rest.end());
        }
      }
}

bool Sockets::is_linked(int from, int to) const noexcept {
  if (from == to) return false;
  for (int third = 0; third < nodes_; ++third) {
    const int farther = std::max(places_[index(from, third)], places_[index(third, to)]);
    if (third != from && third != to && farther < places_[index(from, to)]) return false;
  }
  return true;
}

std::string Sockets::link_name(int link) const {
  const auto [from, to] = ends_[static_cast<std::size_t>(link)];
  return fmt::format("link of node {} to {}", from, to);
}

} // namespace mesh::coherent
