// SPDX-License-Identifier: Apache-2.0
// Are the times of a point those of its ranks' ends: first, mean, median and last, and who was last?
#include "catch.hpp"
#include "lab/point.hpp"

namespace {

constexpr std::int64_t us = 1'000'000; // in picoseconds

lab::Result written(const lab::Summary& summary, bool average) {
  lab::Result result;
  summary.write(result, average);
  return result;
}

/// Ranks that come at 0 and end at these microseconds, in the order of their numbers.
void add(lab::Summary& summary, int repetition, std::initializer_list<std::int64_t> ends) {
  int rank = 0;
  for (const std::int64_t end : ends) summary.add(repetition, rank++, 0, end * us);
}

} // namespace

TEST_CASE("the fastest repetition counts, with its own median and last rank") {
  lab::Summary summary;
  add(summary, 0, {1, 2, 3, 4, 90});
  add(summary, 1, {7, 50, 9, 8, 50});
  const lab::Result result = written(summary, false);
  CHECK(result.fastest == 1);
  CHECK(result.last_rank == 1); // the lowest of two
  CHECK(result.min_us == Approx(7));
  CHECK(result.median_us == Approx(9));
  CHECK(result.max_us == Approx(50));
}

TEST_CASE("of an even number of ranks the median is the earlier one in the middle") {
  lab::Summary summary;
  add(summary, 0, {40, 10, 30, 20});
  CHECK(written(summary, false).median_us == Approx(20));
  lab::Summary alone;
  add(alone, 0, {5});
  CHECK(written(alone, false).median_us == Approx(5));
  CHECK(written(alone, false).max_us == Approx(5));
}

TEST_CASE("times begin at the last arrival, and are means where arrivals are spread") {
  lab::Summary summary;
  for (const int repetition : {0, 1}) {
    summary.add(repetition, 0, 0, 8 * us);
    summary.add(repetition, 1, 6 * us, 9 * us);
    summary.add(repetition, 2, 2 * us, (repetition == 0 ? 12 : 16) * us);
  }
  const lab::Result result = written(summary, true);
  CHECK(result.median_us == Approx(3)); // 9 - 6 in both
  CHECK(result.max_us == Approx((6 + 10) / 2.0));
}
