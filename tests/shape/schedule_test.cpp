// SPDX-License-Identifier: Apache-2.0
// Schedules of broadcasts and reductions: texts come back as they were, every kind of mistake is found where
// it is, and what passes the check delivers every byte, whoever is the root.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "algorithms/schedules/builder.hpp"
#include "algorithms/schedules/check.hpp"
#include "algorithms/schedules/owners.hpp"
#include "algorithms/schedules/plan.hpp"
#include "algorithms/schedules/reader.hpp"
#include "catch.hpp"
#include "commands/search_moves.hpp"
#include "lab/backend.hpp"

using namespace algorithms::schedule;
using rccebench::SearchSpace;

namespace {

// The root puts two segments, one into its own buffer and one into that of core 1; core 2 hosts nothing.
const std::string right = R"(schedule 1
operation bcast
cores 3
root 0
segments 2
parts 2
flags 2
single_flags 1
first_bytes 64   # of a segment
most_bytes 1024
core 0: h0 | h0-2 h1-2 p0>0 p1>1 t1 t2 | t1
core 1: t0 | h0 g0<0 g1<1 h1 t0 | h0
core 2: | h0 g1<1 g0<0 t1.1 t0.1 |
)";

std::string fault_of(const std::string& text) {
  Schedule schedule;
  if (std::string fault = Reader::read(text, schedule); !fault.empty()) return fault;
  return Checker::fault_of(schedule);
}

// Cores 1 and 2 put both segments into slots of core 0, which adds what they have in one step, and tells.
const std::string right_sum = R"(schedule 1
operation reduce
cores 3
root 0
segments 2
slots 4
parts 1
flags 2
most_bytes 1024
core 0: | t1 t2 h0 h1 a0-1*2<0 |
core 1: | h0 p0-1>0 t0 |
core 2: | h0 p0-1>0.2 t0.1 |
)";

// One segment and part, a slot for each of the others.
const std::string right_turns = R"(schedule 1
operation reduce
cores 3
slots 2
parts 1
flags 2
single_flags 1
core 0: t1 t2 | h0 a0<0 h1 a0<0.1 t1 t2 |
core 1: h0 | p0>0 t0 h0 |
core 2: h0 | p0>0.1 t0.1 h0 |
)";

// Cores 1 and 2 look at a line of core 0, whose slot nothing else uses; calls overlap.
const std::string right_looks = R"(schedule 1
operation bcast
cores 3
flags 2
own_area 1
readers 0: 1 2
core 0: | h0..1-2 p0>0 s |
core 1: | l0 g0<0 t0 |
core 2: | l0 g0<0 t0.1 |
)";

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}
std::string with(const std::string& from, const std::string& to) {
  return changed(right, from, to);
}
std::string looks_with(const std::string& from, const std::string& to) {
  return changed(right_looks, from, to);
}
std::string sum_with(const std::string& from, const std::string& to) {
  return changed(right_sum, from, to);
}

std::vector<SearchSpace> spaces() {
  std::vector<SearchSpace> all{{2, {6, 2}, 4, 100}, {7, {6, 2}, 4, 5000},    {20, {6, 2}, 4, 8192},
                               {48, {6, 2}, 4, 32}, {48, {6, 2}, 4, 190000}, {64, {8, 2}, 4, 8192}};
  for (const Operation operation : {Operation::reduce, Operation::allreduce})
    for (SearchSpace space : {SearchSpace{2, {6, 2}, 4, 96}, {7, {6, 2}, 4, 5000}, {24, {6, 2}, 4, 8192}}) {
      space.operation = operation;
      all.push_back(space);
    }
  return all;
}

