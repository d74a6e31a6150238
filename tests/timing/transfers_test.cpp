// SPDX-License-Identifier: Apache-2.0
// Copies under way: is each byte seen when its line has come, whoever looks, though it moves later on the
// host?
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "catch.hpp"
#include "mesh_sim/machines/scc/machine.hpp"

using namespace mesh;

namespace {

constexpr std::size_t stack = 256 * 1024, bytes = 8000;

MachineConfig machine_with(const std::string& granularity) {
  MachineConfig config;
  config.granularity = granularity;
  return config;
}

/// Lines with the value of the new message at the front of a buffer that is filled in order; 1000: not in
/// order.
int new_lines(const std::byte* buffer) {
  int lines = 0;
  while (lines < 250 && buffer[lines * 32] == std::byte{2}) ++lines;
  for (int line = lines; line < 250; ++line)
    if (buffer[line * 32] == std::byte{2}) return 1000;
  return lines;
}

} // namespace

TEST_CASE("loads during a put see the lines that have been put, to the line") {
  for (const std::string granularity : {"exact", "lines"}) {
    CAPTURE(granularity);
    SccMachine machine(machine_with(granularity), stack, 0);
    std::vector<std::byte> source(bytes, std::byte{2});
    Picoseconds begin = 0, end = 0;
    std::vector<std::pair<Picoseconds, int>> seen; // first old line at an instant
    machine.kernel().start(4, [&] {
      machine.map_private(4, source.data(), source.size());
      begin = machine.kernel().now();
      machine.message_buffers()->put(10, 0, source.data(), bytes, Copy::prefetching);
      end = machine.kernel().now();
    });
    machine.kernel().start(11, [&] {
      for (int line = 10; line < 250; line += 40) {
        std::byte byte{};
        while (byte != std::byte{2})
          machine.message_buffers()->load(10, static_cast<std::size_t>(line) * 32, &byte, 1);
        seen.emplace_back(machine.kernel().now(), line);
      }
    });
    REQUIRE(machine.kernel().run() == Kernel::End::finished);
    REQUIRE(seen.size() == 6);
    for (const auto& [at, line] : seen) {
      const double share = static_cast<double>(at - begin) / static_cast<double>(end - begin);
      CAPTURE(line, share);
      CHECK(share > line / 250.0);       // not before its line has come
      CHECK(share < (line + 4) / 250.0); // and at the next look or the one after
    }
  }
}

TEST_CASE("a get that overtakes or follows a put of the same buffer takes each line as it is then") {
  for (const std::string granularity : {"exact", "lines"})
    for (const bool put_first : {false, true}) {
      CAPTURE(granularity, put_first);
      SccMachine machine(machine_with(granularity), stack, 0);
      std::vector<std::byte> source(bytes, std::byte{2}), taken(bytes, std::byte{9});
      std::memset(machine.message_buffers()->mpb(10), 1, 8192);
      constexpr Picoseconds apart = 10'000'000; // 10 us: some 60 lines
      machine.kernel().start(4, [&] {
        machine.map_private(4, source.data(), source.size());
        machine.kernel().advance_to(put_first ? 0 : apart);
        machine.message_buffers()->put(10, 0, source.data(), bytes, Copy::prefetching);
      });
      machine.kernel().start(30, [&] { // far away: a line takes longer than the put's
        machine.map_private(30, taken.data(), taken.size());
        machine.kernel().advance_to(put_first ? apart : 0);
        machine.message_buffers()->get(taken.data(), 10, 0, bytes, Copy::prefetching);
      });
      REQUIRE(machine.kernel().run() == Kernel::End::finished);
      CHECK(std::all_of(machine.message_buffers()->mpb(10), machine.message_buffers()->mpb(10) + bytes,
                        [](std::byte b) { return b == std::byte{2}; }));
      int turns = 0; // old bytes, then new ones where the put catches up; all new where it is ahead
      for (std::size_t line = 1; line < 250; ++line)
        turns += taken[line * 32] != taken[line * 32 - 32] ? 1 : 0;
      if (put_first) {
        CHECK(new_lines(taken.data()) == 250);
      } else {
        CHECK(turns == 1);
        CHECK(taken[0] == std::byte{1});
        CHECK(taken[bytes - 1] == std::byte{2});
      }
    }
}

