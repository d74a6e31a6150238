// SPDX-License-Identifier: Apache-2.0
// Do the rounds of a loop, told at once, take what their loads and stores take one by one?
#include <random>
#include <vector>

#include "catch.hpp"
#include "mesh_sim/machines/scc/costs.hpp"

using namespace mesh;

TEST_CASE("a loop takes what its accesses take one by one") {
  const bool store = GENERATE(false, true);
  constexpr std::size_t room = 1 << 20, step_unit = 8, most_units = 40, most_rounds = 1000;
  std::vector<double> memory(room / sizeof(double));
  const auto* const base = reinterpret_cast<const std::byte*>(memory.data());
  SccCosts at_once({}, 0), one_by_one({}, 0);
  for (SccCosts* const costs : {&at_once, &one_by_one}) costs->map_private(0, base, room);
  std::minstd_rand random(3);
  for (int repetition = 0; repetition < 300; ++repetition) {
    const auto units =
        static_cast<std::int64_t>(random() % (2 * most_units)) - static_cast<std::int64_t>(most_units);
    const std::uint64_t rounds = 2 + random() % most_rounds;
    const std::size_t start = room / 2 + random() % most_rounds * step_unit;
    const std::uint32_t how = store ? 1 | 5U << 1 : 0;
    AccessStream stream{base + start, units * static_cast<std::int64_t>(step_unit), 8, how};
    CAPTURE(repetition, stream.step, rounds, start);
    const Picoseconds whole = at_once.access(at_once.active(0), rounds, {&stream, 1}).time;
    Picoseconds sum = 0;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      sum += one_by_one.access(one_by_one.active(0), 1, {&stream, 1}).time;
      stream.address += stream.step;
    }
    REQUIRE(whole == sum);
    // Some lines are there for the stores.
    const AccessStream load{base + start, 0, 8, 0};
    for (SccCosts* const costs : {&at_once, &one_by_one}) costs->access(costs->active(0), 1, {&load, 1});
  }
}

TEST_CASE("a store stream finds the lines that a load stream of the same loop has brought") {
  alignas(line_bytes) static double memory[1 << 12];
  const auto* const base = reinterpret_cast<const std::byte*>(memory);
  SccCosts costs({}, 0);
  auto& core = costs.active(0);
  costs.map_private(0, base, sizeof memory);
  // a[i + 1] = a[i]: of each line's stores the first one comes before its load.
  constexpr std::uint64_t rounds = 400;
  const AccessStream streams[] = {{base, 8, 8, 0}, {base + 8, 8, 8, 1}};
  const Picoseconds line = costs.core_state(0).dram_line;
  CHECK(costs.access(core, rounds, streams).time == static_cast<Picoseconds>(rounds / 4) * line * 2);
}
