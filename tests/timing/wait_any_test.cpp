// SPDX-License-Identifier: Apache-2.0
// A sleeping core sees what a loop that really reads sees, at the same instant: of several words, of an
// atomic counter, of a lock. Nobody is left for the look when nobody else can act.
#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "mesh_sim/machines/scc/machine.hpp"

using mesh::Condition;
using mesh::Picoseconds;
using mesh::PollTarget;
using mesh::SccMachine;

namespace {

constexpr std::size_t stack_bytes = 64 * 1024;
constexpr mesh::Cycles opening = 13;
constexpr std::array looks{PollTarget{64, Condition{0xff, 1, 1}, 20},
                           PollTarget{96, Condition{0x04, 0x04, 1}, 0},
                           PollTarget{128, Condition{0xffffffff, 0, 4, true}, 7}};

struct Write {
  Picoseconds after; ///< time of the store, from the writer's start
  std::size_t look;  ///< whose word it sets (or clears)
  std::uint32_t value;
};

struct End {
  std::size_t look = 99;
  Picoseconds time = 0;
  friend bool operator==(const End&, const End&) = default;
};

/// Reads the words in turn until one is as wanted, as a program on the chip does.
std::size_t read_in_turn(SccMachine& machine, int core) {
  for (;;) {
    machine.compute(opening);
    for (std::size_t i = 0; i < looks.size(); ++i) {
      machine.compute(looks[i].overhead);
      std::uint32_t word = 0;
      machine.message_buffers()->load(core, looks[i].offset, &word, looks[i].condition.bytes);
      if (looks[i].condition.holds(word)) return i;
    }
  }
}

End run(bool asleep, const std::vector<Write>& writes) {
  mesh::MachineConfig config;
  config.contention = false;
  SccMachine machine(config, stack_bytes, 1 << 20);
  End end;
  machine.kernel().start(0, [&] {
    end.look = asleep ? machine.message_buffers()->wait_any(0, looks, opening) : read_in_turn(machine, 0);
    end.time = machine.kernel().now();
  });
  machine.kernel().start(14, [&] {
    for (const Write& write : writes) {
      machine.kernel().advance_to(write.after);
      machine.message_buffers()->store(0, looks[write.look].offset, &write.value,
                                       looks[write.look].condition.bytes);
    }
  });
  REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
  CHECK(machine.rescues().count == 0);
  return end;
}

/// When each of `cores` gets the lock that core 20 releases at `released`. Each keeps it for a while. Core 20
/// goes on computing, so the end of its run wakes nobody in time.
std::vector<Picoseconds> entries(bool asleep, std::span<const int> cores, Picoseconds released) {
  constexpr int lock = 46;
  mesh::MachineConfig config;
  SccMachine machine(config, stack_bytes, 1 << 20);
  std::vector<Picoseconds> entered(cores.size());
  machine.kernel().start(20, [&] {
    machine.registers()->lock_acquire(lock);
    machine.kernel().advance_to(released);
    machine.registers()->lock_release(lock);
    machine.compute(1'000'000);
  });
  for (std::size_t i = 0; i < cores.size(); ++i)
    machine.kernel().start(cores[i], [&, i] {
      machine.kernel().advance_to(500'000 + 70'001 * static_cast<Picoseconds>(i));
      if (asleep)
        machine.registers()->lock_acquire(lock);
      else
        while (!machine.registers()->lock_try(lock)) {
        }
      entered[i] = machine.kernel().now();
      machine.compute(400);
      machine.registers()->lock_release(lock);
    });
  REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
  CHECK(machine.rescues().count == 0);
  return entered;
}

} // namespace

