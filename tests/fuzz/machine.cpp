// SPDX-License-Identifier: Apache-2.0
// Machine files. What is accepted is within its ranges, and --print-machine writes it so that it is read to
// the same.
#include "fuzz.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/scc/config.hpp"
#include "mesh_sim/parameters.hpp"
#include "rcce_emu/costs.hpp"

namespace {

struct Machine {
  mesh::MachineConfig config;
  rcce::SoftwareCosts costs;
  mesh::ParameterTable table = config.parameters();

  Machine() {
    for (const mesh::Parameter& parameter : costs.parameters()) table.push_back(parameter);
  }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  try {
    Machine machine;
    mesh::ParameterFile(fuzz::text(data, bytes), "machine").apply(machine.table);
    machine.config.complete();
    FUZZ_CHECK(machine.config.cores() > 0);
    const std::string written = mesh::write_parameters(machine.table);
    Machine again;
    mesh::ParameterFile(written, "machine").apply(again.table);
    again.config.complete();
    FUZZ_CHECK(mesh::write_parameters(again.table) == written);
  } catch (const mesh::UserError& error) {
    fuzz::check_message(error.what());
  }
  return 0;
}
