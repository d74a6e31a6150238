// SPDX-License-Identifier: Apache-2.0
// Reductions of one element: what the algorithms cost when there is nothing to add.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dynamic_reduction/claims.hpp"
#include "dynamic_reduction/published.hpp"
#include "publications/reproduction.hpp"
#include "lab.hpp"
#include "lab/random.hpp"

namespace rccebench::dynamic_reduction {

namespace {

using publications::factor_claim;
using publications::order_claim;

/// Transfers one after another that explain a time, by the machine's own row of a changed line.
std::string in_transfers(const std::string& preset, double simulated, double published) {
  const auto config = mesh::coherent::load_machine(preset);
  const double transfer = config.latency[0][0].back();
  return fmt::format("simulated: {:.1f} transfers of a changed line ({:.0f} cycles, the machine's row for "
                     "its farthest cores) one after "
                     "another; published: {:.1f}. What else the publication's code did between two accesses "
                     "is not described",
                     simulated / transfer, transfer, published / transfer);
}

void add_tables(const Results& results, const std::vector<Printed>& rows, Claims& claims) {
  for (const Printed& row : rows) {
    if (row.id.starts_with("O-B")) continue;
    const double cycles = simulated(results, row);
    const std::string preset = row.machine.ends_with("8-core Xeon") ? "xeon-e7-4830"
        : row.machine.find("Xeon") != std::string::npos             ? xeon
                                                                    : amd;
    claims.push_back(factor_claim(
        row.id,
        fmt::format("{}, {}, {} threads, one element", short_name(row.algorithm), row.machine, row.threads),
        row.cycles, cycles, "cycles", 3, in_transfers(preset, cycles, row.cycles)));
  }
}

void add_order(const Results& results, const char* id, const char* preset, int threads, std::size_t spread,
               const std::vector<const char*>& wanted, Claims& claims) {
  std::vector<std::string> names, found;
  std::vector<std::pair<double, std::string>> times;
  for (const char* const algorithm : wanted) {
    names.push_back(short_name(algorithm));
    times.emplace_back(results.overhead(preset, algorithm, threads, spread), short_name(algorithm));
  }
  std::sort(times.begin(), times.end());
  for (const auto& [time, name] : times) found.push_back(name);
  const bool holds = found == names;
  claims.push_back(
      {fmt::format("{}-{}", id, threads),
       fmt::format("order on {}, {} threads, {}", preset, threads, spread == none ? "no spread" : "spread B"),
       Cell(fmt::format("{}", fmt::join(names, " < "))), Cell(fmt::format("{}", fmt::join(found, " < "))), "",
       "exact", holds, true,
       holds ? ""
             : fmt::format("{:.0f}, {:.0f}, {:.0f} cycles: linear's time has both its barriers, of additions "
                           "to one line; the publication does not say what its own are made of",
                           times[0].first, times[1].first, times[2].first)});
}

void add_orders(const Results& r, Claims& claims) {
  for (const int threads : {4, 6}) {
    add_order(r, "OO-01-xeon", xeon, threads, none, {linear, fixed_pairs, dynamic}, claims);
    add_order(r, "OO-01-amd", amd, threads, none, {linear, fixed_pairs, dynamic}, claims);
    add_order(r, "OO-04-xeon", xeon, threads, spread_b, {dynamic, linear, fixed_pairs}, claims);
  }
  add_order(r, "OO-02-xeon", xeon, 2, none, {linear, fixed_pairs, dynamic}, claims);
  add_order(r, "OO-03-amd", amd, 2, none, {fixed_pairs, linear, dynamic}, claims);
  add_order(r, "OO-08-amd", amd, 6, spread_b, {linear, dynamic, fixed_pairs}, claims);
}

void add_ratios(const Results& r, Claims& claims) {
  struct Row {
    const char* algorithm;
    double amd_over_xeon, spread_xeon, spread_amd; ///< published, 6 threads
  };
  double most = 0;
  std::string which;
  for (const Row& row :
       {Row{dynamic, 3.18, 0.51, 0.39}, Row{fixed_pairs, 1.66, 1.12, 1.11}, Row{linear, 1.69, 1.09, 1.07}}) {
    const auto overhead = [&](const char* preset, std::size_t spread) {
      return r.overhead(preset, row.algorithm, 6, spread);
    };
    const double ratio = overhead(amd, none) / overhead(xeon, none);
    if (ratio > most) most = ratio, which = row.algorithm;
    auto claim =
        reproduce::number_claim(fmt::format("OR-amd-{}", short_name(row.algorithm)),
                                fmt::format("AMD over Xeon, 6 threads, {}", short_name(row.algorithm)),
                                row.amd_over_xeon, ratio, "", 50);
    if (!claim.holds) claim.reason = in_transfers(amd, overhead(amd, none), 3896 * row.amd_over_xeon);
    claims.push_back(claim);
    for (const bool on_xeon : {true, false}) {
      const char* const preset = on_xeon ? xeon : amd;
      auto spread = reproduce::number_claim(
          fmt::format("OR-spread-{}-{}", on_xeon ? "xeon" : "amd", short_name(row.algorithm)),
          fmt::format("spread B over none, 6 threads, {}, {}", preset, short_name(row.algorithm)),
          on_xeon ? row.spread_xeon : row.spread_amd, overhead(preset, spread_b) / overhead(preset, none), "",
          25);
      if (!spread.holds)
        spread.reason = row.algorithm == std::string(dynamic)
            ? "behind the last arrival one merge is left, here and there; without spread the publication's "
              "threads lose more time at the one word: O of dynamic"
            : "without spread threads wait for each other's transfers at a line, with it they find it free; "
              "that the publication's get slower contradicts its own text (OO-09)";
      claims.push_back(spread);
    }
  }
  claims.push_back({"OR-largest", "AMD over Xeon is largest for dynamic, 6 threads", Cell("dynamic_pair"),
                    Cell(short_name(which)), "", "exact", which == dynamic, true,
                    which == dynamic ? "" : "dynamic on AMD is too fast by more than the others: O"});
}

void add_numa(const Results& r, Claims& claims) {
  double amd_most = 0, xeon_least = 1e18;
  for (const char* const algorithm : {linear, fixed_pairs, dynamic}) {
    amd_most = std::max(amd_most, r.overhead(amd, algorithm, 24, none, "scatter"));
    xeon_least = std::min(xeon_least, r.overhead("xeon-e7-4830", algorithm, 24, none, "scatter"));
  }
  const double xeon_linear = r.overhead("xeon-e7-4830", linear, 24, none, "scatter"),
               amd_linear = r.overhead(amd, linear, 24, none, "scatter");
  claims.push_back(order_claim("N-01", "quad Opteron, 24 threads: the largest overhead of the three",
                               "below 25000", amd_most, "cycles", amd_most <= 25'000, "at most 25000",
                               in_transfers(amd, amd_most, 25'000)));
  claims.push_back(order_claim("N-02", "quad Xeon, 24 threads: the smallest overhead of the three",
                               "above 60000", xeon_least, "cycles", xeon_least >= 60'000, "at least 60000",
                               in_transfers("xeon-e7-4830", xeon_least, 60'000)));
  claims.push_back(factor_claim("N-03", "quad Xeon, 24 threads, linear", 100'000, xeon_linear, "cycles", 2,
                                in_transfers("xeon-e7-4830", xeon_linear, 100'000)));
  claims.push_back(factor_claim("N-04", "quad Opteron, 24 threads, linear", 25'000, amd_linear, "cycles", 2,
                                in_transfers(amd, amd_linear, 25'000)));
  for (const char* const preset : {"xeon-e7-4830", amd}) {
    double most = 0;
    for (const char* const algorithm : {linear, fixed_pairs, dynamic})
      most = std::max(most,
                      r.overhead(preset, algorithm, 8, none, "scatter") /
                          r.overhead(preset, algorithm, 6, none, "scatter"));
    claims.push_back(order_claim(fmt::format("N-05-{}", preset), "no step from 6 to 8 threads, scattered",
                                 1.0, most, "", most < 2, "below 2",
                                 "8 threads are one more level of pairs than 4, as 6 are"));
  }
}

double exponent(double from, double to, double ratio) {
  return natural_logarithm(ratio) / natural_logarithm(to / from);
}

void add_group(const Results& r, Claims& claims) {
  struct Row {
    const char *id, *preset, *placement;
    int most;
    double published;
  };
  for (const Row& row :
       {Row{"G-18", amd, "compact", 6, 1.47}, Row{"G-19", xeon, "compact", 6, 2.0},
        Row{"G-20", amd, "scatter", 24, 2.12}, Row{"G-21", "xeon-e7-4830", "scatter", 32, 2.17}}) {
    const double found = exponent(2, row.most,
                                  r.overhead(row.preset, group, row.most, none, row.placement) /
                                      r.overhead(row.preset, group, 2, none, row.placement));
    claims.push_back(order_claim(
        row.id, fmt::format("growth of dynamic_group from 2 to {} threads, {}", row.most, row.preset),
        row.published, found, "exponent", std::abs(found - row.published) <= 0.5, "0.5",
        "see G of the same machine"));
  }
  for (const auto& [id, preset, published] :
       {std::tuple("G-22", xeon, 4.79), std::tuple("G-23", amd, 3.11)}) {
    auto claim = reproduce::number_claim(
        id, fmt::format("dynamic_group over dynamic_pair, 6 threads, {}", preset), published,
        r.overhead(preset, group, 6, none) / r.overhead(preset, dynamic, 6, none), "", 50);
    if (!claim.holds) claim.reason = "the divisor is too small: O of dynamic on this machine";
    claims.push_back(claim);
  }
}

void add_visits(Claims& claims) {
  const Visits visits = measure_visits({"xeon-x5650", dynamic, "compact", 6, 1'000, 1});
  claims.push_back(order_claim("C-01", "finding a partner: mean (X5650, 6 threads, spread A)",
                               "a few hundred", visits.mean_cycles, "cycles",
                               visits.mean_cycles >= 100 && visits.mean_cycles <= 1000, "100 to 1000",
                               "a visit is one or two compare-and-swaps of a line that is mostly free"));
  claims.push_back(order_claim("C-02", "finding a partner: peaks", "a few thousand", visits.most_cycles,
                               "cycles", visits.most_cycles >= 1000 && visits.most_cycles <= 10'000,
                               "1000 to 10000",
                               "no interrupts and no other processes here, to which rare peaks may be due"));
  claims.push_back(order_claim("C-03", "retries of the loop in a run", 0.002, visits.retries_a_run, "",
                               visits.retries_a_run >= 0.0002 && visits.retries_a_run <= 0.02, "factor 10",
                               "how often two threads meet at the word follows from the distribution of "
                               "arrivals, of which only three numbers are published"));
}

void add_exact(Claims& claims) {
  // Merges of a length next to which everything else is small.
  const Point four{"xeon-x5650", "", "compact", 4, 24'000, 0},
      two{"xeon-x5650", fixed_pairs, "compact", 2, 24'000, 0};
  const double merge = measure(two, {0, 0}).behind_last;
  const auto time = [&](const char* algorithm, std::vector<double> arrivals) {
    Point point = four;
    point.algorithm = algorithm;
    point.threads = static_cast<int>(arrivals.size());
    return measure(point, arrivals).behind_last / merge;
  };
  const auto add = [&](const char* id, const char* statement, double published, double found) {
    auto claim = reproduce::number_claim(id, statement, published, found, "merges", 20);
    if (!claim.holds)
      claim.reason = "later merges fetch both operands from other caches, and take longer than the first, "
                     "which is the unit";
    claims.push_back(claim);
  };
  add("D-01", "arrivals 0, 0, 0, 1.5 merges, dynamic: after the last", 1.5,
      time(dynamic, {0, 0, 0, 1.5 * merge}));
  add("D-02", "arrivals 0, 0, 0, 1.5 merges, static: after the last", 2,
      time(fixed_pairs, {0, 0, 0, 1.5 * merge}));
  add("D-03", "arrivals far apart, dynamic: after the last", 1,
      time(dynamic, {0, 10 * merge, 20 * merge, 30 * merge}));
  add("D-04", "all at once, static, 4 threads: log2 n merges", 2, time(fixed_pairs, {0, 0, 0, 0}));
}

} // namespace

std::string short_name(const std::string& algorithm) {
  return algorithm.substr(algorithm.find('/') + 1);
}

void add_overhead_claims(const Results& results, Claims& claims) {
  add_tables(results, read_printed(), claims);
  add_orders(results, claims);
  add_ratios(results, claims);
  add_numa(results, claims);
  add_group(results, claims);
  add_visits(claims);
  add_exact(claims);
}

} // namespace rccebench::dynamic_reduction
