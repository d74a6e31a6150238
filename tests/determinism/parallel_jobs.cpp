// SPDX-License-Identifier: Apache-2.0
// Two jobs in one process, on two threads at once, give what each gives alone: digest, simulated end and
// output. So does a job without payload.
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "mesh_sim/errors.hpp"
#include "rcce_emu/job.hpp"

namespace {

struct Run {
  rcce::JobResult result;
  std::string output;
};

rcce::JobOptions options_for(const std::string& program, int ues, std::vector<std::string> arguments) {
  rcce::JobOptions options;
  options.program = std::string(PROGRAMS) + "/" + program;
  for (int core = 0; core < ues; ++core) options.cores.push_back(core);
  options.arguments = std::move(arguments);
  options.recording.records["digest"];
  return options;
}

Run run(rcce::JobOptions options) {
  Run done;
  options.output.sink = [&done](int fd, std::string_view text) {
    if (fd == 1) done.output += text;
  };
  done.result = rcce::run_job(options);
  return done;
}

void require_same(const Run& a, const Run& b) {
  REQUIRE(a.result.status == b.result.status);
  REQUIRE(a.result.digest == b.result.digest);
  REQUIRE(a.result.end == b.result.end);
  REQUIRE(a.result.events == b.result.events);
  REQUIRE(a.output == b.output);
}

} // namespace

TEST_CASE("jobs in parallel threads of one process do not see each other") {
  const auto first = options_for("collective_times", 7, {});
  const auto second = options_for("ring_shift", 5, {"3", "1000"});
  const Run first_alone = run(first);
  const Run second_alone = run(second);
  REQUIRE(first_alone.result.status == 0);
  REQUIRE(second_alone.result.status == 0);
  REQUIRE_FALSE(first_alone.output.empty());

  for (int round = 0; round < 5; ++round) {
    std::vector<Run> runs(4);
    std::vector<std::thread> threads;
    for (int n = 0; n < 4; ++n) threads.emplace_back([&, n] { runs[n] = run(n % 2 == 0 ? first : second); });
    for (auto& thread : threads) thread.join();
    for (int n = 0; n < 4; ++n) require_same(runs[n], n % 2 == 0 ? first_alone : second_alone);
  }
}

TEST_CASE("libraries of the program's own exist once per UE of each job") {
  const auto few = options_for("own_counter", 3, {});
  auto many = options_for("own_counter", 40, {});
  many.process.loading = rcce::Loading::clone;
  const Run few_alone = run(few);
  const Run many_alone = run(many);
  REQUIRE(few_alone.result.status == 0);
  REQUIRE(few_alone.output.find("rank 2: 1 3, counter 5, steps 9\n") != std::string::npos);
  REQUIRE(many_alone.output.find("rank 39: 1 3, counter 5, steps 9\n") != std::string::npos);

  for (int round = 0; round < 3; ++round) {
    std::vector<Run> runs(4);
    std::vector<std::thread> threads;
    for (int n = 0; n < 4; ++n) threads.emplace_back([&, n] { runs[n] = run(n % 2 == 0 ? few : many); });
    for (auto& thread : threads) thread.join();
    for (int n = 0; n < 4; ++n) require_same(runs[n], n % 2 == 0 ? few_alone : many_alone);
  }
}

TEST_CASE("jobs one after another in one process start from the same state") {
  const auto options = options_for("ring_shift", 3, {"2", "100"});
  const Run once = run(options);
  for (int round = 0; round < 3; ++round) require_same(run(options), once);
}

TEST_CASE("a recording that there is not is refused, before the job runs") {
  auto options = options_for("ring_shift", 3, {"2", "100"});
  options.recording.records["statistcs"];
  REQUIRE_THROWS_AS(run(options), mesh::UserError);
}

TEST_CASE("a job that leaves payload where it is has the same accesses at the same times") {
  auto options = options_for("collective_times", 48, {});
  const Run moved = run(options);
  options.engine.moves_payload = false;
  require_same(run(options), moved);

  options.recording.records.clear();
  options.engine.kind = rcce::EngineKind::threads;
  REQUIRE_THROWS_AS(run(options), mesh::UserError);
}
