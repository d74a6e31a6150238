// SPDX-License-Identifier: Apache-2.0
#include "host_point.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include <rockcreek/team.hpp>

#include "algorithms/in_memory/broadcasts.hpp"
#include "algorithms/memory/host.hpp"
#include "host_rivals.hpp"

namespace rccebench {
namespace {

namespace in_memory = algorithms::in_memory;
using algorithms::memory::Host;

/// Length of a series, as far as its rounds allow, and how many there are.
constexpr double series_ns = 1e7;
constexpr int series = 9, fewest_rounds = 2, most_rounds = 20000;

std::vector<Rival> rivals() {
  std::vector<Rival> all = standard_rivals();
  for (const auto& more : {openmp_rivals(), onetbb_rivals()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Doubles of every thread, so that threads * (threads - 1) / 2 is what a sum has to be.
struct Sums {
  Sums(int threads, std::int64_t count) : wanted(threads * (threads - 1) / 2.0) {
    for (int thread = 0; thread < threads; ++thread) of.emplace_back(static_cast<std::size_t>(count));
  }
  std::vector<std::vector<double>> of; ///< by thread
  double wanted;
};

RivalRun team_barrier(rockcreek::Team& team, int rounds) {
  double begin = 0, end = 0;
  team.run([&](rockcreek::Member& me) {
    me.barrier();
    if (me.thread() == 0) begin = steady_nanoseconds();
    for (int round = 0; round < rounds; ++round) me.barrier();
    if (me.thread() == 0) end = steady_nanoseconds();
  });
  return {(end - begin) / rounds, true};
}

RivalRun team_reduction(rockcreek::Team& team, std::int64_t count, int rounds) {
  Sums sums(team.threads(), count);
  std::atomic<bool> right = true;
  const double begin = steady_nanoseconds();
  for (int round = 0; round < rounds; ++round)
    team.run([&](rockcreek::Member& me) {
      auto& own = sums.of[static_cast<std::size_t>(me.thread())];
      std::fill(own.begin(), own.end(), me.thread());
      me.reduce(std::plus<>(), own.data(), own.size());
      if (me.thread() == 0 &&
          std::any_of(own.begin(), own.end(), [&](double one) { return one != sums.wanted; }))
        right = false;
    });
  return {(steady_nanoseconds() - begin) / rounds, right};
}

RivalRun broadcast(const std::string& algorithm, int threads, std::int64_t bytes, int rounds) {
  Host host(threads);
  const auto bcast = in_memory::row_of(in_memory::broadcasts<Host>(), algorithm).make(host, {});
  std::vector<Host::Block> blocks;
  for (int thread = 0; thread < threads; ++thread)
    blocks.push_back(host.block(static_cast<std::size_t>(bytes), thread));
  std::fill_n(blocks[0].data, bytes, std::byte{0x5a});
  double begin = 0, end = 0;
  host.run([&](Host::Thread& thread) {
    const auto block = blocks[static_cast<std::size_t>(thread.thread())];
    bcast(thread, block, 0);
    if (thread.thread() == 0) begin = steady_nanoseconds();
    for (int round = 0; round < rounds; ++round) bcast(thread, block, 0);
    if (thread.thread() == 0) end = steady_nanoseconds();
  });
  bool right = true;
  for (const auto& block : blocks)
    right = right &&
        std::all_of(block.data, block.data + bytes, [](std::byte one) { return one == std::byte{0x5a}; });
  return {(end - begin) / rounds, right};
}

RivalRun run(const HostPoint& point, int rounds) {
  const auto count = point.bytes / static_cast<std::int64_t>(sizeof(double));
  for (const Rival& rival : rivals())
    if (rival.name == point.algorithm) return rival.run(point.threads, count, rounds);
  if (point.algorithm.starts_with("bcast/"))
    return broadcast(point.algorithm, point.threads, point.bytes, rounds);
  rockcreek::TeamOptions options;
  options.threads = point.threads;
  const bool reduces = point.algorithm.starts_with("reduce/");
  (reduces ? options.reduce : options.barrier) = point.algorithm;
  rockcreek::Team team(options);
  return reduces ? team_reduction(team, count, rounds) : team_barrier(team, rounds);
}

/// The value below which that share of the sorted ones lies, between two of them where it falls there.
double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

} // namespace

int host_processors() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::vector<std::string> host_algorithms(const std::string& operation) {
  std::vector<std::string> names;
  const std::string folder = operation + "/";
  const auto add = [&](const std::string& name) {
    if (name.starts_with(folder)) names.push_back(name);
  };
  for (const std::string& name : rockcreek::algorithms()) add(name);
  for (const auto& row : in_memory::broadcasts<Host>()) add(std::string(row.name));
  for (const Rival& rival : rivals()) add(rival.name);
  return names;
}

std::vector<HostTiming> measure(std::span<const HostPoint> points, const std::function<bool()>& goes_on) {
  std::vector<int> rounds;
  for (const HostPoint& point : points) {
    if (!goes_on()) return {};
    const RivalRun probe = run(point, fewest_rounds);
    rounds.push_back(std::clamp(static_cast<int>(series_ns / std::max(1.0, probe.nanoseconds)), fewest_rounds,
                                most_rounds));
  }
  std::vector<HostTiming> timings(points.size());
  std::vector<std::vector<double>> us(points.size());
  for (int one = 0; one < series; ++one)
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!goes_on()) return {};
      const RivalRun measured = run(points[i], rounds[i]);
      timings[i].right = timings[i].right && measured.right;
      us[i].push_back(measured.nanoseconds / 1000);
    }
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::sort(us[i].begin(), us[i].end());
    timings[i].us = quantile(us[i], 0.5);
    timings[i].lower_us = quantile(us[i], 0.25);
    timings[i].upper_us = quantile(us[i], 0.75);
  }
  return timings;
}

} // namespace rccebench
