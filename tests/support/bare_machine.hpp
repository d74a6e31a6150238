// SPDX-License-Identifier: Apache-2.0
// The least kind of machine there can be: cores on a kernel, without buffers, registers or power.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "mesh_sim/kernel/kernel.hpp"
#include "mesh_sim/machines/machine.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/parameters.hpp"
#include "mesh_sim/parts/topology.hpp"

namespace bare {

class BareMachine final : public mesh::Machine {
 public:
  BareMachine(int cores, std::size_t stack_bytes) : kernel_(cores, stack_bytes), topology_(1, 1, cores) {}
  mesh::Kernel& kernel() noexcept override { return kernel_; }
  const mesh::Topology& topology() const noexcept override { return topology_; }
  void set_intervention(mesh::Intervention*) override {}
  void set_observers(const mesh::Observers*) override {}
  std::string name_of(mesh::ResourceId) const override { return {}; }
  void compute(mesh::Cycles cycles) noexcept override { kernel_.advance(cycles * 1000); }
  void spin(unsigned) override {}
  bool under_way() override { return false; }
  void map_private(int, const void*, std::size_t) override {}
  void touch(const void*, std::size_t, bool) override {}
  std::byte* shared_memory() noexcept override { return nullptr; }
  std::size_t shared_memory_bytes() const noexcept override { return 0; }
  WaitCondition wait_condition(int) const override { return {}; }
  std::uint64_t accesses() const noexcept override { return 0; }
  void statistics(mesh::Statistics&) const override {}

 private:
  mesh::Kernel kernel_;
  mesh::Topology topology_;
};

class BareParameters final : public mesh::MachineParameters {
 public:
  std::unique_ptr<mesh::MachineParameters> clone() const override {
    return std::make_unique<BareParameters>(*this);
  }
  mesh::ParameterTable table() override { return {{"cores", "count", &cores_, "cores", "how many", 1, 8}}; }
  void validate(const std::string&) const override {}
  std::unique_ptr<mesh::Machine> make(const std::string&, std::size_t stack_bytes,
                                      std::size_t) const override {
    return std::make_unique<BareMachine>(static_cast<int>(cores_), stack_bytes);
  }
  mesh::MeshShape mesh() const noexcept override { return {1, 1, static_cast<int>(cores_)}; }
  double core_mhz() const noexcept override { return 1000; }
  std::string setting() const override { return "cores and nothing else"; }

 private:
  std::int64_t cores_ = 2;
};

inline constexpr mesh::MachinePreset presets[] = {{"bare", "# two cores\n"},
                                                  {"bare-4", "# four cores\n[cores]\ncount = 4\n"}};
/// Presets bare, of two cores, and bare-4.
inline mesh::MachineKind kind() {
  return {"bare",
          "cores without buffers or registers",
          []() -> std::unique_ptr<mesh::MachineParameters> { return std::make_unique<BareParameters>(); },
          {},
          presets};
}

} // namespace bare
