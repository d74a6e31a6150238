// SPDX-License-Identifier: Apache-2.0
#include "lab/host_rivals.hpp"

#include <barrier>
#include <chrono>
#include <thread>

#ifdef ROCKCREEK_HAS_OPENMP
#include <omp.h>
#endif
#ifdef ROCKCREEK_HAS_ONETBB
#include <functional>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace lab {

double steady_nanoseconds() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

namespace {

[[maybe_unused]] bool all_are(const std::vector<double>& sums, double wanted) {
  for (const double sum : sums)
    if (sum != wanted) return false;
  return true;
}

RivalRun std_barrier(int threads, std::int64_t, int rounds) {
  std::barrier<> barrier(threads);
  double begin = 0, end = 0;
  std::vector<std::jthread> crew;
  for (int thread = 0; thread < threads; ++thread)
    crew.emplace_back([&, thread] {
      barrier.arrive_and_wait();
      if (thread == 0) begin = steady_nanoseconds();
      for (int round = 0; round < rounds; ++round) barrier.arrive_and_wait();
      if (thread == 0) end = steady_nanoseconds();
    });
  crew.clear();
  return {(end - begin) / rounds, true};
}

} // namespace

std::vector<Rival> standard_rivals() {
  return {{"barrier/std_barrier", std_barrier}};
}

#ifdef ROCKCREEK_HAS_OPENMP

namespace {

RivalRun openmp_barrier(int threads, std::int64_t, int rounds) {
  double begin = 0, end = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp barrier
    if (omp_get_thread_num() == 0) begin = steady_nanoseconds();
    for (int round = 0; round < rounds; ++round) {
#pragma omp barrier
    }
    if (omp_get_thread_num() == 0) end = steady_nanoseconds();
  }
  return {(end - begin) / rounds, true};
}

RivalRun openmp_reduction(int threads, std::int64_t count, int rounds) {
  std::vector<double> sums(static_cast<std::size_t>(count));
  double* const sum = sums.data();
  bool right = true;
  const double begin = steady_nanoseconds();
  for (int round = 0; round < rounds; ++round) {
    sums.assign(sums.size(), 0);
#pragma omp parallel num_threads(threads) reduction(+ : sum[:count])
    for (std::int64_t i = 0; i < count; ++i) sum[i] += 1;
    right = right && all_are(sums, threads);
  }
  return {(steady_nanoseconds() - begin) / rounds, right};
}

} // namespace

std::vector<Rival> openmp_rivals() {
  return {{"barrier/openmp", openmp_barrier}, {"reduce/openmp", openmp_reduction}};
}

#else

std::vector<Rival> openmp_rivals() {
  return {};
}

#endif

#ifdef ROCKCREEK_HAS_ONETBB

namespace {

RivalRun onetbb_reduction(int threads, std::int64_t count, int rounds) {
  namespace tbb = oneapi::tbb;
  tbb::task_arena arena(threads);
  const std::vector<double> none(static_cast<std::size_t>(count));
  bool right = true;
  const double begin = steady_nanoseconds();
  for (int round = 0; round < rounds; ++round)
    arena.execute([&] {
      const auto sums = tbb::parallel_reduce(
          tbb::blocked_range<int>(0, threads, 1), none,
          [](const tbb::blocked_range<int>& range, std::vector<double> sum) {
            for (double& one : sum) one += static_cast<double>(range.size());
            return sum;
          },
          [](std::vector<double> a, const std::vector<double>& b) {
            for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
            return a;
          });
      right = right && all_are(sums, threads);
    });
  return {(steady_nanoseconds() - begin) / rounds, right};
}

} // namespace

std::vector<Rival> onetbb_rivals() {
  return {{"reduce/onetbb", onetbb_reduction}};
}

#else

std::vector<Rival> onetbb_rivals() {
  return {};
}

#endif

} // namespace lab
