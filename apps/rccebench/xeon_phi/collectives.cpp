// SPDX-License-Identifier: Apache-2.0
#include "xeon_phi/collectives.hpp"

#include <fmt/format.h>

#include "lab.hpp"

namespace rccebench::xeon_phi {

namespace {

namespace cost = algorithms::in_memory::cost;
using cost::Bound;

constexpr std::size_t line = 64, large = 8192;

/// One collective call; a name for the table.
struct Call {
  std::string name, algorithm;
  int threads = 2;
  std::size_t bytes = line;
  std::vector<int> fan_outs = {};
  bool shared_line = true;
  int latency = 2, partners = 1;
  double readers = 0; ///< c in nanoseconds; 0: the preset's
  bool overlapping =
      false; ///< loads of a scan all at once: not the preset, to find out what a failure is due to
  bool own_notices = false; ///< a parent tells each child on a line of its own
};

std::vector<Call> all_calls() {
  std::vector<Call> calls;
  for (const int n : thread_counts) {
    calls.push_back({fmt::format("bcast {}", n), "bcast/level_tree", n, line, tree_of(n, false)});
    calls.push_back(
        {fmt::format("bcast own lines {}", n), "bcast/level_tree", n, line, tree_of(n, false), false});
    calls.push_back({fmt::format("bcast empty {}", n), "bcast/level_tree", n, 0, tree_of(n, false)});
    calls.push_back({fmt::format("flat {}", n), "bcast/flat", n});
    calls.push_back({fmt::format("binomial {}", n), "bcast/binomial", n});
    calls.push_back({fmt::format("three_nomial {}", n), "bcast/three_nomial", n});
    for (const int latency : {2, 4})
      calls.push_back(
          {fmt::format("fibonacci {} {}", latency, n), "bcast/fibonacci", n, line, {}, true, latency});
    calls.push_back({fmt::format("reduce {}", n), "reduce/level_tree", n, sizeof(float), tree_of(n, true)});
    for (const int partners : partner_counts)
      calls.push_back(
          {fmt::format("barrier {} {}", partners, n), "barrier/dissemination", n, 0, {}, true, 2, partners});
    calls.push_back({fmt::format("flat large {}", n), "bcast/flat", n, large});
    calls.push_back({fmt::format("pipelined large {}", n), "bcast/pipelined", n, large});
  }
  const auto overlapping = [&](Call call) {
    call.name += " overlapping";
    call.overlapping = true;
    calls.push_back(std::move(call));
  };
  for (const int n : thread_counts) {
    overlapping({fmt::format("bcast {}", n), "bcast/level_tree", n, line, tree_of(n, false)});
    overlapping(
        {fmt::format("bcast own lines {}", n), "bcast/level_tree", n, line, tree_of(n, false), false});
    overlapping({fmt::format("reduce {}", n), "reduce/level_tree", n, sizeof(float), tree_of(n, true)});
  }
  for (int k = 2; k <= 6; ++k)
    for (const bool shared : {true, false})
      overlapping({fmt::format("fan-out {} {}", k, shared), "bcast/level_tree", k + 1, line, {k}, shared});
  for (int k = 2; k <= 6; ++k)
    for (const bool shared : {true, false})
      calls.push_back(
          {fmt::format("fan-out {} {}", k, shared), "bcast/level_tree", k + 1, line, {k}, shared});
  for (int k = 2; k <= 6; ++k) {
    Call call{fmt::format("own notices {}", k), "bcast/level_tree", k + 1, line, {k}};
    call.own_notices = true;
    calls.push_back(std::move(call));
  }
  // The crossover of statement 16, by c.
  for (const double readers : {27.0, 108.0})
    for (const std::size_t lines : {8, 16, 32, 64, 128, 256})
      for (const char* const algorithm : {"bcast/flat", "bcast/pipelined"})
        calls.push_back({fmt::format("{} c {} lines {}", algorithm, readers, lines),
                         algorithm,
                         60,
                         lines * line,
                         {},
                         true,
                         2,
                         1,
                         readers});
  return calls;
}

} // namespace

cost::Parameters published_parameters() {
  return {8.6, 235.8, 277.7, 54, 76.0, 1521.0, 1096.0};
}

std::vector<int> tree_of(int threads, bool reduces) {
  const auto p = published_parameters();
  return cost::best_tree(threads,
                         [&](std::span<const int> k) {
                           return reduces ? cost::reduction(p, k, Bound::min)
                                          : cost::broadcast(p, k, Bound::min);
                         })
      .fan_outs;
}

Times::Times(const Config& config, unsigned jobs) {
  const std::vector<Call> calls = all_calls();
  const auto found = sweep<Point, Call>(
      calls, jobs,
      [](const Call& call) { return static_cast<double>(call.threads) * static_cast<double>(call.bytes); },
      [config](const Call& call) {
        Config machine = config;
        if (call.readers > 0) machine.read_occupancy = call.readers * machine.clock_mhz / 1000;
        if (call.overlapping) machine.scans = "overlapping";
        algorithms::in_memory::BroadcastOptions bcast;
        algorithms::in_memory::ReduceOptions reduce;
        bcast.latency = call.latency;
        bcast.shared_line = reduce.shared_line = call.shared_line;
        if (call.own_notices) bcast.notice = algorithms::in_memory::Notice::single;
        if (!call.fan_outs.empty()) bcast.fan_outs = reduce.fan_outs = call.fan_outs;
        return collective(machine, call.algorithm, call.threads, call.bytes, bcast, reduce, call.partners);
      });
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (found[i]) times_[calls[i].name] = *found[i];
}

} // namespace rccebench::xeon_phi
