// SPDX-License-Identifier: Apache-2.0
// Is the critical path the chain that has made the end time: do its times add up to that, to the picosecond,
// and is it the known one where there is one? Does what is kept stay bounded?
#include "mesh_sim/observe/critical_path.hpp"
#include "mesh_sim/observe/observers.hpp"

#include <functional>
#include <numeric>

#include "catch.hpp"
#include "mesh_sim/machines/scc/machine.hpp"

using namespace mesh;

namespace {

using Body = std::function<void(SccMachine&, int core)>;

struct Run {
  Path path;
  Picoseconds end = 0;
  std::uint64_t lost = 0;
  std::size_t pieces = 0;
};

/// Runs the body on so many cores from 0 on, and watches.
Run run(int cores, const Body& body, const MachineConfig& config = {}) {
  SccMachine machine(config, 64 << 10, 1 << 20);
  CriticalPath watcher(machine.topology().cores());
  Observers observers;
  observers.add(watcher);
  machine.set_observers(&observers);
  for (int core = 0; core < cores; ++core)
    machine.kernel().start(core, [&, core] {
      watcher.core_starts(core, machine.kernel().now());
      body(machine, core);
      watcher.core_ends(core, machine.kernel().now());
    });
  REQUIRE(machine.kernel().run() == Kernel::End::finished);
  Run made{watcher.path({}, [&](ResourceId resource) { return machine.name_of(resource); }), 0,
           watcher.lost(), watcher.pieces()};
  for (int core = 0; core < cores; ++core) made.end = std::max(made.end, machine.kernel().clock(core));
  return made;
}

Picoseconds sum(const Path& path, const std::function<bool(const Path::Part&)>& of) {
  Picoseconds time = 0;
  for (const Path::Part& part : path.parts)
    if (of(part)) time += part.time;
  return time;
}
Picoseconds sum(const Path& path, TimeShare::Kind kind) {
  return sum(path, [kind](const Path::Part& part) { return part.what.kind == kind; });
}
Picoseconds sum(const Path& path) {
  return sum(path, [](const Path::Part&) { return true; });
}

void check_sum(const Run& made) {
  REQUIRE(made.path.complete);
  CHECK(made.path.end == made.end);
  CHECK(sum(made.path) == made.end);
  CHECK(made.lost == 0);
  CHECK(sum(made.path, TimeShare::Kind::unknown) == 0);
}

void set_flag(SccMachine& machine, int core, std::size_t offset, std::uint8_t value) {
  machine.message_buffers()->store(core, offset, &value, 1);
}
void wait_flag(SccMachine& machine, int core, std::size_t offset, std::uint8_t value) {
  machine.message_buffers()->wait(core, offset, Condition{0xff, value}, 10);
}

constexpr Cycles work = 1'000'000;
constexpr Picoseconds cycle = 1875; // of 533 MHz, as the machine rounds it

} // namespace

TEST_CASE("a chain from core to core is the path itself") {
  for (const int cores : {1, 3, 5, 47, 48}) {
    CAPTURE(cores);
    const Run made = run(cores, [cores](SccMachine& machine, int core) {
      if (core > 0) wait_flag(machine, core, 0, 1);
      machine.compute(work);
      if (core + 1 < cores) set_flag(machine, core + 1, 0, 1);
    });
    check_sum(made);
    CHECK(made.path.core == cores - 1);
    CHECK(made.path.changes == static_cast<std::uint64_t>(cores - 1));
    CHECK(sum(made.path, TimeShare::Kind::program) == cores * work * cycle);
    for (int core = 0; core < cores; ++core)
      CHECK(sum(made.path, [core](const Path::Part& part) {
              return part.what.core == core && part.what.kind == TimeShare::Kind::program;
            }) == work * cycle);
    if (cores == 1) CHECK(made.path.slack.core == -1);
  }
}

TEST_CASE("who is waited for is on the path, who waits is not; the slack is the second latest's") {
  const Run made = run(5, [](SccMachine& machine, int core) {
    if (core > 0) {
      machine.compute(core == 3 ? 4 * work : core * work);
      set_flag(machine, 0, static_cast<std::size_t>(core) * line_bytes, 1);
      return;
    }
    for (int other = 1; other < 5; ++other)
      wait_flag(machine, 0, static_cast<std::size_t>(other) * line_bytes, 1);
    machine.compute(work);
  });
  check_sum(made);
  CHECK(made.path.core == 0);
  CHECK(made.path.changes == 1);
  // Cores 3 and 4 come together: one of them is on the path, the other so little behind.
  CHECK(sum(made.path, TimeShare::Kind::program) == 5 * work * cycle);
  CHECK(made.path.slack.core == 0);
  CHECK(made.path.slack.time < 1'000'000);
  CHECK(made.path.slack.at == Slack::Kind::arrival);
}

TEST_CASE("barriers: the times add up, whoever comes last") {
  for (const int cores : {3, 5, 47, 48}) {
    CAPTURE(cores);
    const Run made = run(cores, [cores](SccMachine& machine, int core) {
      for (std::uint8_t round = 1; round <= 20; ++round) {
        machine.compute(1000 * ((core * 7 + round * 13) % cores));
        if (core == 0) {
          for (int other = 1; other < cores; ++other)
            wait_flag(machine, 0, static_cast<std::size_t>(other) * line_bytes, round);
          for (int other = 1; other < cores; ++other) set_flag(machine, other, 0, round);
        } else {
          set_flag(machine, 0, static_cast<std::size_t>(core) * line_bytes, round);
          wait_flag(machine, core, 0, round);
        }
      }
    });
    check_sum(made);
    CHECK(made.path.changes > 10);
  }
}