/// Some steps elsewhere, in another round, or with another partner.
Schedule disturbed(Schedule schedule, lab::Random& random) {
  const auto pick = [&](std::size_t count) {
    return std::min(count - 1, static_cast<std::size_t>(random.uniform() * static_cast<double>(count)));
  };
  for (int change = random.uniform() < 0.3 ? 2 : 1; change > 0; --change) {
    auto& steps = schedule.programs[pick(schedule.programs.size())].round;
    if (steps.empty()) continue;
    const std::size_t a = pick(steps.size()), b = pick(steps.size());
    switch (pick(4)) {
    case 0:
      std::swap(steps[a], steps[b]);
      break;
    case 1:
      std::rotate(steps.begin() + std::min(a, b), steps.begin() + std::max(a, b), steps.end());
      break;
    case 2:
      steps[a].offset += pick(2) == 0 ? 1 : -1;
      break;
    default:
      if (steps[a].kind != Step::hear) steps[a].core = static_cast<int>(pick(schedule.programs.size()));
    }
  }
  return schedule;
}

} // namespace

TEST_CASE("a schedule that is right passes, and its text comes back") {
  CHECK(fault_of(right).empty());
  CHECK(fault_of(right_sum).empty());
  CHECK(fault_of(right_turns).empty());
  CHECK(fault_of(right_looks).empty());
  CHECK(fault_of(looks_with("own_area 1", "own_area 0")).empty());
  for (const SearchSpace& space : spaces())
    for (const Plan& plan : rccebench::starts_of(space)) {
      const Schedule made = Builder::schedule_of(plan);
      Schedule read;
      REQUIRE(Reader::read(to_text(made), read).empty());
      REQUIRE(to_text(read) == to_text(made));
      REQUIRE(Checker::fault_of(read).empty());
    }
}

TEST_CASE("a check is noted for the text that it was made of") {
  Schedule schedule, again;
  REQUIRE(Reader::read(right, schedule).empty());
  REQUIRE(Reader::read("# found\n" + to_checked_text(schedule), again).empty());
  CHECK(again.checked == digest(again));
  std::string changed = to_checked_text(schedule);
  changed.replace(changed.find("g0<0"), 4, "g1<0");
  REQUIRE(Reader::read(changed, again).empty());
  CHECK(again.checked != digest(again));
  CHECK(Reader::read(right + "checked yes\n", again).find("line 14: 'checked' has a number") == 0);
}

