// SPDX-License-Identifier: Apache-2.0
// Does every access take exactly what its formula says, and becomes every store visible neither earlier nor
// later?
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "catch.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/scc/machine.hpp"
#include "mesh_sim/parts/own_accesses.hpp"

using mesh::Condition;
using mesh::Copy;
using mesh::MachineConfig;
using mesh::Picoseconds;
using mesh::SccMachine;

namespace {

constexpr std::size_t stack = 256 * 1024;
constexpr Picoseconds core_cycle = 1875, mesh_cycle = 1250; // 533 and 800 MHz

MachineConfig scc() {
  return {};
}

/// Runs one body on `core` of an idle chip and returns the time it took.
template <class Body>
Picoseconds timed(int core, const MachineConfig& config, Body&& body) {
  SccMachine machine(config, stack, 1 << 20);
  Picoseconds took = -1;
  machine.kernel().start(core, [&] {
    const Picoseconds start = machine.kernel().now();
    body(machine);
    took = machine.kernel().now() - start;
  });
  REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
  return took;
}

} // namespace

TEST_CASE("reading a line of another tile: core cycles and 8 mesh cycles a hop") {
  const MachineConfig c = scc();
  const int other = GENERATE(2, 10, 36, 37, 46, 47);
  const int hops = other == 2 ? 1 : other == 10 ? 5 : other == 36 || other == 37 ? 3 : 8;
  std::uint32_t word = 0;
  const Picoseconds took =
      timed(0, c, [&](SccMachine& m) { m.message_buffers()->load(other, 64, &word, 4); });
  CHECK(took == (c.mpb_read_cycles + c.mpb_remote_cycles) * core_cycle + 8 * hops * mesh_cycle);
}

TEST_CASE("the own tile costs its fixed trip") {
  const MachineConfig c = scc();
  std::uint32_t word = 0;
  for (const int own : {0, 1})
    CHECK(timed(0, c, [&](SccMachine& m) { m.message_buffers()->load(own, 0, &word, 4); }) ==
          c.mpb_read_cycles * core_cycle + c.mpb_local_mesh_cycles * mesh_cycle);
}

TEST_CASE(
    "a store frees the core at once and is visible 4 mesh cycles a hop later, not a picosecond before") {
  const MachineConfig c = scc();
  const Picoseconds late = GENERATE(-1, 0);
  SccMachine machine(c, stack, 0);
  const Picoseconds visible = c.mpb_write_cycles * core_cycle + 4 * 8 * mesh_cycle;
  int seen = -1;
  machine.kernel().start(0, [&] {
    const std::uint8_t one = 1;
    machine.message_buffers()->store(47, 40, &one, 1);
    CHECK(machine.kernel().now() == c.mpb_write_cycles * core_cycle);
  });
  machine.kernel().start(47, [&] {
    machine.kernel().advance(visible + late);
    machine.kernel().synchronise();
    seen = static_cast<int>(machine.message_buffers()->mpb(47)[40]);
  });
  REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
  CHECK(seen == (late < 0 ? 0 : 1));
}

TEST_CASE("a waiting core goes on after the first poll that can see the store") {
  const MachineConfig c = scc();
  const int delay = GENERATE(0, 1, 2, 3, 100, 1000);
  SccMachine machine(c, stack, 0);
  const Picoseconds poll = c.mpb_read_cycles * core_cycle + c.mpb_local_mesh_cycles * mesh_cycle;
  const Picoseconds visible = (delay + c.mpb_write_cycles) * core_cycle + 4 * 8 * mesh_cycle;
  Picoseconds went_on = -1;
  machine.kernel().start(47, [&] {
    machine.compute(delay);
    const std::uint8_t one = 1;
    machine.message_buffers()->store(0, 40, &one, 1);
  });
  machine.kernel().start(0, [&] {
    machine.message_buffers()->wait(0, 40, Condition{0xff, 1, 1}, 0);
    went_on = machine.kernel().now();
  });
  REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
  const Picoseconds look = c.mpb_local_mesh_cycles * mesh_cycle / 2; // from issue to the buffer
  Picoseconds expected = poll;
  while (expected - poll + look < visible) expected += poll;
  CHECK(went_on == expected);
}

