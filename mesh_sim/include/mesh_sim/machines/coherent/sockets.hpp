// SPDX-License-Identifier: Apache-2.0
// The network of a coherent machine: its nodes, each with one link over which it sends to all others
// ([memory] link). What lies between is in the costs by place, so their distance is the place.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "mesh_sim/machines/coherent/config.hpp"
#include "mesh_sim/parts/routes.hpp"

namespace mesh::coherent {

class Sockets final : public Routes {
 public:
  explicit Sockets(Config config) : config_(std::move(config)) {}
  int routers() const noexcept override { return static_cast<int>(config_.nodes); }
  int links() const noexcept override { return routers(); }
  std::string link_name(int link) const override { return fmt::format("link of node {}", link); }
  std::vector<int> route(int from, int to) const override {
    return from == to ? std::vector<int>{} : std::vector{from};
  }
  int hops(int from, int to) const noexcept override { return config_.place(from, to); }

 private:
  Config config_;
};

} // namespace mesh::coherent