TEST_CASE("a put out of a buffer that another copy fills takes each line as it is then") {
  for (const std::string granularity : {"exact", "lines"}) {
    CAPTURE(granularity);
    SccMachine machine(machine_with(granularity), stack, 0);
    std::vector<std::byte> source(bytes, std::byte{2});
    machine.kernel().start(4, [&] {
      machine.map_private(4, source.data(), source.size());
      machine.message_buffers()->put(10, 0, source.data(), bytes, Copy::prefetching);
    });
    machine.kernel().start(30, [&] {
      machine.kernel().advance_to(30'000'000); // so that it does not catch up
      machine.message_buffers()->put(20, 0, machine.message_buffers()->mpb(10), bytes, Copy::prefetching);
    });
    REQUIRE(machine.kernel().run() == Kernel::End::finished);
    CHECK(new_lines(machine.message_buffers()->mpb(20)) == 250);
  }
}

TEST_CASE("a store into a buffer under way is neither lost nor early") {
  for (const std::string granularity : {"exact", "lines"}) {
    CAPTURE(granularity);
    SccMachine machine(machine_with(granularity), stack, 0);
    std::vector<std::byte> taken(bytes, std::byte{9});
    std::memset(machine.message_buffers()->mpb(10), 1, 8192);
    machine.kernel().start(30, [&] {
      machine.map_private(30, taken.data(), taken.size());
      machine.message_buffers()->get(taken.data(), 10, 0, bytes, Copy::prefetching);
    });
    machine.kernel().start(4, [&] {
      machine.kernel().advance_to(30'000'000); // of some 75 us
      const std::byte late{7};
      machine.message_buffers()->store(10, 10 * 32, &late, 1);  // this line has been read
      machine.message_buffers()->store(10, 240 * 32, &late, 1); // this one has not
    });
    REQUIRE(machine.kernel().run() == Kernel::End::finished);
    CHECK(taken[10 * 32] == std::byte{1});
    CHECK(taken[240 * 32] == std::byte{7});
    CHECK(machine.message_buffers()->mpb(10)[10 * 32] == std::byte{7});
  }
}

TEST_CASE("stores into what a get reads are seen as line by line, also where its lines take longest") {
  // From the farthest tile of a slow mesh, into memory in no cache, for which modified lines have to leave.
  constexpr std::size_t areas = 64, first_line = 120, stores = 12;
  struct Run {
    std::string seen; ///< state of each line, o or n: old or new
    Picoseconds begin = 0, end = 0;
  };
  const auto run = [](const std::string& granularity, Picoseconds before) {
    MachineConfig config = machine_with(granularity);
    config.router_cycles = 16;
    SccMachine machine(config, stack, 0);
    alignas(4096) static std::array<std::byte, areas * 8192> memory; // where it lies decides what meets
    memory.fill(std::byte{});
    std::memset(machine.message_buffers()->mpb(0), 1, 8192);
    Run result;
    machine.kernel().start(47, [&] {
      machine.map_private(47, memory.data(), memory.size());
      for (std::size_t area = areas; area-- > 0;) {
        result.begin = machine.kernel().now();
        machine.message_buffers()->get(memory.data() + area * 8192, 0, 0, bytes, Copy::prefetching);
      }
      result.end = machine.kernel().now();
    });
    machine.kernel().start(3, [&] {
      machine.kernel().advance_to(before);
      const std::byte late{7};
      for (std::size_t line = first_line; line < first_line + stores; ++line)
        machine.message_buffers()->store(0, line * 32, &late, 1);
    });
    REQUIRE(machine.kernel().run() == Kernel::End::finished);
    for (std::size_t line = first_line; line < first_line + stores; ++line)
      result.seen += memory[line * 32] == std::byte{7} ? 'n' : 'o';
    return result;
  };
  const Run early = run("lines", 0);
  const Picoseconds line_time = (early.end - early.begin) / 250;
  int mixed = 0;
  for (int i = -5; i < 15; ++i) {
    const Picoseconds at = early.begin + (static_cast<Picoseconds>(first_line) + i) * line_time;
    CAPTURE(i);
    const std::string wanted = run("lines", at).seen;
    CHECK(run("exact", at).seen == wanted);
    if (wanted.front() != wanted.back()) ++mixed;
  }
  CHECK(mixed > 2);
}