TEST_CASE("what can be wrong with a file is told with its line") {
  const std::pair<std::string, std::string> wrong[] = {
      {"", "the file is empty"},
      {with("schedule 1", "schedule 2"), "line 1: a file begins with 'schedule 1'"},
      {with("bcast", "scan"), "line 2: operation 'scan': schedules are for bcast, reduce and allreduce"},
      {with("cores 3", "cores 3 4"), "line 3: 'cores' has one value"},
      {with("parts 2", "parts 2\nparts 3"), "line 7: there is a line 'parts' already; leave one of them out"},
      {with("cores 3", "cores 60\nreaders 0: 50\ncores 3"), "line 5: there is a line 'cores' already"},
      {with("cores 3", "cores 5000"), "line 3: cores '5000': allowed are 1..4096"},
      {with("parts 2", "pairs 2"),
       "line 6: there is no 'pairs'; there are schedule, operation, readers, core, checked, cores"},
      {with("root 0", "root 3"), "root 3 is out of range 0..2"},
      {with("core 2: | h0 g1<1 g0<0 t1.1 t0.1 |\n", ""), "the line of core 2 is missing"},
      {with("core 2:", "core 1:"), "line 13: core 1 has a line already, 12"},
      {with("core 2:", "core 3:"), "line 13: core '3:': write its number, 0..2"},
      {with("t0.1 |", "t0.1"),
       "line 13: core 2: write what it does before the rounds | in each | after them"},
      {with("t0.1 |", "t0.1 | |"), "line 13: core 2 has more than two '|'"},
      {with("g1<1 g0<0 t1.1", "x1<1 g0<0 t1.1"), "line 13: core 2, step 2 'x1<1': it is none of"},
      {with("g1<1 g0<0 t1.1", "g1<1+ g0<0 t1.1"), "line 13: core 2, step 2 'g1<1+': it is none of"},
      {with("g1<1 g0<0 t1.1", "g2<1 g0<0 t1.1"), "step 2 'g2<1': segment 2 is out of range 0..1"},
      {with("g1<1 g0<0 t1.1", "g1<9 g0<0 t1.1"), "step 2 'g1<9': core 9 is out of range 0..2"},
      {with("g1<1 g0<0 t1.1", "g1<1.1 g0<0 t1.1"), "step 2 'g1<1.1': slot 1 is out of range 0..0"},
      {with("g1<1 g0<0 t1.1", "g1<1-9 g0<0 t1.1"), "at most 8 rounds ahead or behind"},
      {with("t1.1 t0.1", "t1.2 t0.1"), "step 4 't1.2': flag 2 is out of range 0..1"},
      {with("| h0\n", "| g0<0 h0\n"), "segments belong to rounds"},
      {with("g1<1 g0<0 t1.1", "g1-0<1 g0<0 t1.1"), "line 13: core 2, step 2 'g1-0<1': it is none of"},
      {with("g1<1 g0<0 t1.1", "g1-2<1 g0<0 t1.1"), "step 2 'g1-2<1': segment 2 is out of range 0..1"},
      {with("g1<1 g0<0 t1.1", "g1*2<1 g0<0 t1.1"), "line 13: core 2, step 2 'g1*2<1': it is none of"},
      {with("g1<1 g0<0 t1.1", "a1<1 g0<0 t1.1"), "step 2 'a1<1': a broadcast combines nothing"},
      {looks_with("readers 0: 1 2\n", ""), "line 6: core 0, step 3 's': nobody looks at the line of core 0"},
      {looks_with("readers 0: 1 2", "readers 0: 1"),
       "line 9: core 2, step 1 'l0': core 2 is none of the readers of core 0"},
      {looks_with("readers 0: 1 2", "readers 0: 1 1"),
       "line 6: readers of core 0: write the others' numbers, 0..2, each once"},
      {looks_with("readers 0: 1 2", "readers 0: 0"), "line 6: readers of core 0"},
      {looks_with("readers 0: 1 2", "readers 0:"), "line 6: a line has 1..192 readers"},
      {looks_with("readers 0: 1 2", "readers 7: 1"), "line 6: core '7:'"},
      {looks_with("readers 0: 1 2\n", "readers 0: 1 2\nreaders 0: 1\n"), "core 0 has readers already"},
      {looks_with("h0..1-2", "h0..2-2"), "step 1 'h0..2-2': flag 2 is out of range 0..1"},
      {looks_with("h0..1-2", "h1..0-2"), "step 1 'h1..0-2': it is none of"},
      {looks_with("l0 g0<0 t0 |", "l0 g0<0 t0 | l0"), "lines belong to rounds"},
      {looks_with("p0>0 s", "p0>0-1 s"), "step 2 'p0>0-1': with an area of its own"},
      {sum_with("a0-1*2<0", "a0-1*3<0"), "line 10: core 0, step 5 'a0-1*3<0': slot 5 is out of range 0..3"},
      {sum_with("p0-1>0.2", "p0-1>0.3"), "slot 4 is out of range 0..3"}};
  for (const auto& [text, fault] : wrong) {
    CAPTURE(text, fault_of(text));
    CHECK(fault_of(text).find(fault) != std::string::npos);
  }
}