TEST_CASE("a core that waits sees what it has stored before, not what was there when it set out") {
  const MachineConfig c = scc();
  SccMachine machine(c, stack, 0);
  const int delay = 1000;
  Picoseconds went_on = -1;
  machine.kernel().start(0, [&] {
    const std::uint8_t one = 1, none = 0;
    machine.message_buffers()->store(0, 40, &one, 1);
    machine.compute(100);
    machine.message_buffers()->store(0, 40, &none, 1);
    machine.message_buffers()->wait(0, 40, Condition{0xff, 1, 1}, 0);
    went_on = machine.kernel().now();
  });
  machine.kernel().start(47, [&] {
    machine.compute(delay);
    const std::uint8_t one = 1;
    machine.message_buffers()->store(0, 40, &one, 1);
  });
  REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
  CHECK(went_on > delay * core_cycle);
}

TEST_CASE("a look sees what is there when it looks, not what is there when its core goes on") {
  MachineConfig c = scc();
  c.contention = false; // else the second store waits for the first at the port
  // Polls of the own tile look 4 mesh cycles after their issue. The word is set for less than a period, so
  // that one look sees it or none.
  const Picoseconds period = c.mpb_read_cycles * core_cycle + c.mpb_local_mesh_cycles * mesh_cycle;
  const Picoseconds sample = c.mpb_local_mesh_cycles * mesh_cycle / 2;
  const Picoseconds set_at = GENERATE(0, 20'000, 50'000, 100'000, 120'000), length = GENERATE(5'000, 60'000);
  const Picoseconds begin = 20 * period + sample + set_at, end = begin + length;
  SccMachine machine(c, stack, 0);
  Picoseconds went_on = -1;
  machine.kernel().start(0, [&] {
    machine.message_buffers()->wait(0, 40, {.mask = 0xff, .value = 1, .bytes = 1}, 0);
    went_on = machine.kernel().now();
  });
  for (const bool sets : {true, false})
    machine.kernel().start(sets ? 2 : 4, [&, sets] {
      const int hops = sets ? 1 : 2;
      machine.kernel().advance((sets ? begin : end) - c.mpb_write_cycles * core_cycle -
                               4 * hops * mesh_cycle);
      const std::uint8_t value = sets ? 1 : 0;
      machine.message_buffers()->store(0, 40, &value, 1);
    });
  const bool seen = set_at == 0 || set_at + length > period; // the next look is a period after the last
  CHECK((machine.kernel().run() == mesh::Kernel::End::finished) == seen);
  if (seen) CHECK(went_on == (set_at == 0 ? 21 : 22) * period);
}

TEST_CASE("private lines cost by where they are found") {
  const MachineConfig c = scc();
  alignas(4096) static std::array<char, 64 * 4096> memory;
  SccMachine machine(c, stack, 0);
  std::vector<Picoseconds> took;
  machine.kernel().start(0, [&] {
    machine.map_private(0, memory.data(), memory.size());
    const auto put_line = [&](std::size_t offset) {
      const Picoseconds start = machine.kernel().now();
      machine.message_buffers()->put(0, 0, memory.data() + offset, 32, Copy::prefetching);
      took.push_back(machine.kernel().now() - start);
    };
    put_line(0); // nowhere yet
    put_line(0); // in L1
    for (std::size_t way = 1; way <= 4; ++way) machine.touch(memory.data() + way * 4096, 32, false);
    put_line(0); // pushed out of L1 by four pages of the same set, still in L2
  });
  REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
  const Picoseconds base = (c.mpb_write_cycles + c.l1_line_cycles) * core_cycle;
  // Core 0 sits at its controller: no hops. 46 cycles of the memory clock, half of 800 MT/s.
  CHECK(took[0] == base + (c.dram_core_cycles + c.dram_copy_cycles) * core_cycle + c.dram_ram_cycles * 2500);
  CHECK(took[1] == base);
  CHECK(took[2] == base + c.l2_line_cycles * core_cycle);
}

