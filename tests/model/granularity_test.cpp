// SPDX-License-Identifier: Apache-2.0
// Taking lines of a copy together must not change what is measured, to the picosecond, also in the loads that
// contend most. Hot spots: up to all other cores read one buffer at the same time, or write it. Controllers:
// all cores fetch what they send from memory. One link: two rows of the mesh read across it. Broadcast: every
// core passes a message on to two others down a tree, all at once.
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "catch.hpp"
#include "mesh_sim/machines/scc/machine.hpp"

using namespace mesh;

namespace {

constexpr std::size_t stack = 256 * 1024;

using Setting = const char*;
constexpr Setting exact = "exact", by_line = "lines";

MachineConfig machine_with(Setting granularity) {
  MachineConfig config;
  config.granularity = granularity;
  return config;
}

/// A buffer for each core; its place in its page decides which sets of L1 its lines share with those of an
/// MPB.
alignas(4096) std::array<std::array<std::byte, 32768>, 100> buffers;

Picoseconds latest(SccMachine& machine) {
  Picoseconds end = 0;
  for (int core = 0; core < machine.topology().cores(); ++core)
    end = std::max(end, machine.kernel().clock(core));
  return end;
}

enum class Load { readers, writers, controllers, link };

/// Each of the first `cores` cores but core 0 makes four copies of `bytes` at the same time as the others.
Picoseconds hot_spot(Setting setting, Load load, int cores, std::size_t bytes) {
  SccMachine machine(machine_with(setting), stack, 0);
  for (int core = 1; core <= cores; ++core)
    machine.kernel().start(core, [&, core] {
      auto& buffer = buffers[static_cast<std::size_t>(core)];
      machine.map_private(core, buffer.data(), buffer.size());
      for (std::size_t i = 0; i < 4; ++i) switch (load) {
        case Load::readers:
          machine.message_buffers()->get(buffer.data(), 0, 0, bytes, Copy::prefetching);
          break;
        case Load::writers:
          machine.message_buffers()->put(0, 0, buffer.data(), bytes, Copy::prefetching);
          break;
        case Load::controllers: // never read before: each line comes from memory
          machine.message_buffers()->put(core, 0, buffer.data() + i * bytes, bytes, Copy::prefetching);
          break;
        case Load::link: // from the west half of the mesh to the east half, through the middle of row 1
          machine.message_buffers()->get(buffer.data(), 18 + core % 6, 0, bytes, Copy::prefetching);
          break;
        }
    });
  CHECK(machine.kernel().run() == Kernel::End::finished);
  return latest(machine);
}

/// One-sided binary tree over 48 cores, `rounds` messages of `bytes` each: a parent announces its buffer to
/// both children, they fetch at the same time and tell it when they have done.
Picoseconds tree_broadcast(Setting setting, std::size_t bytes, int rounds) {
  SccMachine machine(machine_with(setting), stack, 0);
  for (int core = 0; core < 48; ++core)
    machine.kernel().start(core, [&, core] {
      auto& buffer = buffers[static_cast<std::size_t>(core)];
      machine.map_private(core, buffer.data(), buffer.size());
      const int parent = (core - 1) / 2;
      for (int round = 1; round <= rounds; ++round) {
        const auto mark = static_cast<std::uint8_t>(round);
        if (core > 0) {
          machine.message_buffers()->wait(core, 0, Condition{0xff, mark, 1}, 0);
          machine.message_buffers()->get(buffer.data(), parent, 128, bytes, Copy::prefetching);
          machine.message_buffers()->store(parent, core % 2 != 0 ? 1 : 2, &mark, 1);
        }
        machine.message_buffers()->put(core, 128, buffer.data(), bytes, Copy::prefetching);
        for (const int child : {2 * core + 1, 2 * core + 2})
          if (child < 48) machine.message_buffers()->store(child, 0, &mark, 1);
        for (const int child : {2 * core + 1, 2 * core + 2})
          if (child < 48)
            machine.message_buffers()->wait(core, child % 2 != 0 ? 1 : 2, Condition{0xff, mark, 1}, 0);
      }
    });
  CHECK(machine.kernel().run() == Kernel::End::finished);
  return latest(machine);
}

/// When each of 99 readers of one MPB ends, who come one after another on a mesh of `columns` by `rows`
/// tiles.
std::vector<Picoseconds> readers_end(Setting setting, int columns, int rows) {
  MachineConfig config = machine_with(setting);
  config.columns = columns;
  config.rows = rows;
  SccMachine machine(config, stack, 0);
  std::vector<Picoseconds> clocks;
  const int readers = 2 * columns * rows - 1;
  for (int core = 1; core <= readers; ++core)
    machine.kernel().start(core, [&, core] {
      auto& buffer = buffers[static_cast<std::size_t>(core)];
      machine.map_private(core, buffer.data(), buffer.size());
      machine.compute(100 * core);
      machine.message_buffers()->get(buffer.data(), 0, 0, 7616, Copy::prefetching);
    });
  CHECK(machine.kernel().run() == Kernel::End::finished);
  for (int core = 1; core <= readers; ++core) clocks.push_back(machine.kernel().clock(core));
  return clocks;
}

} // namespace

