// SPDX-License-Identifier: Apache-2.0
// When accesses of the SCC machine end and when what they write becomes visible, against closed formulas of
// the parameters.
#include <array>
#include <functional>
#include <numeric>
#include <vector>

#include "catch.hpp"
#include "mesh_sim/machines/scc/machine.hpp"

using mesh::Condition;
using mesh::Copy;
using mesh::Picoseconds;
using mesh::SccMachine;

namespace {

constexpr std::size_t stack_bytes = 64 * 1024;

mesh::MachineConfig quiet() {
  mesh::MachineConfig config;
  config.contention = false;
  return config;
}

// 533 MHz and 800 MHz, rounded to picoseconds.
constexpr Picoseconds core_cycle = 1875, mesh_cycle = 1250;

int hops(int a, int b) {
  return std::abs(a / 2 % 6 - b / 2 % 6) + std::abs(a / 12 - b / 12);
}

} // namespace

TEST_CASE("a stored byte is visible one traversal after the store, not a picosecond earlier") {
  const auto config = quiet();
  for (const int target : {1, 2, 13, 47}) {
    const Picoseconds traversal =
        target < 2 ? config.mpb_local_mesh_cycles * mesh_cycle / 2 : 4 * hops(0, target) * mesh_cycle;
    const Picoseconds visible = config.mpb_write_cycles * core_cycle + traversal;
    for (const Picoseconds look : {visible - 1, visible}) {
      SccMachine machine(config, stack_bytes, 1 << 20);
      std::uint8_t seen = 99;
      machine.kernel().start(0, [&] {
        const std::uint8_t one = 1;
        machine.message_buffers()->store(target, 100, &one, 1);
      });
      machine.kernel().start(target, [&] {
        // A local read looks at the memory half a local traversal after its issue.
        machine.kernel().advance_to(look - config.mpb_local_mesh_cycles * mesh_cycle / 2);
        machine.message_buffers()->load(target, 100, &seen, 1);
      });
      REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
      INFO("target " << target << ", looked at " << look << " ps, visible at " << visible);
      REQUIRE(int{seen} == (look >= visible ? 1 : 0));
    }
  }
}

TEST_CASE("a sleeping wait ends at the instant at which the reading loop would have ended") {
  const auto config = quiet();
  for (const int writer : {1, 12, 47})
    for (int delay = 0; delay < 260; ++delay) {
      std::array<Picoseconds, 2> end{};
      for (const bool polls : {false, true}) {
        SccMachine machine(config, stack_bytes, 1 << 20);
        machine.kernel().start(0, [&] {
          if (polls) {
            std::uint8_t value = 0;
            do {
              machine.compute(10); // the loop's own work comes before the look
              machine.message_buffers()->load(0, 7, &value, 1);
            } while (value != 1);
          } else {
            machine.message_buffers()->wait(0, 7, Condition{0xff, 1, 1}, 10);
          }
          end[polls ? 1 : 0] = machine.kernel().now();
        });
        machine.kernel().start(writer, [&] {
          machine.compute(delay);
          const std::uint8_t one = 1;
          machine.message_buffers()->store(0, 7, &one, 1);
        });
        REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
      }
      INFO("writer " << writer << ", delay " << delay << " cycles");
      REQUIRE(end[0] == end[1]);
    }
}

TEST_CASE("a wait on a bit does not wake for other bits of its byte") {
  SccMachine machine(quiet(), stack_bytes, 1 << 20);
  Picoseconds woke = 0, second = 0;
  machine.kernel().start(0, [&] {
    machine.message_buffers()->wait(0, 9, Condition{0x04, 0x04, 1}, 0);
    woke = machine.kernel().now();
  });
  machine.kernel().start(2, [&] {
    machine.message_buffers()->update(0, 9, 0x03, 0x03);
    machine.compute(2000);
    second = machine.kernel().now();
    machine.message_buffers()->update(0, 9, 0x04, 0x04);
  });
  REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
  REQUIRE(woke > second);
  REQUIRE(machine.message_buffers()->mpb(0)[9] == std::byte{0x07});
}

TEST_CASE("stores of one core become visible in their order") {
  SccMachine machine(quiet(), stack_bytes, 1 << 20);
  bool in_order = true;
  machine.kernel().start(0, [&] {
    for (std::uint8_t n = 1; n < 100; ++n) {
      machine.message_buffers()->store(46, 0, &n, 1);
      machine.message_buffers()->store(46, 40, &n, 1);
    }
  });
  machine.kernel().start(46, [&] {
    std::uint8_t first = 0, second = 0;
    while (second < 99) {
      machine.message_buffers()->load(46, 40, &second, 1);
      machine.message_buffers()->load(46, 0, &first, 1);
      in_order = in_order && first >= second;
    }
  });
  REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
  REQUIRE(in_order);
}