TEST_CASE("a word of shared memory costs the way to the controller that holds its slot") {
  const MachineConfig c = scc();
  constexpr std::size_t slot = std::size_t{16} << 20;
  SccMachine machine(c, stack, 4 * slot);
  std::vector<Picoseconds> took;
  machine.kernel().start(0, [&] {
    for (std::size_t i = 0; i < 4; ++i) {
      const Picoseconds start = machine.kernel().now();
      machine.message_buffers()->put(0, 0, machine.shared_memory() + i * slot, 32, Copy::prefetching);
      took.push_back(machine.kernel().now() - start);
    }
  });
  REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
  const mesh::Topology& mesh = machine.topology();
  for (int i = 0; i < 4; ++i) {
    const int hops = mesh.hops(mesh.tile_of(mesh::CoreId{0}), mesh.controller_tile(i));
    CHECK(took[static_cast<std::size_t>(i)] - took[0] == 8 * 8 * hops * mesh_cycle); // of 8 words
  }
  CHECK(took[1] > took[0]);
}

TEST_CASE("plain copies into lines that were never read pay for every word") {
  const MachineConfig c = scc();
  alignas(4096) static std::array<char, 4096> memory;
  SccMachine machine(c, stack, 0);
  Picoseconds never_read = -1, was_read = -1;
  machine.kernel().start(0, [&] {
    machine.map_private(0, memory.data(), memory.size());
    const auto get_line = [&] {
      const Picoseconds start = machine.kernel().now();
      machine.message_buffers()->get(memory.data(), 0, 0, 32, Copy::plain);
      return machine.kernel().now() - start;
    };
    get_line();
    never_read = get_line(); // a store does not allocate: still nowhere
    machine.touch(memory.data(), 32, false);
    was_read = get_line();
  });
  REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
  CHECK(never_read - was_read == 8 * (c.plain_store_dram_cycles - c.plain_store_l1_cycles) * core_cycle);
}

TEST_CASE(
    "test-and-set: acquire and release are 113.3 core cycles and three round trips, less on the own tile") {
  const MachineConfig c = scc();
  const auto pair = [](int target) {
    return [target](SccMachine& m) {
      CHECK(m.registers()->lock_try(target));
      m.registers()->lock_release(target);
    };
  };
  const Picoseconds own = timed(0, c, pair(1)), far = timed(0, c, pair(47));
  CHECK(own == (c.lock_acquire_cycles + c.lock_release_cycles - c.lock_local_discount_cycles) * core_cycle);
  CHECK(far == (c.lock_acquire_cycles + c.lock_release_cycles) * core_cycle + 3 * 8 * 8 * mesh_cycle);
}

TEST_CASE("a lock admits one core at a time and everybody in the end") {
  for (const int cores : {2, 3, 47, 48}) {
    SccMachine machine(scc(), stack, 0);
    int inside = 0, most = 0, entries = 0;
    for (int core = 0; core < cores; ++core)
      machine.kernel().start(core, [&] {
        for (int i = 0; i < 5; ++i) {
          machine.registers()->lock_acquire(0);
          most = std::max(most, ++inside);
          ++entries;
          machine.compute(10);
          machine.kernel().synchronise();
          --inside;
          machine.registers()->lock_release(0);
        }
      });
    REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
    CHECK(most == 1);
    CHECK(entries == cores * 5);
  }
}

TEST_CASE("a tile's divider changes its clock and nobody else's") {
  SccMachine machine(scc(), stack, 0);
  Picoseconds slow = -1, other = -1;
  machine.kernel().start(0, [&] {
    machine.power()->set_tile_divider(0, 6);
    const Picoseconds start = machine.kernel().now();
    machine.compute(100);
    slow = machine.kernel().now() - start;
  });
  machine.kernel().start(2, [&] {
    machine.compute(100);
    other = machine.kernel().now();
  });
  REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
  CHECK(slow == 2 * other);
}

