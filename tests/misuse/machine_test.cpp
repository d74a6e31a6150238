// What do programs hear on a machine that lacks what RCCE needs?
#include <stdexcept>
#include <string>

#include "bare_machine.hpp"
#include "catch.hpp"
#include "rcce_emu/job.hpp"

namespace {

std::string refusal(const mesh::MachineDescription& machine, rcce::EngineKind engine) {
  rcce::JobOptions options;
  options.program = std::string(PROGRAMS) + "/stdio_lines";
  options.cores = {0, 1};
  options.machine = machine;
  options.engine = engine;
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
  CHECK(refusal(machine, rcce::EngineKind::sim) ==
        "machine 'bare', of kind bare, has no message-passing buffers, which RCCE programs need; choose "
        "another --machine, such as scc");
  CHECK(refusal(machine, rcce::EngineKind::threads) ==
        "machine 'bare' with --engine threads: threads run on machines of kind scc, this one is of kind "
        "bare; use --engine sim");
}