TEST_CASE("hot spots") {
  struct Case {
    const char* name;
    Load load;
    std::size_t bytes;
  };
  for (const Case& one :
       {Case{"read one MPB", Load::readers, 8000}, Case{"read one MPB", Load::readers, 3000},
        Case{"write one MPB", Load::writers, 8000}, Case{"fetch from memory", Load::controllers, 8000},
        Case{"read across one link", Load::link, 8000}})
    for (const int cores : {1, 2, 3, 8, 16, 24, 32, 47}) {
      CAPTURE(one.name, one.bytes, cores);
      CHECK(hot_spot(exact, one.load, cores, one.bytes) == hot_spot(by_line, one.load, cores, one.bytes));
    }
}

TEST_CASE("readers of one MPB that come one after another") {
  CHECK(readers_end(exact, 10, 5) == readers_end(by_line, 10, 5));
}

TEST_CASE("broadcast") {
  for (const std::size_t bytes : {32u, 1000u, 2000u, 4000u, 8000u}) {
    CAPTURE(bytes);
    CHECK(tree_broadcast(exact, bytes, 5) == tree_broadcast(by_line, bytes, 5));
  }
}

TEST_CASE("contention costs something where many use one buffer, and nothing alone") {
  const auto slower = [](Load load, int cores) {
    return static_cast<double>(hot_spot(exact, load, cores, 8000)) /
        static_cast<double>(hot_spot(exact, load, 1, 8000));
  };
  // The furthest of 47 reads 1.56 times as long as the nearest, alone.
  CHECK(slower(Load::readers, 47) > 1.6);
  CHECK(slower(Load::writers, 47) > 1.4);
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
    SccMachine machine(machine_with(setting), stack, 0);
    machine.kernel().start(0, [&] {
      machine.map_private(0, buffer.data(), buffer.size());
      for (const Copy how : {Copy::prefetching, Copy::plain}) {
        machine.touch(buffer.data(), buffer.size(), false);
        for (int i = 0; i < 3; ++i)
          machine.message_buffers()->get(buffer.data() + apart * line_bytes, 10, 64, bytes, how);
        machine.touch(buffer.data(), buffer.size() / 2, true);
      }
    });
    CHECK(machine.kernel().run() == Kernel::End::finished);
    const auto& core = machine.costs().core_state(0);
    return Left{latest(machine), core.l2_hits, core.dram_lines};
  };
  for (std::size_t apart = 0; apart < 130; ++apart)
    for (const std::size_t bytes : {32u, 1000u, 4096u, 7616u}) {
      CAPTURE(apart, bytes);
      const Left fine = copies(by_line, apart, bytes);
      CHECK(copies(exact, apart, bytes) == fine);
    }
}
