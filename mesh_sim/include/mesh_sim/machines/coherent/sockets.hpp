// SPDX-License-Identifier: Apache-2.0
// The network of a coherent machine: its nodes, and a link each way between two that are linked ([memory]
// link). Two nodes are linked unless a third is nearer to both: what lies between them then goes by way of
// others, over the fewest links, through the node of the lowest number. What the way costs is in the costs
// by place, so the distance of two nodes is their place.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mesh_sim/machines/coherent/config.hpp"
#include "mesh_sim/parts/routes.hpp"

namespace mesh::coherent {

class Sockets final : public Routes {
 public:
  explicit Sockets(const Config& config);
  int routers() const noexcept override { return nodes_; }
  int links() const noexcept override { return static_cast<int>(ends_.size()); }
  std::string link_name(int link) const override;
  std::vector<int> route(int from, int to) const override { return path(from, to); }
  int hops(int from, int to) const noexcept override { return places_[index(from, to)]; }
  /// The links from one node to another, in their order.
  [[nodiscard]] const std::vector<int>& path(int from, int to) const noexcept {
    return paths_[index(from, to)];
  }

 private:
  [[nodiscard]] std::size_t index(int from, int to) const noexcept {
    return static_cast<std::size_t>(from * nodes_ + to);
  }
  [[nodiscard]] bool is_linked(int from, int to) const noexcept;

  int nodes_;
  std::vector<int> places_;               ///< by pair
  std::vector<std::pair<int, int>> ends_; ///< by link
  std::vector<std::vector<int>> paths_;   ///< by pair
};

} // namespace mesh::coherent
