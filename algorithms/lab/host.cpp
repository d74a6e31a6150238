// SPDX-License-Identifier: Apache-2.0
#include "lab/host.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "algorithms/in_memory/barrier/barriers.hpp"
#include "algorithms/in_memory/bcast/broadcasts.hpp"
#include "algorithms/in_memory/exchange/exchanges.hpp"
#include "algorithms/in_memory/join/fork.hpp"
#include "algorithms/in_memory/reduce/reductions.hpp"
#include "algorithms/memory/host.hpp"
#include "lab/check_in_memory.hpp"
#include "lab/explored.hpp"
#include "lab/host_rivals.hpp"
#include "lab/isolated.hpp"
#include "lab/own_files.hpp"
#include "lab/table_rows.hpp"
#include "lab/wanted.hpp"
#include "mesh_sim/errors.hpp"

namespace lab {
namespace {

namespace in_memory = algorithms::in_memory;
using Threads = algorithms::memory::Host;

/// Length of a series, as far as its rounds allow, and how many there are.
constexpr double series_ns = 1e7;
constexpr double most_own_seconds = 10; ///< time limit of a check or a series of an algorithm of the user's
constexpr int series = 9, fewest_rounds = 2, most_rounds = 20000;

std::vector<Rival> rivals() {
  std::vector<Rival> all = standard_rivals();
  for (const auto& more : {openmp_rivals(), onetbb_rivals()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Nanoseconds of each of `rounds` calls in a row by all threads, behind one that is not timed.
double nanoseconds_of(Threads& host, int rounds, const std::function<void(Threads::Thread&)>& call) {
  double begin = 0, end = 0;
  host.run([&](Threads::Thread& thread) {
    call(thread);
    if (thread.thread() == 0) begin = steady_nanoseconds();
    for (int round = 0; round < rounds; ++round) call(thread);
    if (thread.thread() == 0) end = steady_nanoseconds();
  });
  return (end - begin) / rounds;
}

/// The fastest barrier. With more threads than processors a waiting thread sleeps, and one wake-up of all is
/// cheaper than many of one.
std::string_view usual_barrier(int threads) {
  return threads <= host_processors() ? "barrier/dissemination" : "barrier/central_sense";
}

/// Parallel regions, each begun and joined, after which every thread has the sum, as those of rivals.
RivalRun regions(const in_memory::ReductionRow<Threads>& row, int threads, std::int64_t bytes, int rounds) {
  Threads host(threads);
  const auto size = static_cast<std::size_t>(bytes);
  const auto barrier =
      algorithms::row_of(in_memory::barriers<Threads>(), usual_barrier(threads)).make(host, {});
  const auto join = algorithms::row_of(in_memory::joins<Threads>(), "join/flat_padded").make(host, {});
  const auto reduce = row.make(host, in_memory::operation<Threads, double>(std::plus<>()), size,
                               {.barrier = std::string(usual_barrier(threads))});
  in_memory::Fork<Threads> fork(host);
  const auto sum = host.block(size, 0);
  std::vector<Threads::Block> blocks;
  for (int thread = 0; thread < threads; ++thread) blocks.push_back(host.block(size, thread));
  const double wanted = threads * (threads - 1) / 2.0; // each thread adds its number
  bool right = true;
  const auto region = [&](Threads::Thread& thread) {
    const auto block = blocks[static_cast<std::size_t>(thread.thread())];
    std::ranges::fill(block.values<double>(), thread.thread());
    reduce(thread, block, sum);
    if (!row.result_for_all) barrier(thread);
    thread.copy(block, sum);
    if (thread.thread() == 0)
      right = right && std::ranges::all_of(block.values<double>(), [&](double one) { return one == wanted; });
  };
  double nanoseconds = 0;
  host.run([&](Threads::Thread& thread) {
    if (thread.thread() > 0) {
      for (; fork.await(thread); join.arrive(thread)) region(thread);
      return;
    }
    const double begin = steady_nanoseconds();
    for (int round = 0; round < rounds; ++round) {
      fork.start(thread);
      region(thread);
      join.join(thread);
    }
    nanoseconds = (steady_nanoseconds() - begin) / rounds;
    fork.stop(thread);
  });
  // All elements were alike. Those of one more reduction are not.
  host.run([&](Threads::Thread& thread) {
    const auto values = blocks[static_cast<std::size_t>(thread.thread())].values<double>();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = operand<double>(false, thread.thread(), i);
    reduce(thread, blocks[static_cast<std::size_t>(thread.thread())], sum);
  });
  const auto found = sum.values<double>();
  for (std::size_t i = 0; i < found.size(); ++i) {
    double all = 0;
    for (int thread = 0; thread < threads; ++thread) all += operand<double>(false, thread, i);
    right = right && found[i] == all;
  }
  return {nanoseconds, right};
}

RivalRun broadcast(const std::string& algorithm, int threads, std::int64_t bytes, int rounds) {
  Threads host(threads);
  const auto bcast = algorithms::row_of(in_memory::broadcasts<Threads>(), algorithm).make(host, {});
  std::vector<Threads::Block> blocks;
  for (int thread = 0; thread < threads; ++thread)
    blocks.push_back(host.block(static_cast<std::size_t>(bytes), thread));
  const auto sent = [](std::size_t i, std::size_t message) {
    return std::byte{operand<unsigned char>(false, 0, i, message)};
  };
  // The messages that are timed are all the same. One more is another.
  const auto fill = [&](std::size_t message) {
    for (std::size_t i = 0; i < blocks[0].bytes; ++i) blocks[0].data[i] = sent(i, message);
  };
  const auto call = [&](Threads::Thread& thread) {
    bcast(thread, blocks[static_cast<std::size_t>(thread.thread())], 0);
  };
  bool right = true;
  const auto look = [&](std::size_t message) {
    for (const auto& block : blocks)
      for (std::size_t i = 0; i < block.bytes; ++i) right = right && block.data[i] == sent(i, message);
  };
  fill(0);
  const double nanoseconds = nanoseconds_of(host, rounds, call);
  look(0);
  fill(1);
  host.run(call);
  look(1);
  return {nanoseconds, right};
}

template <class T>
RivalRun exchanged(const in_memory::ExchangeRow<Threads>& row, int threads, std::int64_t bytes, int rounds) {
  Threads host(threads);
  const algorithms::Shares shares(row.operation, static_cast<std::size_t>(bytes), sizeof(T), threads);
  const auto exchange =
      row.make(host, in_memory::operation<Threads, T>(Operator<T>("sum")), shares.bytes(), {});
  const auto value = [](int thread, std::size_t i) { return operand<T>(false, thread, i); };
  std::vector<Threads::Block> sources, targets;
  for (int thread = 0; thread < threads; ++thread) {
    sources.push_back(host.block(shares.source(thread, 0), thread));
    targets.push_back(host.block(shares.target(thread, 0), thread));
    const auto values = sources.back().values<T>();
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = value(thread, shares.first_in_source(thread) / sizeof(T) + i);
  }
  const double nanoseconds = nanoseconds_of(host, rounds, [&](Threads::Thread& thread) {
    const auto self = static_cast<std::size_t>(thread.thread());
    exchange(thread, sources[self], targets[self], 0);
  });
  std::vector<std::vector<T>> results;
  for (const auto& target : targets) {
    const auto values = target.values<T>();
    results.emplace_back(values.begin(), values.end());
  }
  Result result;
  compare(results, Wanted(shares, value, Operator<T>("sum")), rounds, result);
  return {nanoseconds, result.wrong_bytes == 0};
}

RivalRun timed(const Point& point, int rounds) {
  const auto count = point.bytes / static_cast<std::int64_t>(sizeof(double));
  for (const Rival& rival : rivals())
    if (rival.name == point.algorithm) return rival.run(point.cores, count, rounds);
  if (point.algorithm.starts_with("bcast/"))
    return broadcast(point.algorithm, point.cores, point.bytes, rounds);
  if (const auto* const row = algorithms::find_row(in_memory::exchanges<Threads>(), point.algorithm))
    return point.operation().combines ? exchanged<double>(*row, point.cores, point.bytes, rounds)
                                      : exchanged<unsigned char>(*row, point.cores, point.bytes, rounds);
  if (const auto* const row = algorithms::find_row(in_memory::reductions<Threads>(), point.algorithm))
    return regions(*row, point.cores, point.bytes, rounds);
  Threads host(point.cores);
  return {nanoseconds_of(host, rounds,
                         algorithms::row_of(in_memory::barriers<Threads>(), point.algorithm).make(host, {})),
          true};
}

template <class T>
std::string check_as(const Point& point) {
  constexpr std::chrono::microseconds lateness{300};
  const CheckPlan plan = check_plan_in_memory(point);
  std::vector<lab_check_time> times(plan.calls.size() * static_cast<std::size_t>(point.cores));
  Threads host(point.cores);
  const auto body = [&] {
    InMemoryCheck<T, Threads> check(host, point, plan, {}, times,
                                    [=](Threads::Thread&) { std::this_thread::sleep_for(lateness); });
    host.run([&](Threads::Thread& thread) { check.body(thread); });
    check.compare_all();
    return fault_in(plan, point.operation(), times, point.cores, "");
  };
  return !point.row().own_file ? body() : isolated(most_own_seconds, body, [&] {
    const std::string ended = fmt::format("it does not end within {} s{}", most_own_seconds, host.waiting());
    return fault_in(plan, point.operation(), times, point.cores, ended);
  });
}

/// As timed(); of an algorithm of the user's, `found` says why it has no time.
RivalRun timed_apart(const Point& point, int rounds, std::string& found) {
  if (!point.row().own_file) return timed(point, rounds);
  RivalRun result;
  int right = 0;
  const std::string text = isolated(
      most_own_seconds,
      [&] {
        const RivalRun run = timed(point, rounds);
        return fmt::format("{} {}", run.nanoseconds, run.right ? 1 : 0);
      },
      [=] { return fmt::format("{} calls in a row do not end within {} s", rounds, most_own_seconds); });
  if (std::sscanf(text.c_str(), "%lf %d", &result.nanoseconds, &right) != 2) found = text;
  result.right = right != 0;
  return result;
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

std::shared_ptr<const Host> Host::with(const std::vector<std::string>& files) {
  return once_for<Host>(files, [] { return new Host; });
}

Host::Host() {
  add_rows(rows_, in_memory::broadcasts<Threads>());
  add_rows(rows_, in_memory::exchanges<Threads>());
  add_rows(rows_, in_memory::barriers<Threads>());
  add_rows(rows_, in_memory::reductions<Threads>());
  for (Row& row : rows_) row.parameters.clear();
  for (const Rival& rival : rivals()) {
    Row& row = rows_.emplace_back();
    row.name = rival.name;
    row.operation = rival.name.substr(0, rival.name.find('/'));
  }
}

std::vector<std::int64_t> Host::usual_ranks(const Machine& /*machine*/) const {
  const int all = host_processors();
  const std::set<std::int64_t> counts{std::min(2, all), std::min(8, all), all};
  return {counts.begin(), counts.end()};
}

std::string Host::misfit(const Point& point) const {
  if (std::string why = Backend::misfit(point); !why.empty()) return why;
  if (point.root != 0) return fmt::format("--root {}: on the host the root is always thread 0", point.root);
  if (!point.spread.is_none())
    return "--spread: on the host all threads come at once; arrivals are spread on simulated machines";
  if (point.operation().combines && (point.type != "double" || point.op != "sum"))
    return fmt::format("--type {} --op {}: the host adds up doubles", point.type, point.op);
  return {};
}

double Host::weight(const Point& point) const {
  return point.cores * (static_cast<double>(point.bytes) + 4000);
}

Verdict Host::check(const Point& point) const {
  if (std::ranges::any_of(rivals(), [&](const Rival& one) { return one.name == point.algorithm; })) return {};
  std::string found = with_elements_of(point, [&]<class T>(T*) { return check_as<T>(point); });
  if (!found.empty() || !point.row().own_file) return {.found = std::move(found)};
  return explored(point);
}

Result Host::measure(const Point& point) const {
  return run_in_turns({&point, 1}, [] { return true; }).front();
}

std::vector<Result> Host::run_in_turns(std::span<const Point> points,
                                       const std::function<bool()>& goes_on) const {
  std::vector<int> rounds(points.size());
  std::vector<std::string> found(points.size());
  std::vector<bool> all_passed(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    if (!goes_on()) return {};
    if (const std::string why = misfit(point); !why.empty()) throw mesh::UserError(why);
    const Verdict verdict = point.checks ? checked(point) : Verdict();
    found[i] = verdict.found;
    all_passed[i] = verdict.explored;
    if (!found[i].empty()) continue;
    const RivalRun probe = timed_apart(point, fewest_rounds, found[i]);
    rounds[i] = std::clamp(static_cast<int>(series_ns / std::max(1.0, probe.nanoseconds)), fewest_rounds,
                           most_rounds);
  }
  std::vector<Result> results(points.size());
  std::vector<std::vector<double>> us(points.size());
  for (int one = 0; one < series; ++one)
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!goes_on()) return {};
      if (!found[i].empty()) continue;
      const RivalRun measured = timed_apart(points[i], rounds[i], found[i]);
      if (!measured.right && found[i].empty()) {
        const std::string call = points[i].call_text();
        found[i] = fmt::format("the calls that are timed{}: their result is wrong",
                               call.empty() ? "" : " (" + call + ")");
      }
      us[i].push_back(measured.nanoseconds / 1000);
    }
  for (std::size_t i = 0; i < points.size(); ++i) {
    Result& result = results[i];
    if (!found[i].empty()) result = refuted(std::move(found[i]));
    result.explored = all_passed[i];
    result.wall_clock = true;
    result.of_ranks = false;
    if (!result.found.empty()) continue;
    std::sort(us[i].begin(), us[i].end());
    result.max_us = quantile(us[i], 0.5);
    result.lower_us = quantile(us[i], 0.25);
    result.upper_us = quantile(us[i], 0.75);
    result.host_us = result.max_us;
    for (const double one : us[i]) result.mean_us += one / static_cast<double>(us[i].size());
  }
  return results;
}

} // namespace lab