TEST_CASE("what can be wrong with a schedule is told with core and step") {
  const std::pair<std::string, std::string> wrong[] = {
      // Bytes that do not come.
      {with("g0<0 g1<1 h1", "g0<0 h1"), "line 12: core 1 never gets segment 1"},
      {with("p0>0 p1>1", "p0>0"), "line 12: core 1, step 4 'g1<1': slot 0 of core 1 may not hold segment 1"},
      {with("p0>0 p1>1", "p1>0 p0>1"), "step 3 'g0<0': slot 0 of core 0 may not hold segment 0"},
      {with("h0 g1<1 g0<0", "g1<1 g0<0 h0"), "line 13: core 2, step 1 'g1<1'"},
      {with("g0<0 g1<1 h1", "p0>1 g0<0 g1<1 h1"), "'p0>1': it has not got segment 0 of that round yet"},
      // Slots that are overwritten.
      {with("h0-2 h1-2 p0>0", "h1-2 p0>0"), "core 1"},
      {with("h0-2 h1-2 p0>0 p1>1", "p0>0 p1>1 h0-2 h1-2"), "slot 0 of core 0 is overwritten before core"},
      // Flags.
      {with("t1.1 t0.1", "t1.1 t0"), "flag 0 of core 0 is told by core"},
      {with("h1 t0 | h0", "t0 h1 | h0"),
       "'t1.1': core 1 may not have heard flag 1 of core 1 of the time before"},
      {with("t1 t2 |", "t1 |"), "line 13: core 2, step 1 'h0': nobody tells that flag"},
      {with("h1 t0 | h0", "t0 | h0"), "flag 1"},
      {with("h0 g1<1 g0<0 t1.1 t0.1", "h0 g1<1 g0<0 t0.1 h1 t1.1"), "nobody tells that flag"},
      // Who comes and goes.
      {with("core 0: h0 |", "core 0: |"), "core 1 may not have entered the call"},
      {with("core 1: t0 | h0 g0<0 g1<1 h1 t0 | h0", "core 1: t0 | h0 g0<0 g1<1 h1 t0 |"), "single flag 0"},
      {with("t1.1 t0.1 |", "t1.1 |"), "'h1-2'"},
      // Lines.
      {looks_with("p0>0 s", "p0>0"), "line 8: core 1, step 1 'l0': core 0 does not show its line"},
      {looks_with("p0>0 s", "p0>0 s s"),
       "line 7: core 0, step 4 's': core 1 may not have seen what the line"},
      {looks_with("| l0 g0<0 t0 |", "| g0<0 t0 |"), "slot 0 of core 0 may not hold segment 0"},
      {looks_with("h0..1-2", "h0-2"),
       "slot 0 of core 0 is overwritten before core 2 is known to have read it"},
      {looks_with("h0..1-2", "h0..1"), "waits in a circle: core"},
      // Operands.
      {sum_with("a0-1*2<0", "a0-1<0"),
       "line 10: core 0 ends with a result of segment 0 without the operand of core 2"},
      {sum_with("a0-1*2<0", "a0-1*2<0 a1<0.3"),
       "line 10: core 0, step 6 'a1<0.3': the operand of core 2 is in segment 1 already, and would be "
       "combined"},
      {sum_with("a0-1*2<0", "a0-1<0 g0-1<0.2"),
       "line 10: core 0, step 6 'g0-1<0.2': segment 0 loses the operand of core 0"},
      {sum_with("h0 h1 a0-1*2<0", "h0 a0-1*2<0 h1"), "slot 2 of core 0 may not hold segment 0 of that round"},
      {changed(right_sum, "reduce", "allreduce"),
       "line 11: core 1 ends with a result of segment 0 without the "
       "operand of core 0"},
      // A slot of the next round may lie where another one of this round was.
      {changed(right_turns, "a0<0 h1 a0<0.1 t1", "a0<0 t1 h1 a0<0.1"),
       "line 9: core 1, step 2 'p0>0': slot 1 of core 0"},
      // A circle.
      {with("core 0: h0 | h0-2", "core 0: h0 | h0"), "waits in a circle: core"}};
  for (const auto& [text, fault] : wrong) {
    CAPTURE(text, fault_of(text));
    CHECK(fault_of(text).find(fault) != std::string::npos);
  }
}

