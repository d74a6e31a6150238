// SPDX-License-Identifier: Apache-2.0
// Do the rounds of a loop, told at once, take what their loads and stores take one by one? Does what is known
// of the caches change nothing?
#include <array>
#include <random>
#include <vector>

#include "catch.hpp"
#include "mesh_sim/machines/scc/costs.hpp"
#include "mesh_sim/parts/own_accesses.hpp"

using namespace mesh;

namespace {

/// The accesses of one core to its private memory.
class OwnCore {
 public:
  OwnCore(const std::byte* base, std::size_t bytes) : costs_({}, 0) {
    costs_.map_private(0, base, bytes);
    known_.keep_in(table_.data());
  }
  Picoseconds loop(std::uint64_t rounds, std::span<const AccessStream> streams) {
    const Picoseconds time = costs_.access(costs_.active(0), rounds, streams, known_);
    l2_time_ += known_.l2_time();
    return time;
  }
  Picoseconds one(const AccessStream& access) { return loop(0, {&access, 1}); }
  /// Looks at the caches in any case.
  Picoseconds really(const AccessStream& access) {
    known_.forget();
    return one(access);
  }
  /// The time that the second-level cache has served.
  [[nodiscard]] Picoseconds l2_time() const { return l2_time_; }
  [[nodiscard]] const SccCosts::CoreState& state() const { return costs_.core_state(0); }

 private:
  SccCosts costs_;
  std::array<unsigned long, KnownLines::sets> table_{};
  KnownLines known_;
  Picoseconds l2_time_ = 0;
};

} // namespace

TEST_CASE("a loop takes what its accesses take one by one") {
  const bool store = GENERATE(false, true);
  constexpr std::size_t room = 1 << 20, step_unit = 8, most_units = 40, most_rounds = 1000;
  std::vector<double> memory(room / sizeof(double));
  const auto* const base = reinterpret_cast<const std::byte*>(memory.data());
  OwnCore at_once(base, room), one_by_one(base, room);
  std::minstd_rand random(3);
  for (int repetition = 0; repetition < 300; ++repetition) {
    const auto units =
        static_cast<std::int64_t>(random() % (2 * most_units)) - static_cast<std::int64_t>(most_units);
    const std::uint64_t rounds = 2 + random() % most_rounds;
    const std::size_t start = room / 2 + random() % most_rounds * step_unit;
    const std::uint32_t how = store ? 1 | 5U << 1 : 0;
    AccessStream stream{base + start, units * static_cast<std::int64_t>(step_unit), 8, how};
    CAPTURE(repetition, stream.step, rounds, start);
    const Picoseconds whole = at_once.loop(rounds, {&stream, 1});
    Picoseconds sum = 0;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      sum += one_by_one.really(stream);
      stream.address += stream.step;
    }
    REQUIRE(whole == sum);
    REQUIRE(at_once.l2_time() == one_by_one.l2_time());
    // Some lines are there for the stores.
    const AccessStream load{base + start, 0, 8, 0};
    for (OwnCore* const core : {&at_once, &one_by_one}) core->really(load);
  }
}

TEST_CASE("a store stream finds the lines that a load stream of the same loop has brought") {
  alignas(line_bytes) static double memory[1 << 12];
  const auto* const base = reinterpret_cast<const std::byte*>(memory);
  OwnCore core(base, sizeof memory);
  // a[i + 1] = a[i]: of each line's stores the first one comes before its load.
  constexpr std::uint64_t rounds = 400;
  const AccessStream streams[] = {{base, 8, 8, 0}, {base + 8, 8, 8, 1}};
  const Picoseconds time = core.loop(rounds, streams);
  CHECK(time == static_cast<Picoseconds>(rounds / 4) * core.state().dram_line * 2);
}

