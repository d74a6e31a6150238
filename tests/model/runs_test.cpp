// SPDX-License-Identifier: Apache-2.0
// Does a run of lines take what its lines take one by one, to the picosecond, whoever meets it? Random
// programs on random machines: all cores copy to and from each other's buffers, store, load, lock, count, use
// their own memory, poll words that copies write, and change clocks under way.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "catch.hpp"
#include "lab/random.hpp"
#include "mesh_sim/machines/scc/machine.hpp"
#include "mesh_sim/parts/run.hpp"

using namespace mesh;

namespace {

constexpr std::size_t stack = 128 * 1024, buffer_bytes = 24 * 1024;

/// One for each core; where it lies in its page decides which sets of L1 its lines share with an MPB's.
alignas(4096) std::array<std::array<std::byte, buffer_bytes>, 128> buffers;

class Draw {
 public:
  Draw(std::uint64_t seed, std::uint64_t stream) : random_(seed, stream, 0) {}
  int below(int n) { return static_cast<int>(random_.uniform() * n); }
  template <class T, std::size_t n>
  T of(const std::array<T, n>& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(n)))];
  }

 private:
  lab::Random random_;
};

/// The same tiles as a graph: a row of links both ways, some with a latency and a width of their own, and
/// links one way between others.
void make_graph(MachineConfig& config, Draw& draw) {
  const auto tiles = static_cast<int>(config.columns * config.rows);
  const MachineConfig usual;
  for (int tile = 0; tile < tiles; ++tile)
    config.routers.push_back(
        {tile % static_cast<int>(config.columns), tile / static_cast<int>(config.columns)});
  config.columns = usual.columns;
  config.rows = usual.rows;
  config.topology = "graph";
  const auto own = [&](mesh::JoinedRouters link) {
    if (draw.below(3) == 0) link.cycles = config.router_cycles + draw.of(std::array{1, 7, 60});
    if (link.cycles != 0 && draw.below(2) == 0) link.bytes = draw.of(std::array{1, 4, 32});
    config.links.push_back(link);
  };
  for (int tile = 1; tile < tiles; ++tile) own({tile - 1, tile});
  for (int tile = 2 + draw.below(3); tile < tiles; tile += 2 + draw.below(5))
    own({draw.below(tile - 1), tile, true});
  config.controller_tiles = {config.routers.front(), config.routers.back()};
  config.controllers = 2;
  config.complete();
}

MachineConfig machine_of(std::uint64_t seed) {
  Draw draw(seed, 1000);
  MachineConfig config;
  config.columns = draw.of(std::array{1, 2, 3, 6, 6, 6});
  config.rows = draw.of(std::array{1, 2, 4, 4, 4});
  if (draw.below(3) == 0) config.mpb_port_cycles = draw.of(std::array<Cycles, 4>{0, 20, 60, 200});
  if (draw.below(3) == 0) config.link_bytes = draw.of(std::array{1, 2, 4, 32});
  if (draw.below(3) == 0) config.controller_gb_per_s = draw.of(std::array{0.02, 0.2, 1.0});
  if (draw.below(4) == 0) config.router_cycles = draw.of(std::array<Cycles, 3>{0, 1, 16});
  if (draw.below(4) == 0) config.frames = "random";
  if (draw.below(4) == 0 && config.columns * config.rows == 24) config.topology = "torus";
  if (draw.below(4) == 0) config.tile_divider = draw.of(std::array{2, 4, 5, 8});
  if (draw.below(4) == 0 && config.topology == "mesh" && config.columns * config.rows > 1)
    make_graph(config, draw);
  return config;
}

/// When each core has come to the end of each of its steps, and what the buffers hold then.
struct Outcome {
  std::vector<std::vector<Picoseconds>> times;
  std::vector<std::byte> bytes;
  bool operator==(const Outcome&) const = default;
};

