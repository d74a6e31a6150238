// SPDX-License-Identifier: Apache-2.0
// What do programs hear on a machine that lacks what RCCE needs?
#include <stdexcept>
#include <string>

#include "bare_machine.hpp"
#include "catch.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "rcce_emu/job.hpp"

namespace {

std::string refusal(const mesh::MachineDescription& machine, rcce::EngineKind engine) {
  rcce::JobOptions options;
  options.program = std::string(PROGRAMS) + "/stdio_lines";
  options.cores = {0, 1};
  options.machine = machine;
  options.engine.kind = engine;
  try {
    (void)rcce::run_job(options);
  } catch (const mesh::UserError& error) {
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("a machine without message-passing buffers is refused with its kind and what to do") {
  const mesh::MachineKind kind = bare::kind();
  const mesh::MachineDescription machine(kind, kind.presets.front());
  const std::string words =
      "machine 'bare', of kind bare, has no message-passing buffers, which RCCE programs need; choose "
      "--machine scc or scc-fast";
  CHECK(refusal(machine, rcce::EngineKind::sim) == words);
  CHECK(refusal(machine, rcce::EngineKind::threads) == words);
}

TEST_CASE("so is every machine of the table that has none") {
  int without = 0;
  for (const mesh::MachineKind& kind : mesh::machine_kinds())
    for (const mesh::MachinePreset& preset : kind.presets) {
      const mesh::MachineDescription machine(kind, preset);
      if (machine.offers(mesh::Capability::message_buffers)) continue;
      ++without;
      INFO(preset.name);
      for (const auto engine : {rcce::EngineKind::sim, rcce::EngineKind::threads})
        CHECK(refusal(machine, engine)
                  .starts_with("machine '" + std::string(preset.name) + "', of kind " +
                               std::string(kind.name) + ", has no message-passing"));
    }
  CHECK(without > 0);
}