TEST_CASE("a sleeping loop of several looks ends as the reading loop does") {
  for (Picoseconds first = 0; first < 1'500'000; first += 9'973) {
    const auto [look, value] = std::array<std::pair<std::size_t, std::uint32_t>, 3>{
        {{0, 1}, {1, 0x84}, {2, 0x10000}}}[static_cast<std::size_t>(first / 9'973) % 3];
    const std::vector<Write> writes{{first, look, value}};
    INFO("one write at " << first);
    CHECK(run(true, writes) == run(false, writes));
  }
}

TEST_CASE("of two words the one that the loop looks at first is seen first, whichever was written first") {
  for (Picoseconds first = 100'000; first < 1'000'000; first += 49'999)
    for (Picoseconds second = first; second < first + 600'000; second += 30'011) {
      const std::vector<Write> writes{{first, 0, 1}, {second, 2, 77}};
      INFO("writes at " << first << " and " << second);
      CHECK(run(true, writes) == run(false, writes));
    }
}

TEST_CASE("what is taken back between two looks is not seen") {
  for (Picoseconds first = 100'000; first < 1'000'000; first += 9'973) {
    const std::vector<Write> writes{{first, 1, 4}, {first + 150'000, 1, 0}, {2'000'000, 0, 1}};
    INFO("first write at " << first);
    CHECK(run(true, writes) == run(false, writes));
  }
}

TEST_CASE("nobody writes: a deadlock") {
  mesh::MachineConfig config;
  SccMachine machine(config, stack_bytes, 1 << 20);
  machine.kernel().start(3, [&] { machine.message_buffers()->wait_any(3, looks, opening); });
  REQUIRE(machine.kernel().run() == mesh::Kernel::End::deadlock);
  REQUIRE(machine.kernel().blocked(3));
}

TEST_CASE("a core that waits for a counter goes on as one that reads it with pauses") {
  constexpr mesh::Backoff pauses{.first = 32, .last = 200};
  const auto end_of = [&](bool asleep, Picoseconds written, bool contention) {
    mesh::MachineConfig config;
    config.contention = contention;
    SccMachine machine(config, stack_bytes, 1 << 20);
    Picoseconds end = 0;
    machine.kernel().start(7, [&] {
      if (asleep) {
        machine.registers()->counter_wait(5, 3, pauses);
      } else {
        mesh::Cycles pause = pauses.first;
        while (machine.registers()->counter_access(5, false, 0, false) != 3) {
          machine.compute(pause);
          pause = std::min(2 * pause, pauses.last);
        }
      }
      end = machine.kernel().now();
    });
    machine.kernel().start(40, [&] {
      machine.kernel().advance_to(written);
      machine.registers()->counter_access(5, true, 2, false);
      machine.registers()->counter_access(5, false, 0, true);
    });
    REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
    return end;
  };
  for (Picoseconds written = 0; written < 5'000'000; written += 19'961) {
    INFO("written at " << written);
    CHECK(end_of(true, written, false) == end_of(false, written, false));
    // Reads that nobody makes one by one are in the way of the write on average.
    const Picoseconds met = std::abs(end_of(true, written, true) - end_of(false, written, true));
    CHECK(met <= 50'000);
  }
}

TEST_CASE("an atomic counter serves one access at a time") {
  // Cores 0 and 1 are on one tile, 6 and 7 on that of the system interface.
  const auto ends = [](std::vector<int> cores, bool contention) {
    mesh::MachineConfig config;
    config.contention = contention;
    SccMachine machine(config, stack_bytes, 1 << 20);
    std::vector<std::pair<Picoseconds, std::uint32_t>> found;
    for (const int core : cores)
      machine.kernel().start(core, [&machine, &found] {
        const std::uint32_t before = machine.registers()->counter_access(3, false, 0, true);
        found.emplace_back(machine.kernel().now(), before);
      });
    REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
    return found;
  };
  constexpr Picoseconds alone = 200 * 1875 + 2 * 4 * 1250, service = 40 * 1250;
  const auto one = ends({6}, true);
  CHECK(one.at(0).first == alone);
  const auto both = ends({6, 7}, true);
  CHECK(both.at(0).first == alone);
  CHECK(both.at(1).first == alone + service);
  CHECK(both.at(1).second == 1);
  CHECK(ends({6, 7}, false).at(1).first == alone);
  // 48 cores: as long as the last one waits for all others, and its way.
  std::vector<int> all;
  for (int core = 0; core < 48; ++core) all.push_back(core);
  CHECK(ends(all, true).back().first >= alone + 47 * service);
  CHECK(ends(all, true).back().first < alone + 48 * service + 2 * 8 * 4 * 1250);
}

TEST_CASE("a released lock wakes whoever polls it next, core 0 too, at the instant of its own loop") {
  const std::vector<std::vector<int>> waiting{{0}, {47}, {0, 1}, {47, 0, 23}, {1, 46, 0, 5, 30, 12}};
  for (const std::vector<int>& cores : waiting)
    for (Picoseconds released = 1'000'000; released < 1'600'000; released += 9'973) {
      INFO(cores.size() << " waiting, the first of them core " << cores.front() << ", released at "
                        << released);
      CHECK(entries(true, cores, released) == entries(false, cores, released));
    }
}

TEST_CASE("a plain store is found when nobody acts, which counts, or by another core's waiting loop, which "
          "does not") {
  for (const bool spins : {false, true}) {
    mesh::MachineConfig config;
    SccMachine machine(config, stack_bytes, 1 << 20);
    Picoseconds end = 0;
    machine.kernel().start(3, [&] {
      machine.message_buffers()->wait(3, 64, Condition{0xff, 1, 1}, 0);
      end = machine.kernel().now();
    });
    machine.kernel().start(14, [&] {
      machine.kernel().advance_to(2'000'000);
      machine.kernel().synchronise();
      machine.message_buffers()->mpb(3)[64] = std::byte{1};
      if (spins) machine.spin(1);
      machine.kernel().advance_to(5'000'000);
    });
    REQUIRE(machine.kernel().run() == mesh::Kernel::End::finished);
    CHECK(machine.rescues().count == (spins ? 0 : 1));
    CHECK(machine.rescues().core == (spins ? -1 : 3));
    CHECK((spins ? end < 5'000'000 : end >= 5'000'000));
  }
}

TEST_CASE("a core that waits for an atomic counter watches no bytes of a buffer") {
  mesh::MachineConfig config;
  SccMachine machine(config, stack_bytes, 1 << 20);
  machine.kernel().start(2, [&] { machine.registers()->counter_wait(0, 7, {8, 256}); });
  CHECK(machine.kernel().run() == mesh::Kernel::End::deadlock);
  CHECK(machine.wait_condition(2).counter == 0);
  CHECK(machine.wait_condition(2).condition.value == 7);
  CHECK(machine.wait_condition(2).target == -1);
  CHECK(machine.wait_condition(2).condition.bytes == 0);
  CHECK_FALSE(machine.wait_condition(2).on_lock);
}