TEST_CASE("copies move every byte, whatever the alignment and length") {
  for (const std::size_t length : {1u, 31u, 32u, 33u, 100u, 4095u, 4096u, 4097u, 8160u})
    for (const std::size_t shift : {0u, 1u, 31u}) {
      SccMachine machine(scc(), stack, 0);
      std::vector<unsigned char> out(length + 64, 0xa5), in(length + 64, 0x5a);
      for (std::size_t i = 0; i < length; ++i) out[shift + i] = static_cast<unsigned char>(i * 7 + 1);
      machine.kernel().start(0, [&] {
        machine.message_buffers()->put(47, 32, out.data() + shift, length, Copy::prefetching);
        const std::uint8_t one = 1;
        machine.message_buffers()->store(47, 0, &one, 1);
      });
      machine.kernel().start(47, [&] {
        machine.message_buffers()->wait(47, 0, Condition{0xff, 1, 1}, 0);
        machine.message_buffers()->get(in.data() + 32, 47, 32, length, Copy::prefetching);
      });
      REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
      CAPTURE(length, shift);
      CHECK(std::memcmp(in.data() + 32, out.data() + shift, length) == 0);
      CHECK(std::all_of(in.begin(), in.begin() + 32, [](unsigned char byte) { return byte == 0x5a; }));
      CHECK(std::all_of(in.begin() + 32 + static_cast<std::ptrdiff_t>(length), in.end(),
                        [](unsigned char byte) { return byte == 0x5a; }));
    }
}

TEST_CASE("accesses outside a buffer are refused") {
  SccMachine machine(scc(), stack, 0);
  machine.kernel().start(0, [&] {
    std::uint32_t word = 0;
    CHECK_THROWS_AS(machine.message_buffers()->load(48, 0, &word, 4), mesh::UserError);
    CHECK_THROWS_AS(machine.message_buffers()->load(0, 8192, &word, 4), mesh::UserError);
    CHECK_THROWS_AS(machine.message_buffers()->put(0, 8000, &word, 4000, Copy::plain), mesh::UserError);
  });
  REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
}

TEST_CASE("what memcpy() of own code stores to memory are words at the controller") {
  constexpr std::array cores{0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 16, 17};
  constexpr int lines = 400, stretch = 50;
  MachineConfig c = scc();
  c.controller_gb_per_s = 0.5;
  std::vector<std::byte> memory((lines + 1) * mesh::line_bytes);
  SccMachine machine(c, stack, 0);
  for (const int core : cores) {
    machine.map_private(core, memory.data(), memory.size());
    machine.kernel().start(core, [&] {
      for (int line = 0; line < lines; line += stretch) {
        machine.message_buffers()->own_side(memory.data() + line * mesh::line_bytes,
                                            stretch * mesh::line_bytes, true);
        machine.kernel().synchronise();
      }
    });
  }
  REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
  // 8 words of a line, each of which keeps the controller busy for two lines of 64 ns.
  const double all = static_cast<double>(cores.size()) * lines * 8 * 2 * 64000;
  CHECK(std::abs(static_cast<double>(machine.kernel().clock(cores.back())) / all - 1) < 0.05);
}

