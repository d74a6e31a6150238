// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/kind.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "machines/configured_by.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/machines/coherent/machine.hpp"
#include "mesh_sim/machines/coherent/sockets.hpp"
#include "mesh_sim/machines/machine.hpp"
#include "mesh_sim/observe/observers.hpp"
#include "mesh_sim/observe/statistics.hpp"
#include "mesh_sim/parts/topology.hpp"

namespace mesh {

namespace {

constexpr StatisticKind simulated_time{"run.simulated_time", "us", "the latest clock of any thread"},
    run_transfers{"run.transfers", "1", "requests that a core's own cache could not answer"},
    switches{"run.switches", "1", "changes from one thread to another by the host"};

/// A coherent machine as every other is seen. It has one capability, its memory; it tells observers of
/// nothing and knows no legal timing but its own, so whoever wants either is not heard.
class CoherentMachine final : public Machine {
 public:
  CoherentMachine(const coherent::Config& config, std::size_t shared_bytes)
      : machine_(config, config.threads()),
        topology_(static_cast<int>(config.nodes), 1, config.threads() / static_cast<int>(config.nodes)),
        shared_(shared_bytes) {}

  Kernel& kernel() noexcept override { return machine_.kernel(); }
  const Topology& topology() const noexcept override { return topology_; }
  void set_intervention(Intervention*) override {}
  void set_observers(const Observers*) override {}
  std::string name_of(ResourceId) const override { return {}; }

  void compute(Cycles cycles) noexcept override {
    kernel().advance(machine_.costs().cycles(static_cast<double>(cycles)));
  }
  void spin(unsigned rounds) override {
    kernel().advance(static_cast<Picoseconds>(rounds) * machine_.costs().pause);
    kernel().synchronise();
  }
  bool under_way() override { return false; }

  void map_private(int, const void*, std::size_t) override {}
  void touch(const void*, std::size_t, bool) override {}
  std::byte* shared_memory() noexcept override { return shared_.data(); }
  std::size_t shared_memory_bytes() const noexcept override { return shared_.size(); }

  WaitCondition wait_condition(int) const override { return {}; }
  std::uint64_t accesses() const noexcept override { return machine_.line_events(); }
  void statistics(Statistics& to) const override {
    Picoseconds end = 0;
    for (int thread = 0; thread < machine_.threads(); ++thread) end = std::max(end, machine_.clock(thread));
    add(to, simulated_time, {}, microseconds(end));
    add(to, run_transfers, {}, static_cast<double>(machine_.line_events()));
    add(to, switches, {}, static_cast<double>(machine_.switches()));
  }
  coherent::Machine* coherent_memory() noexcept override { return &machine_; }

 private:
  coherent::Machine machine_;
  Topology topology_;
  std::vector<std::byte> shared_;
};

class CoherentParameters final : public ConfiguredBy<coherent::Config> {
 public:
  std::unique_ptr<MachineParameters> clone() const override {
    return std::make_unique<CoherentParameters>(*this);
  }
  /// Stacks are the machine's own.
  std::unique_ptr<Machine> make(const std::string& name, std::size_t /*stack_bytes*/,
                                std::size_t shared_bytes) const override {
    return std::make_unique<CoherentMachine>(complete(name), shared_bytes);
  }

  MeshShape mesh() const noexcept override {
    return {static_cast<int>(config_.nodes), 1,
            static_cast<int>(config_.cores_per_node * config_.threads_per_core)};
  }
  std::shared_ptr<const Routes> routes() const override {
    return std::make_shared<const coherent::Sockets>(config_);
  }
  double core_mhz() const noexcept override { return config_.clock_mhz; }
  std::string setting() const override {
    const auto several = [](std::int64_t count, const char* what) {
      return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    std::string text =
        fmt::format("{} of {}", several(config_.nodes, "node"), several(config_.cores_per_node, "core"));
    if (config_.threads_per_core > 1) text += fmt::format(" with {} threads each", config_.threads_per_core);
    return text + fmt::format("; {:.0f} MHz, coherent caches", std::floor(config_.clock_mhz));
  }
};

} // namespace

MachineKind coherent_kind() {
  return {"coherent",
          "cores that share memory through coherent caches",
          []() -> std::unique_ptr<MachineParameters> { return std::make_unique<CoherentParameters>(); },
          {Capability::coherent_memory},
          built_in_presets("coherent")};
}

std::unique_ptr<coherent::Config> coherent_config(const MachineDescription& machine) {
  return config_of<coherent::Config>(machine);
}

namespace coherent {

Config load_machine(std::string_view name_or_file) {
  return load_config<Config>(name_or_file, Capability::coherent_memory);
}

} // namespace coherent

} // namespace mesh
