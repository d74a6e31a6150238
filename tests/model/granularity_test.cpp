// Taking several lines of a copy as one event must not change what is measured: within 1 % of line by line,
// in the two loads that contend most. Hot spot: all other cores read one buffer at the same time. Broadcast:
// every core passes a message on to two others down a tree, all at once.
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

#include "catch.hpp"
#include "mesh_sim/scc_machine.hpp"

using namespace mesh;

namespace {

constexpr std::size_t stack = 256 * 1024;

Picoseconds latest(SccMachine& machine) {
  Picoseconds end = 0;
  for (int core = 0; core < machine.topology().cores(); ++core)
    end = std::max(end, machine.kernel().clock(core));
  return end;
}

Picoseconds hot_spot(std::int64_t granularity, int readers, std::size_t bytes) {
  MachineConfig config;
  config.granularity_lines = granularity;
  SccMachine machine(config, stack, 0);
  std::vector<std::vector<std::byte>> buffers(48, std::vector<std::byte>(8192));
  for (int core = 1; core <= readers; ++core)
    machine.kernel().start(core, [&, core] {
      auto& buffer = buffers[static_cast<std::size_t>(core)];
      machine.map_private(core, buffer.data(), buffer.size());
      for (int i = 0; i < 4; ++i) machine.get(buffer.data(), 0, 0, bytes, Copy::prefetching);
    });
  CHECK(machine.kernel().run() == Kernel::End::finished);
  return latest(machine);
}

/// One-sided binary tree over 48 cores, `rounds` messages of `bytes` each: a parent announces its buffer to
/// both children, they fetch at the same time and tell it when they have done.
Picoseconds tree_broadcast(std::int64_t granularity, std::size_t bytes, int rounds) {
  MachineConfig config;
  config.granularity_lines = granularity;
  SccMachine machine(config, stack, 0);
  std::vector<std::vector<std::byte>> buffers(48, std::vector<std::byte>(8192));
  for (int core = 0; core < 48; ++core)
    machine.kernel().start(core, [&, core] {
      auto& buffer = buffers[static_cast<std::size_t>(core)];
      machine.map_private(core, buffer.data(), buffer.size());
      const int parent = (core - 1) / 2;
      for (int round = 1; round <= rounds; ++round) {
        const auto mark = static_cast<std::uint8_t>(round);
        if (core > 0) {
          machine.wait(core, 0, Condition{0xff, mark, 1}, 0);
          machine.get(buffer.data(), parent, 128, bytes, Copy::prefetching);
          machine.store(parent, core % 2 != 0 ? 1 : 2, &mark, 1);
        }
        machine.put(core, 128, buffer.data(), bytes, Copy::prefetching);
        for (const int child : {2 * core + 1, 2 * core + 2})
          if (child < 48) machine.store(child, 0, &mark, 1);
        for (const int child : {2 * core + 1, 2 * core + 2})
          if (child < 48) machine.wait(core, child % 2 != 0 ? 1 : 2, Condition{0xff, mark, 1}, 0);
      }
    });
  CHECK(machine.kernel().run() == Kernel::End::finished);
  return latest(machine);
}

double deviation(Picoseconds coarse, Picoseconds fine) {
  return 100.0 * static_cast<double>(coarse - fine) / static_cast<double>(fine);
}

} // namespace

TEST_CASE("hot spot") {
  const std::int64_t standard = MachineConfig{}.granularity_lines;
  for (const int readers : {1, 8, 16, 24, 32, 47}) {
    const double percent = deviation(hot_spot(standard, readers, 8000), hot_spot(1, readers, 8000));
    std::printf("hot spot, %2d readers: %+.3f %%\n", readers, percent);
    CAPTURE(readers);
    CHECK(std::abs(percent) < 1);
  }
}

TEST_CASE("broadcast") {
  const std::int64_t standard = MachineConfig{}.granularity_lines;
  for (const std::size_t bytes : {32u, 1000u, 8000u}) {
    const double percent = deviation(tree_broadcast(standard, bytes, 5), tree_broadcast(1, bytes, 5));
    std::printf("tree broadcast of %4zu bytes: %+.3f %%\n", bytes, percent);
    CAPTURE(bytes);
    CHECK(std::abs(percent) < 1);
  }
}

TEST_CASE("contention costs something where many read one buffer, and nothing alone") {
  const double alone = static_cast<double>(hot_spot(1, 1, 8000));
  CHECK(static_cast<double>(hot_spot(1, 47, 8000)) > 1.3 * alone);
}