TEST_CASE("streams that advance alike take the same many lines at once and few") {
  constexpr std::size_t room = 1 << 20, page = AddressSpace::page_bytes;
  std::vector<double> memory(room / sizeof(double) + page);
  const auto* const base = reinterpret_cast<const std::byte*>(
      (reinterpret_cast<std::uintptr_t>(memory.data()) + page - 1) / page * page);
  OwnCore at_once(base, room), in_parts(base, room);
  std::minstd_rand random(7);
  for (int repetition = 0; repetition < 500; ++repetition) {
    constexpr std::array<std::int64_t, 4> steps{4, 8, 16, 32};
    const std::int64_t step = steps[random() % steps.size()];
    const std::uint64_t rounds_of_line = line_bytes / static_cast<std::uint64_t>(step),
                        parts = 1 + random() % 60;
    std::vector<AccessStream> streams(1 + random() % 6);
    for (AccessStream& one : streams) {
      const std::uint32_t how = random() % 3 == 0 ? 1 | (random() % 30) << 1 : 0;
      // Some at equal places of their pages, or ahead of others by less than a step, some in the same line.
      const std::size_t start = random() % (room / 2 / page) * page + random() % 4 * 5 * line_bytes +
          random() % 3 * 4 % static_cast<std::size_t>(step);
      one = {base + (random() % 4 == 0 ? 3 * page : start), step, 4, how};
    }
    CAPTURE(repetition, step, parts, streams.size());
    // Four lines at a time are too few to be taken at once.
    constexpr std::uint64_t few = 4;
    const Picoseconds whole = at_once.loop(parts * few * rounds_of_line, streams);
    Picoseconds sum = 0;
    for (std::uint64_t part = 0; part < parts; ++part) {
      sum += in_parts.loop(few * rounds_of_line, streams);
      for (AccessStream& one : streams) one.address += few * line_bytes;
    }
    REQUIRE(whole == sum);
    REQUIRE(at_once.l2_time() == in_parts.l2_time());
    REQUIRE(at_once.state().dram_lines == in_parts.state().dram_lines);
    REQUIRE(at_once.state().l2_hits == in_parts.state().l2_hits);
    REQUIRE(at_once.state().write_backs == in_parts.state().write_backs);
  }
}

TEST_CASE("a long access takes what its lines take one by one") {
  constexpr std::size_t room = 1 << 20;
  alignas(line_bytes) static std::byte memory[room];
  OwnCore at_once(memory, room), one_by_one(memory, room);
  std::minstd_rand random(5);
  for (int repetition = 0; repetition < 300; ++repetition) {
    const bool store = random() % 2 == 0;
    const std::size_t lines = 1 + random() % 300, start = random() % 1000 * 4 * line_bytes;
    const AccessStream whole{memory + start, 0, static_cast<std::uint32_t>(lines * line_bytes),
                             store ? 1U : 0};
    Picoseconds sum = 0;
    for (std::size_t i = 0; i < lines; ++i) {
      const AccessStream word{memory + start + i * line_bytes, 0, 8, whole.how};
      sum += one_by_one.really(word) * (store ? 8 : 1);
    }
    CAPTURE(repetition, store, lines, start);
    REQUIRE(at_once.one(whole) == sum);
  }
}

TEST_CASE("a get takes what its lines take one by one, wherever buffer and memory meet in the cache") {
  constexpr std::size_t page = 4096, room = 32 * page, most_lines = 255;
  alignas(page) static std::byte memory[room];
  SccCosts at_once({}, 0), one_by_one({}, 0);
  for (SccCosts* const costs : {&at_once, &one_by_one}) costs->map_private(0, memory, room);
  std::minstd_rand random(7);
  for (int repetition = 0; repetition < 1000; ++repetition) {
    const std::size_t offset = random() % 30 * line_bytes, lines = 1 + random() % most_lines;
    const std::byte* const target = memory + random() % (room / line_bytes - lines) * line_bytes;
    const Copy how = random() % 2 == 0 ? Copy::plain : Copy::prefetching;
    CAPTURE(repetition, offset / line_bytes, (target - memory) / static_cast<int>(line_bytes), lines, how);
    auto &whole = at_once.active(0), &single = one_by_one.active(0);
    for (auto* const core : {&whole, &single}) core->l1.invalidate_mpb();
    Picoseconds sum = 0;
    for (std::size_t at = 0; at < lines * line_bytes; at += line_bytes)
      sum += one_by_one.take_lines(single, offset + at, target + at, line_bytes, how).time;
    REQUIRE(at_once.take_lines(whole, offset, target, lines * line_bytes, how).time == sum);
    // What stays in the cache is the same, too.
    const std::byte* const read = memory + random() % (room / page) * page;
    for (std::size_t at = 0; at < page; at += line_bytes)
      REQUIRE(at_once.read_private(whole, read + at, line_bytes).time ==
              one_by_one.read_private(single, read + at, line_bytes).time);
  }
}

TEST_CASE("what is known of the caches changes no time") {
  constexpr std::size_t room = 1 << 17; // as much as stays in the second-level cache
  alignas(line_bytes) static std::byte memory[room];
  OwnCore knows(memory, room), forgets(memory, room);
  std::minstd_rand random(11);
  for (int i = 0; i < 100'000; ++i) {
    // A few lines of many sets, now and then any.
    const std::size_t place =
        random() % 50 == 0 ? random() % (room / 4) : random() % 12 * 1021 + random() % 16;
    const std::uint32_t how = random() % 2 == 0 ? 1 | (random() % 30) << 1 : 0;
    const AccessStream access{memory + place * 4, 0, 4, how};
    CAPTURE(i, place, how);
    REQUIRE(knows.one(access) == forgets.really(access));
  }
  CHECK(knows.l2_time() == forgets.l2_time());
  CHECK(knows.l2_time() > 0);
  CHECK(knows.state().dram_lines == forgets.state().dram_lines);
}