TEST_CASE("schedules that the library keeps are right") {
  int kept = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ROCKCREEK_TUNED)) {
    if (entry.path().extension() != ".schedule") continue;
    std::ifstream file(entry.path());
    CAPTURE(entry.path().string());
    CHECK(fault_of(std::string(std::istreambuf_iterator<char>(file), {})).empty());
    ++kept;
  }
  CHECK(kept > 0);
}

TEST_CASE("owners in groups are right on any number of cores, and their programs can be made one by one") {
  for (int cores = 2; cores <= 50; ++cores)
    for (const Operation operation : {Operation::reduce, Operation::allreduce})
      for (const int owners : {0, 1, 5, 8, 24}) {
        if (owners > cores) continue;
        const Plan plan = owners_plan(cores, operation, owners, 200);
        const Schedule all = Builder::schedule_of(plan);
        CAPTURE(cores, owners, Checker::fault_of(all));
        REQUIRE(Checker::fault_of(all).empty());
        for (int core = 0; core < cores; ++core) {
          const Schedule one = Builder::schedule_of(plan, core);
          const auto at = static_cast<std::size_t>(core);
          REQUIRE(one.programs[at].round == all.programs[at].round);
          REQUIRE(one.programs[at].end == all.programs[at].end);
          REQUIRE(one.flags == all.flags);
        }
      }
}

TEST_CASE("what a search moves through stays right") {
  for (const SearchSpace& space : spaces()) {
    int start = 0;
    for (Plan plan : rccebench::starts_of(space)) {
      lab::Random random(1, static_cast<std::uint64_t>(start++), 0);
      for (int move = 0; move < 12; ++move) {
        plan = rccebench::neighbour_of(plan, space, random);
        const std::string fault = Checker::fault_of(Builder::schedule_of(plan));
        CAPTURE(space.cores, space.bytes, start, move, fault);
        REQUIRE(fault.empty());
      }
    }
  }
}

TEST_CASE("whatever passes the check delivers every byte") {
  const auto machine = std::make_shared<const lab::Machine>(lab::open_machine("scc"));
  const auto backend = lab::backend_of(*machine);
  const auto file = std::filesystem::temp_directory_path() / ("schedule-test-" + std::to_string(getpid()));
  int passed = 0, refused = 0;
  for (int trial = 0; trial < 440; ++trial) {
    lab::Random random(2, static_cast<std::uint64_t>(trial), 0);
    auto all = spaces();
    std::erase_if(all, [](const SearchSpace& space) { return space.cores > 48; });
    const SearchSpace space = all[static_cast<std::size_t>(trial) % all.size()];
    const auto starts = rccebench::starts_of(space);
    Plan plan = starts[static_cast<std::size_t>(random.uniform() * static_cast<double>(starts.size()))];
    plan = rccebench::neighbour_of(plan, space, random);
    const Schedule schedule = disturbed(Builder::schedule_of(plan), random);
    if (!Checker::fault_of(schedule).empty()) {
      ++refused;
      continue;
    }
    ++passed;
    std::ofstream(file) << to_text(schedule);
    lab::Point point{.machine = machine, .machine_name = "scc", .backend = backend};
    point.algorithm = std::string(name_of(space.operation)) + "/schedule";
    point.options["schedule"] = file.string();
    point.cores = space.cores;
    point.bytes = 1 + static_cast<std::int64_t>(random.uniform() * 40000);
    if (space.operation != Operation::bcast) point.bytes = (point.bytes + 7) / 8 * 8;
    point.root = static_cast<int>(random.uniform() * space.cores);
    if (space.operation == Operation::allreduce) point.root = 0;
    point.warm_up = point.repetitions = 2; // calls follow each other
    const lab::Result result = backend->run(point);
    CAPTURE(trial, space.cores, point.bytes, point.root, to_text(schedule));
    REQUIRE(result.wrong_bytes == 0);
  }
  std::filesystem::remove(file);
  CHECK(passed > 80);
  CHECK(refused > 80);
}
