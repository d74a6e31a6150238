// SPDX-License-Identifier: Apache-2.0
// The same seed gives the same series on the cluster, another one another; what a node feels depends on seed
// and node alone; skipped repetitions are those that would have come out the same.
#include <filesystem>
#include <fstream>

#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>

#include "algorithms/on_cards/reductions.hpp"
#include "catch.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/cluster/machine.hpp"

using namespace mesh::cluster;
using algorithms::on_cards::reductions;

namespace {

Series series_of(const Config& config, std::size_t row, std::uint64_t seed, Protocol protocol,
                 int processes = 2, int nodes = 47) {
  const Program program = reductions[row].program(nodes, 1, {}, config, {});
  return Machine(config, nodes, processes, seed).repeat(program, {}, protocol);
}

/// Disturbed much more often than the preset.
Config busy() {
  Config config = load_machine("alc-fitted");
  config.daemons = 20;
  config.daemon_ms = 1;
  return config;
}

constexpr std::size_t f_nomial = 0, four_ary = 4;

} // namespace

TEST_CASE("cluster: the same seed, the same picoseconds") {
  const Config config = busy();
  for (const std::size_t row : {f_nomial, four_ary})
    for (const bool singly : {false, true}) {
      const Protocol protocol{3000, singly, 0};
      const Series one = series_of(config, row, 7, protocol), same = series_of(config, row, 7, protocol);
      CHECK(one.digest == same.digest);
      CHECK(one.times == same.times);
      const Series other = series_of(config, row, 8, protocol);
      CHECK(one.digest != other.digest);
      CHECK(one.times != other.times);
    }
}

TEST_CASE("cluster: the picoseconds of a seed are these, on every host") {
  const Series series = series_of(busy(), four_ary, 1, {2000, false, 0});
  CHECK(series.total == 177'127'964'053);
  CHECK(series.digest == 0xafdd89aafd4b9a95U);
}

TEST_CASE("cluster: without noise the seed shows in the digest alone, and nothing is simulated twice") {
  const Config config = load_machine("alc");
  const Series one = series_of(config, f_nomial, 1, {100'000, false, 0}),
               other = series_of(config, f_nomial, 2, {100'000, false, 0});
  CHECK(one.times == other.times);
  CHECK(one.digest != other.digest);
  CHECK(one.simulated == 1);
  CHECK(one.total == 100'000 * one.times.front());
}

TEST_CASE("cluster: skipped repetitions would have come out the same") {
  // A jitter of nothing to speak of has every repetition simulated.
  Config config = busy();
  config.timing = 0;
  config.timing_jitter = 1e-9;
  for (const std::size_t row : {f_nomial, four_ary}) {
    const Series skipping = series_of(config, row, 3, {5000, false, 0});
    const Series all = series_of(config, row, 3, {5000, true, 0});
    CHECK(skipping.simulated < 4000);
    CHECK(all.simulated == 5000);
    CHECK(skipping.times == all.times);
  }
}

TEST_CASE("cluster: daemons of a node depend on seed and node alone") {
  const Config config = busy();
  const auto first_of = [&](int nodes, int node) {
    Daemons daemons(config, nodes, 5);
    for (;;)
      if (const Outage outage = daemons.take(); outage.node == node) return outage.start;
  };
  CHECK(first_of(10, 9) == first_of(1000, 9));
  CHECK(first_of(10, 9) != first_of(10, 8));
}

TEST_CASE("cluster: daemons are running when the first call comes") {
  const Config config = busy();
  Daemons daemons(config, 1000, 5);
  int running = 0;
  while (daemons.next_start() <= 0) running += daemons.take().end > 0 ? 1 : 0;
  CHECK(running >= 5); // 20 are expected: 1000 nodes, 20 a second, 1 ms
  CHECK(running <= 40);
}

TEST_CASE("cluster: a processor that is free takes the daemon") {
  Config config = busy();
  const Series spare = series_of(config, f_nomial, 1, {2000, false, 0}, 1);
  const Series full = series_of(config, f_nomial, 1, {2000, false, 0}, 2);
  CHECK(spare.mean_us() < full.mean_us() / 2);
}

TEST_CASE("cluster: daemons at the same time on all nodes cost less") {
  Config config = busy();
  const double alone = series_of(config, f_nomial, 1, {5000, false, 0}).mean_us();
  config.co_scheduled = true;
  CHECK(series_of(config, f_nomial, 1, {5000, false, 0}).mean_us() < alone / 2);
}

TEST_CASE("cluster: a trace is noise, from a place of its own for each node") {
  const auto file =
      (std::filesystem::temp_directory_path() / fmt::format("cluster-trace-{}", getpid())).string();
  {
    std::ofstream out(file);
    out << "# start\tduration, ns\n1000000\t500000\n5000000\t100000\n";
  }
  Config config = load_machine("alc");
  config.trace = std::make_shared<const Trace>(read_trace(file));
  std::filesystem::remove(file);
  CHECK(config.trace->daemons.size() == 2);
  CHECK(config.trace->length == 5'100'000'000);
  const Series one = series_of(config, f_nomial, 1, {1000, false, 0});
  CHECK(one.mean_us() > 2 * series_of(load_machine("alc"), f_nomial, 1, {1000, false, 0}).mean_us());
  CHECK(one.times != series_of(config, f_nomial, 2, {1000, false, 0}).times);
}

TEST_CASE("cluster: many reductions under way hide what disturbs one") {
  const Config config = busy();
  const double one = series_of(config, f_nomial, 1, {4000, false, 1}).mean_us();
  const double many = series_of(config, f_nomial, 1, {4000, false, 1024}).mean_us();
  CHECK(many < one / 2);
  CHECK(series_of(config, f_nomial, 1, {500, false, 64}).digest ==
        series_of(config, f_nomial, 1, {500, false, 64}).digest);
  CHECK_THROWS_AS(series_of(config, four_ary, 1, {10, false, 2}), mesh::UserError);
}

TEST_CASE("cluster: 65,536 nodes in less than 2 GB") {
  const Config config = load_machine("alc-fitted");
  for (const std::size_t row : {f_nomial, four_ary})
    CHECK(series_of(config, row, 1, {2, false, 0}, 2, most_nodes).messages >= most_nodes - 1);
  rusage used{};
  REQUIRE(getrusage(RUSAGE_SELF, &used) == 0);
  CHECK(used.ru_maxrss < 2'000'000); // kB
}