Outcome run(std::uint64_t seed, const char* granularity) {
  MachineConfig config = machine_of(seed);
  config.granularity = granularity;
  SccMachine machine(config, stack, 0);
  const int cores = machine.topology().cores();
  Outcome outcome{std::vector<std::vector<Picoseconds>>(static_cast<std::size_t>(cores)), {}};
  for (int core = 0; core < cores; ++core) {
    auto& own = buffers[static_cast<std::size_t>(core)];
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = static_cast<std::byte>(i * 7 + i / 251 + seed);
    machine.kernel().start(core, [&, core] {
      auto& buffer = buffers[static_cast<std::size_t>(core)];
      auto& mine = outcome.times[static_cast<std::size_t>(core)];
      MessageBuffers& mpbs = *machine.message_buffers();
      Registers& registers = *machine.registers();
      machine.map_private(core, buffer.data(), buffer.size());
      Draw draw(seed, static_cast<std::uint64_t>(core));
      const bool crowds = seed % 3 == 0; // most copies are of one buffer
      std::uint32_t word = 0;
      for (int step = 0; step < 12; ++step) {
        const int other = crowds && draw.below(4) != 0 ? 0 : draw.below(cores);
        const auto bytes =
            static_cast<std::size_t>(1 + draw.of(std::array{32, 320, 3200, 7000}) + draw.below(64));
        const auto at =
            static_cast<std::size_t>(draw.below(static_cast<int>(7900 - bytes) / 32 + 1) * 32 + 256);
        std::byte* const data = buffer.data() + draw.below(static_cast<int>(buffer.size() - bytes));
        const Copy how = draw.below(2) == 0 ? Copy::plain : Copy::prefetching;
        switch (draw.below(12)) {
        case 0:
        case 1:
        case 2:
          mpbs.put(other, std::min(at, 8192 - bytes), data, bytes, how);
          break;
        case 3:
        case 4:
        case 5:
          mpbs.get(data, other, std::min(at, 8192 - bytes), bytes, how);
          break;
        case 6: // from buffer to buffer
          mpbs.get(mpbs.mpb(core) + 4096, other, 512, std::min<std::size_t>(bytes, 3500), how);
          break;
        case 7:
          mpbs.store(other, static_cast<std::size_t>(draw.below(8192)), data, 1);
          mpbs.load(other, static_cast<std::size_t>(draw.below(256)) * 32, &word, 4);
          break;
        case 8:
          registers.lock_acquire(other);
          machine.compute(draw.below(400));
          registers.lock_release(other);
          break;
        case 9:
          registers.counter_access(draw.below(2), false, 0, true);
          break;
        case 10: // own memory, through the caches
          machine.touch(data, bytes, draw.below(2) == 0);
          machine.spend_on_memory(0, 0);
          mpbs.own_side(data, bytes, draw.below(2) == 0);
          break;
        case 11:
          if (draw.below(4) == 0) {
            machine.power()->set_tile_divider(draw.below(machine.topology().tiles()), 2 + draw.below(7));
          } else { // looks at a word that copies of others write
            const PolledWord polled{mpbs.mpb(other) + 1024, 4};
            const Picoseconds now = machine.kernel().now();
            if (other != core) machine.kernel().poll({&polled, 1}, now + 1000, 20'000 + draw.below(50'000));
          }
          break;
        }
        mine.push_back(machine.kernel().now());
      }
      const std::byte mark{1}; // a ring: who is ready wakes the next
      machine.kernel().synchronise();
      mpbs.store((core + 1) % cores, 8191, &mark, 1);
      mine.push_back(machine.kernel().now());
    });
  }
  CHECK(machine.kernel().run() == Kernel::End::finished);
  for (int core = 0; core < cores; ++core) {
    const std::byte* const mpb = machine.message_buffers()->mpb(core);
    outcome.bytes.insert(outcome.bytes.end(), mpb, mpb + 8192);
    const auto& own = buffers[static_cast<std::size_t>(core)];
    outcome.bytes.insert(outcome.bytes.end(), own.begin(), own.end());
  }
  return outcome;
}

/// The same, by trying each pair.
std::optional<Meeting> meeting_by_trial(const Arrivals& one, const Arrivals& other) {
  for (std::uint32_t i = 0; i < one.count; ++i)
    for (std::uint32_t j = 0; j < other.count; ++j) {
      const Picoseconds x = one.from + i * one.period, y = other.from + j * other.period;
      if (x < y + other.service && y < x + one.service) return Meeting{i, j};
    }
  return {};
}

} // namespace

TEST_CASE("the first meeting of two progressions is that of all pairs") {
  Draw draw(1, 1);
  int met = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto progression = [&] {
      const Picoseconds service = 1 + draw.below(20);
      return Arrivals{draw.below(400), service + draw.below(60), service,
                      static_cast<std::uint32_t>(draw.below(25))};
    };
    const Arrivals one = progression(), other = progression();
    const auto found = first_meeting(one, other), wanted = meeting_by_trial(one, other);
    CAPTURE(one.from, one.period, one.service, one.count, other.from, other.period, other.service,
            other.count);
    REQUIRE(found.has_value() == wanted.has_value());
    if (!found) continue;
    ++met;
    REQUIRE(found->one == wanted->one);
    REQUIRE(found->other == wanted->other);
  }
  CHECK(met > 5000);
}

TEST_CASE("random programs take line by line what they take in runs, and leave the same bytes") {
  const auto check = [](std::uint64_t seed) {
    CAPTURE(seed);
    const Outcome fine = run(seed, "lines"), coarse = run(seed, "exact");
    for (std::size_t core = 0; core < fine.times.size(); ++core)
      for (std::size_t step = 0; step < fine.times[core].size(); ++step) {
        CAPTURE(core, step);
        REQUIRE(coarse.times[core][step] == fine.times[core][step]);
      }
    REQUIRE(std::ranges::equal(coarse.bytes, fine.bytes));
  };
  const std::uint64_t programs = std::getenv("WHOLE") != nullptr ? 5000 : 250;
  for (std::uint64_t seed = 0; seed < programs; ++seed) check(seed);
  check(4757); // who begins to poll a word finds there what lines of a run have written before
}