TEST_CASE("copies through one port queue, and what they queue for has its name") {
  std::vector<std::byte> data(48 * 4096);
  const Body body = [&](SccMachine& machine, int core) {
    for (int i = 0; i < 10; ++i)
      machine.message_buffers()->get(&data[static_cast<std::size_t>(core) * 4096], 47, 0, 4096, Copy::plain);
  };
  const Run crowd = run(47, body), alone = run(1, body);
  check_sum(crowd);
  check_sum(alone);
  CHECK(sum(alone.path, TimeShare::Kind::queue) == 0);
  CHECK(sum(alone.path, TimeShare::Kind::get) + sum(alone.path, TimeShare::Kind::memory) == alone.end);
  CHECK(sum(alone.path, TimeShare::Kind::memory) > 0);
  const Picoseconds queued = sum(crowd.path, TimeShare::Kind::queue);
  CHECK(queued > 0);
  for (const Path::Part& part : crowd.path.parts)
    CHECK(part.resource.empty() == (part.what.kind != TimeShare::Kind::queue));
  MachineConfig free;
  free.contention = false;
  const Run uncontended = run(47, body, free);
  check_sum(uncontended);
  CHECK(sum(uncontended.path, TimeShare::Kind::queue) == 0);
}

TEST_CASE("locks, counters and copies that set flags hand the path on, too") {
  const Run made = run(5, [](SccMachine& machine, int core) {
    machine.registers()->lock_acquire(0);
    machine.compute(work);
    machine.registers()->lock_release(0);
    machine.registers()->counter_access(1, false, 0, true);
    machine.registers()->counter_wait(1, 5, {100, 1000});
    std::vector<std::byte> line(line_bytes * 3, std::byte{7});
    machine.message_buffers()->put((core + 1) % 5, 1024, line.data(), line.size(), Copy::plain);
    wait_flag(machine, core, 1024 + 2 * line_bytes, 7);
  });
  check_sum(made);
  CHECK(sum(made.path, TimeShare::Kind::program) == 5 * work * cycle);
}

TEST_CASE("what is kept does not grow with the run") {
  PathTree tree(2);
  std::size_t most = 0;
  std::vector<PathTree::Piece> kept;
  for (int i = 0; i < 200'000; ++i) {
    tree.charge(i % 2, 10 * i, {TimeShare::Kind::put, -1, i % 2, {}});
    kept.push_back(tree.remember(i % 2));
    if (kept.size() > 8) {
      tree.forget(kept.front());
      kept.erase(kept.begin());
    }
    if (i % 3 == 0) tree.adopt(1 - i % 2, kept.back(), true);
    most = std::max(most, tree.pieces());
  }
  CHECK(most <= 4096);
  for (const int core : {0, 1}) {
    const PathTree::Chain chain = tree.chain(core);
    CHECK(std::accumulate(chain.sums.begin(), chain.sums.end(), Picoseconds{0},
                          [](Picoseconds all, const PathTree::Sum& one) { return all + one.time; }) ==
          chain.at);
    CHECK(chain.sums.size() <= 2);
  }
}

TEST_CASE("a chain knows when it has been with which core") {
  PathTree tree(2), plain(2);
  tree.keep_stays();
  std::vector<PathTree::Stay> whole[2]; // of each core's chain
  std::vector<PathTree::Piece> kept;
  for (int i = 1; i < 10'000; ++i) { // pieces are joined on the way
    const int core = i % 2;
    auto& stays = whole[core];
    if (stays.empty() || stays.back().core != core)
      stays.push_back({core, tree.at(core), 10 * i});
    else
      stays.back().to = 10 * i;
    tree.charge(core, 10 * i, {TimeShare::Kind::put, -1, core, {}});
    kept.push_back(tree.remember(core));
    if (kept.size() > 8) {
      tree.forget(kept.front());
      kept.erase(kept.begin());
    }
    if (i % 3 != 0) continue;
    tree.adopt(1 - core, kept.back(), true);
    whole[1 - core] = stays;
  }
  CHECK(whole[0].size() > 3000);
  for (const int core : {0, 1}) CHECK(tree.chain(core).stays == whole[core]);
  plain.charge(0, 10, {TimeShare::Kind::put, -1, 0, {}});
  CHECK(plain.chain(0).stays.empty());
}

TEST_CASE("of long paths the last stays are kept") {
  PathTree tree(1 << 18); // as many cores leave few
  tree.keep_stays();
  constexpr int all = 1000;
  for (int i = 1; i <= all; ++i) tree.charge(0, i, {TimeShare::Kind::put, -1, i % 2, {}});
  const std::vector<PathTree::Stay> stays = tree.chain(0).stays;
  CHECK(stays.size() < 100);
  REQUIRE(stays.size() >= 32);
  for (std::size_t i = 0; i < stays.size(); ++i) {
    const int at = all - static_cast<int>(stays.size() - i);
    CHECK(stays[i] == PathTree::Stay{(at + 1) % 2, at, at + 1});
  }
}