TEST_CASE("own code of cores at one controller shares it") {
  // Of the lower left quarter of the chip. One line of memory after the other, each needed at once, or stored
  // word by word, for each of which the controller reads its line and writes it.
  constexpr std::array cores{0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 16, 17};
  constexpr int lines = 4000, stretch = 50;
  MachineConfig c = scc();
  c.contention = GENERATE(true, false);
  c.controller_gb_per_s = GENERATE(0.5, 5.25);
  const std::size_t running = GENERATE(1, 12);
  const auto [stores, alone_each] =
      GENERATE(std::pair{false, false}, std::pair{true, false}, std::pair{true, true});
  const int step = stores ? 8 : static_cast<int>(mesh::line_bytes),
            packets = static_cast<int>(mesh::line_bytes) / step;
  constexpr std::size_t bytes = lines * mesh::line_bytes;
  std::vector<std::vector<std::byte>> memory(running, std::vector<std::byte>(bytes + mesh::line_bytes));
  SccMachine machine(c, stack, 0);
  std::vector<Picoseconds> took(running), alone(running);
  for (std::size_t i = 0; i < running; ++i) {
    machine.map_private(cores[i], memory[i].data(), memory[i].size());
    machine.kernel().start(cores[i], [&, i] {
      mesh::KnownLines known;
      std::array<unsigned long, mesh::KnownLines::sets> table{};
      known.keep_in(table.data());
      for (int line = 0; line < lines; line += stretch) {
        const mesh::AccessStream stream{memory[i].data() + line * mesh::line_bytes, step, stores ? 8u : 4u,
                                        stores ? 1u : 0u};
        const auto rounds = static_cast<std::uint64_t>(stretch * packets);
        Picoseconds time = alone_each ? 0 : machine.access(rounds, {&stream, 1}, known);
        for (std::uint64_t word = 0; alone_each && word < rounds; ++word) {
          mesh::AccessStream one = stream;
          one.address += word * 8;
          time += machine.access(0, {&one, 1}, known);
        }
        alone[i] += time;
        machine.spend_on_memory(0, time);
        machine.kernel().synchronise();
      }
      took[i] = machine.kernel().now();
    });
  }
  REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
  CAPTURE(c.contention, c.controller_gb_per_s, running, stores, alone_each);
  for (std::size_t i = 0; i < running; ++i) {
    if (!c.contention || running == 1) {
      CHECK(took[i] == alone[i]);
    } else if (c.controller_gb_per_s < 1) {
      // 12 of 64 ns wait for each other in turn, of twice that for a word; a core alone would need its line
      // after 155 to 175 ns.
      const double all = 12.0 * 64000 * lines * packets * (stores ? 2 : 1);
      CHECK(std::abs(static_cast<double>(took[i]) / all - 1) < 0.05);
    } else {
      // 5 of 12 ns, 10 of 24 for words: a small part of the line's time.
      CHECK(took[i] > alone[i]);
      CHECK(static_cast<double>(took[i]) < 1.05 * static_cast<double>(alone[i]));
    }
  }
}

TEST_CASE("own code and copies at one controller get together what it has") {
  constexpr std::array cores{0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 16, 17};
  constexpr int lines = 4000, stretch = 50;
  MachineConfig c = scc();
  c.controller_gb_per_s = 0.5;
  c.granularity = GENERATE("exact", "lines");
  std::vector<std::vector<std::byte>> memory(cores.size(),
                                             std::vector<std::byte>((lines + 1) * mesh::line_bytes));
  SccMachine machine(c, stack, 0);
  std::vector<Picoseconds> took(cores.size());
  for (std::size_t i = 0; i < cores.size(); ++i) {
    machine.map_private(cores[i], memory[i].data(), memory[i].size());
    machine.kernel().start(cores[i], [&, i] {
      for (int line = 0; line < lines; line += stretch) {
        std::byte* const from = memory[i].data() + line * mesh::line_bytes;
        if (i % 2 == 0)
          machine.message_buffers()->put(cores[i], 0, from, stretch * mesh::line_bytes, Copy::prefetching);
        else
          machine.message_buffers()->own_side(from, stretch * mesh::line_bytes, false);
        machine.kernel().synchronise();
      }
      took[i] = machine.kernel().now();
    });
  }
  REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
  // 12 cores, each line 64 ns: who is done first has had its part, whatever it was.
  const double all = 12.0 * 64000 * lines;
  CAPTURE(c.granularity, took);
  CHECK(static_cast<double>(std::ranges::max(took)) > 0.98 * all);
  for (const Picoseconds one : took) CHECK(static_cast<double>(one) > 0.85 * all);
  for (const Picoseconds one : took) CHECK(static_cast<double>(one) < 1.2 * all);
}
