// SPDX-License-Identifier: Apache-2.0
// The host as a machine beside the simulated ones. Apart from host.cpp, which is long to compile.
#include <memory>
#include <string>

#include <fmt/format.h>

#include "lab/host.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/parameters.hpp"

namespace lab {
namespace {

/// Its kind. There is nothing to set, and nothing to build.
class HostParameters final : public mesh::MachineParameters {
 public:
  std::unique_ptr<MachineParameters> clone() const override { return std::make_unique<HostParameters>(); }
  mesh::ParameterTable table() override { return {}; }
  void validate(const std::string&) const override {}
  std::unique_ptr<mesh::Machine> make(const std::string&, std::size_t, std::size_t) const override {
    throw mesh::UserError("this host is not simulated");
  }
  mesh::MeshShape mesh() const noexcept override { return {1, 1, host_processors()}; }
  double core_mhz() const noexcept override { return 0; }
  std::string setting() const override {
    return fmt::format("{} processors, wall-clock time", host_processors());
  }
};

} // namespace

Machine host_machine() {
  static const mesh::MachineKind kind{
      host_name,
      "the machine that this runs on, in wall-clock time",
      []() -> std::unique_ptr<mesh::MachineParameters> { return std::make_unique<HostParameters>(); },
      {},
      {}};
  return {.config = mesh::MachineDescription(kind), .costs = {}};
}

} // namespace lab