TEST_CASE("a core that spins on plain memory sees a put while it is under way") {
  for (const std::string granularity : {"exact", "lines"}) {
    CAPTURE(granularity);
    SccMachine machine(machine_with(granularity), stack, 0);
    std::vector<std::byte> source(bytes, std::byte{2});
    Picoseconds half = 0, end = 0;
    machine.kernel().start(4, [&] {
      machine.map_private(4, source.data(), source.size());
      machine.message_buffers()->put(10, 0, source.data(), bytes, Copy::prefetching);
      end = machine.kernel().now();
    });
    machine.kernel().start(10, [&] {
      while (machine.message_buffers()->mpb(10)[125 * 32] != std::byte{2}) machine.spin(1);
      half = machine.kernel().now();
    });
    REQUIRE(machine.kernel().run() == Kernel::End::finished);
    CHECK(static_cast<double>(half) > 0.49 * static_cast<double>(end));
    CHECK(static_cast<double>(half) < 0.53 * static_cast<double>(end));
  }
}

TEST_CASE("copies between MPBs, odd lengths, and the bytes around them") {
  for (const std::string granularity : {"exact", "lines"})
    for (const std::size_t n : {33u, 63u, 1000u, 1601u, 4000u}) {
      CAPTURE(granularity, n);
      SccMachine machine(machine_with(granularity), stack, 0);
      std::memset(machine.message_buffers()->mpb(3), 5, 8192);
      std::memset(machine.message_buffers()->mpb(40), 6, 8192);
      machine.message_buffers()->mpb(3)[64 + n - 1] = std::byte{8};
      machine.kernel().start(40, [&] {
        machine.message_buffers()->get(machine.message_buffers()->mpb(40) + 96, 3, 64, n, Copy::prefetching);
      });
      machine.kernel().start(7, [&] {
        machine.message_buffers()->put(20, 32, machine.message_buffers()->mpb(3) + 64, n, Copy::plain);
      });
      REQUIRE(machine.kernel().run() == Kernel::End::finished);
      CHECK(std::memcmp(machine.message_buffers()->mpb(40) + 96, machine.message_buffers()->mpb(3) + 64, n) ==
            0);
      CHECK(std::memcmp(machine.message_buffers()->mpb(20) + 32, machine.message_buffers()->mpb(3) + 64, n) ==
            0);
      CHECK(machine.message_buffers()->mpb(40)[95] == std::byte{6});
      CHECK(machine.message_buffers()->mpb(40)[96 + n] == std::byte{6});
      CHECK(machine.message_buffers()->mpb(20)[31] == std::byte{0});
      CHECK(machine.message_buffers()->mpb(20)[32 + n] == std::byte{0});
    }
}

TEST_CASE("a clock that changes under a copy changes the lines that are left") {
  const auto duration = [](const std::string& granularity, bool reading, bool slower) {
    SccMachine machine(machine_with(granularity), stack, 0);
    std::vector<std::byte> source(bytes);
    Picoseconds end = 0;
    machine.kernel().start(4, [&] {
      machine.map_private(4, source.data(), source.size());
      if (reading)
        machine.message_buffers()->get(source.data(), 10, 0, bytes, Copy::prefetching);
      else
        machine.message_buffers()->put(10, 0, source.data(), bytes, Copy::prefetching);
      end = machine.kernel().now();
    });
    machine.kernel().start(20, [&] {
      machine.kernel().advance_to(1'000'000); // when a line or two are there
      if (slower) machine.power()->set_tile_divider(2, 6);
    });
    REQUIRE(machine.kernel().run() == Kernel::End::finished);
    return static_cast<double>(end);
  };
  for (const std::string granularity : {"exact", "lines"})
    for (const bool reading : {false, true}) {
      CAPTURE(granularity, reading);
      CHECK(duration(granularity, reading, true) == duration("lines", reading, true));
      CHECK(duration(granularity, reading, true) > 1.4 * duration(granularity, reading, false));
    }
}
