// SPDX-License-Identifier: Apache-2.0
// Are the arrivals of the dynamic-reduction publication those that it prints, and do merges take what they
// must?
#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "measuring/arrivals.hpp"

using namespace rccebench::measuring;

namespace {
constexpr const char *fixed_pairs = "reduce/pair_tree", *dynamic = "reduce/dynamic_pair";
} // namespace

TEST_CASE("arrivals have the published maximum, mean and deviation") {
  const auto config = mesh::coherent::load_machine("xeon-x5650");
  struct Printed {
    const char* spread;
    double most, mean, deviation;
  };
  for (const Printed& printed : {Printed{"A", 15'000, 8'000, 3'900}, Printed{"B", 128'000, 37'000, 18'500},
                                 Printed{"C", 555'000, 184'000, 102'000}}) {
    double count = 0, sum = 0, squares = 0, most = 0;
    for (const auto& one : arrivals(config, spread_of(printed.spread), 5, 8'000))
      for (const mesh::Picoseconds delay : one) {
        const double cycles = static_cast<double>(delay) * config.clock_mhz * 1e-6;
        count += 1;
        sum += cycles;
        squares += cycles * cycles;
        most = std::max(most, cycles);
      }
    INFO(printed.spread);
    const double mean = sum / count;
    CHECK(std::abs(mean / printed.mean - 1) < 0.01);
    CHECK(std::abs(std::sqrt(squares / count - mean * mean) / printed.deviation - 1) < 0.02);
    CHECK(most <= printed.most);
    CHECK(most > 0.75 * printed.most);
  }
  // A thread's delays do not depend on how many there are.
  CHECK(arrivals(config, spread_of("A"), 3, 2)[1][2] == arrivals(config, spread_of("A"), 47, 5)[1][2]);
}

TEST_CASE("a late thread costs a static tree all its levels, a dynamic one its own merge") {
  const ReductionRun two{"xeon-x5650", fixed_pairs, "compact", 2, 24'000};
  const double merge = measure(two, {0, 0}).behind_last;
  const auto time = [&](const char* algorithm, const std::vector<double>& delays) {
    ReductionRun run = two;
    run.algorithm = algorithm;
    run.threads = static_cast<int>(delays.size());
    return measure(run, delays).behind_last / merge;
  };
  CHECK(std::abs(time(dynamic, {0, 0, 0, 1.5 * merge}) - 1.5) < 0.3);
  CHECK(std::abs(time(fixed_pairs, {0, 0, 0, 1.5 * merge}) - 2) < 0.4);
  CHECK(std::abs(time(dynamic, {0, 10 * merge, 20 * merge, 30 * merge}) - 1) < 0.2);
  CHECK(std::abs(time(fixed_pairs, {0, 0, 0, 0}) - 2) < 0.4);
}

TEST_CASE("times are the same twice, and sums grow with waiting") {
  for (const char* const algorithm : {"reduce/linear", fixed_pairs, dynamic, "reduce/dynamic_group"}) {
    const ReductionRun run{"opteron-2x12", algorithm, "compact", 5, 1'000, "B"};
    const Cycles first = measure(run), second = measure(run);
    CHECK(first.behind_last == second.behind_last);
    CHECK(first.summed == second.summed);
    CHECK(first.all_gone >= first.behind_last);
    CHECK(first.summed > first.all_gone);
  }
}
