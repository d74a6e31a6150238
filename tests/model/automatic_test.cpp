// SPDX-License-Identifier: Apache-2.0
// Is what `auto` takes among the fastest, on any number of cores and for any size? It decides by a table of
// sizes that were measured (algorithms/tuned); here are random ones.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "catch.hpp"
#include "lab/backend.hpp"
#include "lab/random.hpp"

namespace {

using lab::Point;

/// An operation on random cores of the chip, with a size whose logarithm is uniform up to 512 KB: each row
/// that `auto` may take with its defaults, the last point what it takes.
std::vector<Point> points_of(const std::shared_ptr<const lab::Machine>& machine,
                             const lab::Operation& operation, std::uint64_t number) {
  const auto backend = lab::backend_of(*machine);
  lab::Random random(number, 46, 0);
  Point point{.machine = machine, .machine_name = "scc", .backend = backend};
  point.cores = 2 + static_cast<int>(random.uniform() * 47);
  const double bits = random.uniform() * 19;
  point.bytes = !operation.has_message ? 0
      : operation.combines ? 8 * std::max(std::int64_t{1}, static_cast<std::int64_t>(std::exp2(bits - 3)))
                           : static_cast<std::int64_t>(std::exp2(bits));
  point.moves_payload = point.checks = false;
  std::vector<Point> points;
  for (const lab::Row& row : backend->rows())
    if (row.operation == operation.name && row.for_auto) {
      point.algorithm = row.name;
      point.warm_up = backend->usual_warm_up(point);
      if (backend->misfit(point).empty()) points.push_back(point);
    }
  const auto choices = backend->automatic(points.front(), {point.bytes});
  REQUIRE(choices.contains(point.bytes));
  point.algorithm = choices.at(point.bytes).algorithm;
  point.options = choices.at(point.bytes).options;
  point.warm_up = backend->usual_warm_up(point);
  points.push_back(point);
  return points;
}

} // namespace

TEST_CASE("what auto takes is within 5 % of the fastest at 98 of 100 random points, and nowhere beyond 15") {
  const auto machine = std::make_shared<const lab::Machine>(lab::open_machine("scc"));
  const bool whole = std::getenv("WHOLE") != nullptr;
  const std::uint64_t of_each = whole ? 200 : 12;
  const std::int64_t longest = whole ? std::int64_t{1} << 19 : 300'000; // longer ones take most of the time
  int points = 0, far = 0;
  for (const lab::Operation& operation : lab::operations())
    for (std::uint64_t i = 0; operation.name != "join" && i < of_each; ++i) {
      const auto rivals = points_of(machine, operation, i);
      if (rivals.front().bytes > longest) continue;
      const auto results = lab::measure_all(rivals, 2);
      double least = HUGE_VAL;
      for (const auto& result : results) least = std::min(least, result->max_us);
      const double behind = results.back()->max_us / least - 1;
      INFO(rivals.back().title() << ": " << rivals.back().options_text() << " takes "
                                 << results.back()->max_us << " us, the fastest row " << least);
      CHECK(behind <= 0.15);
      if (behind > 0.05) {
        ++far;
        UNSCOPED_INFO(rivals.back().title() << " is " << behind * 100 << " % behind");
      }
      ++points;
    }
  CHECK(far <= points / 50);
}
