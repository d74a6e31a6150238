// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/cluster/kind.hpp"

#include <utility>

#include <fmt/format.h>

#include "machines/configured_by.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/machines/cluster/fat_tree.hpp"

namespace mesh {

namespace {

class ClusterParameters final : public ConfiguredBy<cluster::Config> {
 public:
  std::unique_ptr<MachineParameters> clone() const override {
    return std::make_unique<ClusterParameters>(*this);
  }
  std::unique_ptr<Machine> make(const std::string& name, std::size_t /*stack_bytes*/,
                                std::size_t /*shared_bytes*/) const override {
    throw UserError(fmt::format("machine '{}' is a cluster, nodes with network cards, and not one machine "
                                "with cores",
                                name));
  }

  /// A tile is a node, its cores are the processors.
  MeshShape mesh() const noexcept override {
    return {static_cast<int>(config_.nodes), 1, static_cast<int>(config_.processors)};
  }
  std::shared_ptr<const Routes> routes() const override {
    return std::make_shared<const cluster::FatTree>(config_, static_cast<int>(config_.nodes));
  }
  double core_mhz() const noexcept override { return 0; }
  std::string setting() const override {
    std::string switches;
    for (const auto& [name, list] :
         {std::pair{"down", &config_.down}, {"up", &config_.up}, {"parallel", &config_.parallel}})
      if (!list->empty()) switches += fmt::format("{} {}, ", name, fmt::join(*list, " "));
    switches = switches.empty() ? fmt::format("switches of {} links", config_.radix)
                                : "levels " + switches.substr(0, switches.size() - 2);
    if (config_.backbone_mbs > 0) switches += fmt::format(", backbone of {} MB/s", config_.backbone_mbs);
    return fmt::format("{} nodes of {} processors; fat tree of {} MB/s, {}", config_.nodes,
                       config_.processors, fmt::join(config_.bandwidth_mbs, " "), switches);
  }
};

} // namespace

MachineKind cluster_kind() {
  return {"cluster",
          "nodes with programmable network cards on a fat tree",
          []() -> std::unique_ptr<MachineParameters> { return std::make_unique<ClusterParameters>(); },
          {Capability::cards},
          built_in_presets("cluster"),
          "alc-fitted"};
}

std::unique_ptr<cluster::Config> cluster_config(const MachineDescription& machine) {
  return config_of<cluster::Config>(machine);
}

namespace cluster {

Config load_machine(std::string_view name_or_file) {
  return load_config<Config>(name_or_file, Capability::cards);
}

} // namespace cluster

} // namespace mesh
