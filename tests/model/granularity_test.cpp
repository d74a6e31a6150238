// Taking several lines of a copy as one event must not change what is measured: within 1 % of line by line,
// in the two loads that contend most. Hot spot: all other cores read one buffer at the same time. Broadcast:
// every core passes a message on to two others down a tree, all at once.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

#include "catch.hpp"
#include "mesh_sim/scc_machine.hpp"

using namespace mesh;

namespace {

constexpr std::size_t stack = 256 * 1024;

struct Setting {
  std::int64_t granularity;
  bool lookahead;
};
constexpr Setting standard{MachineConfig{}.granularity_lines, MachineConfig{}.lookahead},
    line_by_line{1, false}, coarse{16, true};

Picoseconds latest(SccMachine& machine) {
  Picoseconds end = 0;
  for (int core = 0; core < machine.topology().cores(); ++core)
    end = std::max(end, machine.kernel().clock(core));
  return end;
}

Picoseconds hot_spot(Setting setting, int readers, std::size_t bytes) {
  MachineConfig config;
  config.granularity_lines = setting.granularity;
  config.lookahead = setting.lookahead;
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
Picoseconds tree_broadcast(Setting setting, std::size_t bytes, int rounds) {
  MachineConfig config;
  config.granularity_lines = setting.granularity;
  config.lookahead = setting.lookahead;
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

double deviation(Picoseconds measured, Picoseconds fine) {
  return 100.0 * static_cast<double>(measured - fine) / static_cast<double>(fine);
}

} // namespace

TEST_CASE("hot spot") {
  for (const int readers : {1, 8, 16, 24, 32, 47}) {
    const Picoseconds exact = hot_spot(line_by_line, readers, 8000);
    const double percent = deviation(hot_spot(standard, readers, 8000), exact);
    const double rough = deviation(hot_spot(coarse, readers, 8000), exact);
    std::printf("hot spot, %2d readers: %+.3f %%; granularity 16: %+.3f %%\n", readers, percent, rough);
    CAPTURE(readers);
    CHECK(std::abs(percent) < 1);
    CHECK(std::abs(rough) < 4);
  }
}

TEST_CASE("broadcast") {
  for (const std::size_t bytes : {32u, 1000u, 8000u}) {
    const Picoseconds exact = tree_broadcast(line_by_line, bytes, 5);
    const double percent = deviation(tree_broadcast(standard, bytes, 5), exact);
    const double rough = deviation(tree_broadcast(coarse, bytes, 5), exact);
    std::printf("tree broadcast of %4zu bytes: %+.3f %%; granularity 16: %+.3f %%\n", bytes, percent, rough);
    CAPTURE(bytes);
    CHECK(std::abs(percent) < 1);
    CHECK(std::abs(rough) < 4);
  }
}

TEST_CASE("contention costs something where many read one buffer, and nothing alone") {
  const double alone = static_cast<double>(hot_spot(standard, 1, 8000));
  CHECK(static_cast<double>(hot_spot(standard, 47, 8000)) > 1.3 * alone);
}

// The lines of an MPB and those of the buffer that a copy goes to share the sets of L1: wherever the two
// begin, a copy in one piece leaves what one line after the other leaves.
TEST_CASE("a copy alone costs what it costs line by line, wherever its ends lie in L1") {
  struct Left {
    Picoseconds end;
    std::uint64_t l2_hits, dram_lines;
    bool operator==(const Left&) const = default;
  };
  alignas(4096) static std::array<std::byte, 5 * 4096> buffer;
  const auto copies = [](Setting setting, std::size_t apart, std::size_t bytes) {
    MachineConfig config;
    config.granularity_lines = setting.granularity;
    config.lookahead = setting.lookahead;
    SccMachine machine(config, stack, 0);
    machine.kernel().start(0, [&] {
      machine.map_private(0, buffer.data(), buffer.size());
      for (const Copy how : {Copy::prefetching, Copy::plain}) {
        machine.touch(buffer.data(), buffer.size(), false);
        for (int i = 0; i < 3; ++i) machine.get(buffer.data() + apart * line_bytes, 10, 64, bytes, how);
        machine.touch(buffer.data(), buffer.size() / 2, true);
      }
    });
    CHECK(machine.kernel().run() == Kernel::End::finished);
    const auto& core = machine.core_state(0);
    return Left{latest(machine), core.l2_hits, core.dram_lines};
  };
  for (std::size_t apart = 0; apart < 130; ++apart)
    for (const std::size_t bytes : {32u, 1000u, 4096u, 7616u}) {
      CAPTURE(apart, bytes);
      CHECK(copies(standard, apart, bytes) == copies(line_by_line, apart, bytes));
    }
}