TEST_CASE("a copy that nobody disturbs takes the same time in one piece and line by line") {
  alignas(4096) static std::array<unsigned char, 8000>
      data; // where it lies in a page decides what stays in L1
  for (const Copy how : {Copy::plain, Copy::prefetching}) {
    std::array<Picoseconds, 2> taken{};
    std::size_t n = 0;
    for (const char* granularity : {"exact", "lines"}) {
      mesh::MachineConfig config;
      config.granularity = granularity;
      SccMachine machine(config, stack_bytes, 1 << 20);
      machine.map_private(0, data.data(), data.size());
      machine.kernel().start(0, [&] {
        machine.message_buffers()->put(20, 0, data.data(), data.size(), how);
        machine.message_buffers()->get(data.data(), 20, 0, data.size(), how);
      });
      REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
      taken[n++] = machine.kernel().clock(0);
    }
    REQUIRE(taken[0] == taken[1]);
  }
}

TEST_CASE("a get into shared memory leaves the lines in L1 that one into a buffer leaves") {
  alignas(4096) static std::array<unsigned char, 12'288> data; // more than stays in L1 beside them
  constexpr std::size_t lines = 20, read = 8000;
  for (const std::size_t offset : {640u, 1984u, 3200u}) {
    std::array<Picoseconds, 2> behind{};
    for (const bool shared : {false, true}) {
      SccMachine machine(quiet(), stack_bytes, 1 << 20);
      machine.map_private(0, data.data(), data.size());
      std::byte* const target = shared ? machine.shared_memory() : machine.message_buffers()->mpb(0);
      const auto read_data = [&](std::size_t at) {
        machine.message_buffers()->put(20, 0, data.data() + at, read, Copy::prefetching);
      };
      machine.kernel().start(0, [&] {
        for (const std::size_t at : {0u, 4096u, 0u, 4096u}) read_data(at);
        machine.message_buffers()->get(target, 20, offset, lines * mesh::line_bytes, Copy::prefetching);
        const Picoseconds begin = machine.kernel().now();
        for (const std::size_t at : {4096u, 0u}) read_data(at);
        behind[shared ? 1 : 0] = machine.kernel().now() - begin;
      });
      // Another core acts all the time, so that the copies are made piece by piece.
      machine.kernel().start(2, [&] {
        std::uint8_t byte = 0;
        for (int i = 0; i < 5000; ++i) machine.message_buffers()->load(2, 0, &byte, 1);
      });
      REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
    }
    CAPTURE(offset);
    CHECK(behind[0] == behind[1]);
  }
}

TEST_CASE("a word of shared memory keeps its controller busy for a line, one that is stored for two") {
  mesh::MachineConfig config;
  config.controller_gb_per_s = 0.02; // all else is faster
  constexpr Picoseconds line = 1'600'000;
  constexpr int words = 128;
  const auto taken = [&](std::size_t bytes, bool storing) {
    SccMachine machine(config, stack_bytes, 1 << 20);
    machine.kernel().start(0, [&] {
      for (std::size_t done = 0; done < words * std::size_t{4}; done += bytes)
        if (storing)
          machine.message_buffers()->get(machine.shared_memory() + done, 0, 0, bytes, Copy::prefetching);
        else
          machine.message_buffers()->put(0, 0, machine.shared_memory() + done, bytes, Copy::prefetching);
    });
    REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
    return machine.kernel().clock(0);
  };
  for (const mesh::Cycles plain_store : {425, 3000}) { // of private memory, which is not met
    config.plain_store_dram_cycles = plain_store;
    for (const std::size_t bytes : {4u, 8u, 32u, 512u}) {
      CAPTURE(plain_store, bytes);
      CHECK(taken(bytes, false) / line == words - 1);
      CHECK(taken(bytes, true) / (2 * line) == words - 1);
    }
  }
}

TEST_CASE("atomic counters count every increment") {
  SccMachine machine(mesh::MachineConfig{}, stack_bytes, 1 << 20);
  std::vector<int> seen(48 * 10);
  for (int core = 0; core < 48; ++core)
    machine.kernel().start(core, [&] {
      for (int n = 0; n < 10; ++n) ++seen[machine.registers()->counter_access(3, false, 0, true)];
    });
  REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
  for (const int times : seen) REQUIRE(times == 1);
}

TEST_CASE(
    "contention: two cores that read one MPB at once take longer than one alone, and never lose bytes") {
  const auto run = [](int readers, bool contention) {
    mesh::MachineConfig config;
    config.contention = contention;
    SccMachine machine(config, stack_bytes, 1 << 20);
    std::vector<std::vector<unsigned char>> data(48, std::vector<unsigned char>(4096));
    Picoseconds latest = 0;
    for (int n = 0; n < readers; ++n) {
      const int core = 47 - n;
      machine.map_private(core, data[static_cast<std::size_t>(core)].data(), 4096);
      machine.kernel().start(core, [&, core] {
        machine.message_buffers()->get(data[static_cast<std::size_t>(core)].data(), 0, 0, 4096,
                                       Copy::prefetching);
        latest = std::max(latest, machine.kernel().now());
      });
    }
    REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
    return latest;
  };
  REQUIRE(run(1, true) == run(1, false));
  REQUIRE(run(47, true) > run(47, false));
}
