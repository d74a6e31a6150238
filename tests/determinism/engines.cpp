// SPDX-License-Identifier: Apache-2.0
// The threads engine with simulated clocks against the simulation engine without contention: every UE of a
// program without races ends at the same picosecond, and the lines come in the same order.
//
// Not here: programs that poll (RCCE_recv_test, plain memory), that compete for a register (locks, flags of
// one bit) or that change one another's clock while running: what those report depends on who comes first.
#include <string>
#include <vector>

#include "catch.hpp"
#include "rcce_emu/job.hpp"

namespace {

struct Run {
  rcce::JobResult result;
  std::string output;
};

Run run(const std::string& program, int ues, const std::vector<std::string>& arguments,
        rcce::EngineKind engine) {
  rcce::JobOptions options;
  options.program = std::string(PROGRAMS) + "/" + program;
  for (int core = 0; core < ues; ++core) options.cores.push_back(core);
  options.arguments = arguments;
  options.machine.set("mesh.contention", false);
  options.engine.kind = engine;
  options.engine.time = rcce::TimeSource::simulated;
  Run done;
  options.output.sink = [&done](int fd, std::string_view text) {
    if (fd == 1) done.output += text;
  };
  done.result = rcce::run_job(options);
  return done;
}

struct Program {
  const char* name;
  std::vector<int> ues;
  std::vector<std::string> arguments = {};
};

void compare(const Program& program) {
  for (const int ues : program.ues) {
    INFO(program.name << " on " << ues << " UEs");
    const Run expected = run(program.name, ues, program.arguments, rcce::EngineKind::sim);
    const Run found = run(program.name, ues, program.arguments, rcce::EngineKind::threads);
    REQUIRE(found.result.status == expected.result.status);
    REQUIRE(found.result.outcome == expected.result.outcome);
    CHECK(found.output == expected.output);
    for (int rank = 0; rank < ues; ++rank) {
      const auto index = static_cast<std::size_t>(rank);
      INFO("rank " << rank);
      CHECK(found.result.ues[index].end == expected.result.ues[index].end);
    }
  }
}

} // namespace

TEST_CASE("messages and collectives take the same picoseconds on both engines") {
  compare(GENERATE(values<Program>({
      {"api_send_recv_plain", {2, 5, 48}},
      {"api_send_recv_old", {48}},
      {"api_send_recv_power", {47}},
      {"api_bcast_plain", {3, 48}},
      {"api_bcast_old", {47}},
      {"api_reduce_plain", {48}},
      {"api_reduce_old", {5}},
  })));
}

TEST_CASE("communicators and one-sided calls take the same picoseconds") {
  compare(GENERATE(values<Program>({
      {"api_communicators_plain", {5, 48}},
      {"api_communicators_gory", {47}},
      {"api_communicators_old", {48}},
      {"api_gory_put_get_gory", {48}},
      {"api_gory_put_get_old_gory", {48}},
      {"api_gory_flags_gory", {48}},
      {"api_shared_memory_plain", {48}},
      {"api_time_plain", {48}},
  })));
}

TEST_CASE("programs that print times print the same times, in the same order") {
  compare(GENERATE(values<Program>({
      {"collective_times", {7, 48}},
      {"pingpong_times", {2, 48}},
      {"ring_shift", {5, 48}, {"2", "1500"}},
      {"gory_shift", {47}, {"7"}},
      {"gory_stencil", {5, 48}},
      {"grid", {12}, {"4"}},
      {"time_order", {7}},
      {"stdio_lines", {3}},
      {"early_exit", {5}, {"2", "3"}},
  })));
}
