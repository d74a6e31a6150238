// SPDX-License-Identifier: Apache-2.0
// Does an observer of a job hear what only the library knows, in one stream with what the machine tells, and
// does nothing change by it?
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "catch.hpp"
#include "mesh_sim/observe/call_traits.hpp"
#include "mesh_sim/observe/observers.hpp"
#include "rcce_emu/job.hpp"

namespace {

/// Keeps what can be kept of facts, and the calls that end.
class Keeper final : public mesh::Observer {
 public:
  [[nodiscard]] mesh::EventMask wants() const override {
    return mesh::EventMask::facts | mesh::EventMask::calls;
  }
  void call_ends(const mesh::Call& call) override { ended.push_back(call); }
  void fact(const mesh::Fact& fact) override {
    if (const auto* const memory = std::get_if<mesh::MemoryFact>(&fact.what)) memories.push_back(*memory);
    if (const auto* const call = std::get_if<mesh::CollectiveFact>(&fact.what)) {
      calls.emplace_back(call->call);
      members = std::max(members, call->members);
    }
    const auto* const flag = std::get_if<mesh::FlagFact>(&fact.what);
    if (flag != nullptr) flags.push_back(*flag);
  }
  [[nodiscard]] auto count(mesh::FlagFact::Kind kind) const {
    return std::ranges::count(flags, kind, &mesh::FlagFact::kind);
  }

  std::vector<mesh::MemoryFact> memories;
  std::vector<mesh::FlagFact> flags;
  std::vector<std::string> calls;
  std::vector<mesh::Call> ended;
  std::vector<int> names; ///< numbers of RCCE_bcast and RCCE_barrier
  std::size_t members = 0;
};

/// Adds up what own code takes, by core.
class Computing final : public mesh::Observer {
 public:
  [[nodiscard]] mesh::EventMask wants() const override { return mesh::EventMask::code; }
  void ran(int core, mesh::Picoseconds time) override { computed[core] += time; }

  std::map<int, mesh::Picoseconds> computed;
};

rcce::JobOptions options_of(const char* program, int ues, std::vector<std::string> arguments) {
  rcce::JobOptions options;
  options.program = std::string(PROGRAMS) + "/" + program;
  for (int core = 0; core < ues; ++core) options.cores.push_back(core);
  options.arguments = std::move(arguments);
  options.recording.records["digest"];
  options.output.sink = [](int, std::string_view) {};
  return options;
}

/// `collectives`: algorithms in place of the library's.
rcce::JobResult run(const char* program, int ues, std::vector<std::string> arguments, Keeper* keeper,
                    std::string collectives = "") {
  rcce::JobOptions options = options_of(program, ues, std::move(arguments));
  options.library.collectives = std::move(collectives);
  if (keeper != nullptr)
    options.recording.watch = [keeper](mesh::Observers& told_by) {
      keeper->names = {told_by.call_kind("RCCE_bcast"), told_by.call_kind("RCCE_barrier")};
      return std::vector<mesh::Observer*>{keeper};
    };
  return rcce::run_job(options);
}

} // namespace

TEST_CASE("flags, memory and collective calls are facts of the stream, and change nothing") {
  Keeper keeper;
  const rcce::JobResult watched = run("collective_times", 4, {}, &keeper);
  const rcce::JobResult alone = run("collective_times", 4, {}, nullptr);
  REQUIRE(alone.status == 0);
  CHECK(watched.status == 0);
  CHECK(watched.digest == alone.digest);
  CHECK(watched.end == alone.end);
  using Kind = mesh::FlagFact::Kind;
  CHECK(keeper.count(Kind::written) > 0);
  CHECK(keeper.count(Kind::allocated) > 0);
  CHECK(std::ranges::count(keeper.memories, mesh::MemoryFact::Kind::flags, &mesh::MemoryFact::kind) > 0);
  CHECK(std::ranges::count(keeper.memories, mesh::MemoryFact::Kind::payload, &mesh::MemoryFact::kind) > 0);
  CHECK(std::ranges::count(keeper.calls, "RCCE_barrier") % 4 == 0);
  CHECK(std::ranges::count(keeper.calls, "RCCE_barrier") > 0);
  CHECK(keeper.members == 4);
  // Messages that a collective call is made of are none of its own.
  for (const int name : keeper.names) {
    CHECK(std::ranges::count(keeper.ended, name, &mesh::Call::kind) > 0);
    for (const mesh::Call& call : keeper.ended)
      if (call.kind == name)
        CHECK((has(call.traits, mesh::CallTraits::collective) && call.peer == -1 && call.bytes == 0));
  }
}

TEST_CASE("each use of a flag is a fact, and says whether the program's own call makes it") {
  using Kind = mesh::FlagFact::Kind;
  Keeper of_messages, of_flags;
  REQUIRE(run("collective_times", 4, {}, &of_messages).status == 0);
  REQUIRE(run("gory_stencil", 5, {}, &of_flags).status == 0);
  for (const Keeper* const keeper : {&of_messages, &of_flags}) {
    CHECK(keeper->count(Kind::awaited) > 0);
    CHECK(keeper->count(Kind::seen) == keeper->count(Kind::awaited));
    CHECK(keeper->count(Kind::read) > 0);
  }
  CHECK(std::ranges::count(of_messages.flags, true, &mesh::FlagFact::by_program) == 0);
  for (const Kind kind : {Kind::written, Kind::awaited, Kind::seen})
    CHECK(std::ranges::any_of(of_flags.flags, [&](const mesh::FlagFact& flag) {
      return flag.kind == kind && flag.by_program && flag.value == 1 && flag.mask == 0xff;
    }));
  // An algorithm waits for flags by RCCE_wait_until inside RCCE_barrier: that is none of the program's calls.
  Keeper of_row;
  REQUIRE(run("collective_times", 4, {}, &of_row, "barrier/tree").status == 0);
  CHECK(std::ranges::count(of_row.flags, true, &mesh::FlagFact::by_program) == 0);
  CHECK(of_row.flags.size() != of_messages.flags.size());
  // RCCE_barrier's are the library's in a program with own flags.
  CHECK(std::ranges::any_of(of_flags.flags, [](const mesh::FlagFact& flag) {
    return flag.kind == Kind::seen && !flag.by_program;
  }));
}

TEST_CASE("an observer of a job hears how long own code has run") {
  Computing computing;
  rcce::JobOptions options = options_of("gory_stencil", 5, {});
  options.library.compute = rcce::ComputeModel::blocks;
  options.recording.watch = [&](mesh::Observers&) { return std::vector<mesh::Observer*>{&computing}; };
  const rcce::JobResult result = rcce::run_job(options);
  REQUIRE(result.ues.size() == 5);
  for (const rcce::UeResult& ue : result.ues) {
    CHECK(ue.computed > 0);
    CHECK(computing.computed[ue.core] == ue.computed);
  }
}
