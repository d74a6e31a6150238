// SPDX-License-Identifier: Apache-2.0
// Reductions of 1,000 to 200,000 floats, under four spreads of arrivals: who wins where.
#include <algorithm>

#include <fmt/format.h>

#include "dynamic_reduction/claims.hpp"
#include "publications/reproduction.hpp"

namespace rccebench::dynamic_reduction {

namespace {

using publications::order_claim;

const Machine& x5650 = machines[0];
const Machine& amd_1090t = machines[1];
const Machine& opteron = machines[3];
const Machine& e7 = machines[4];
constexpr auto size_count = static_cast<double>(std::size(sizes));

double last(const Results& r, const Machine& machine, const char* algorithm, std::int64_t elements,
            std::size_t spread) {
  return r.sweep(machine, algorithm, elements, spread).behind_last;
}

/// The largest size up to which, from the smallest on, one is faster than another; 0 where it never is.
double ahead_up_to(const Results& r, const Machine& machine, const char* one, const char* other,
                   std::size_t spread) {
  double up_to = 0;
  for (const std::int64_t elements : sizes) {
    if (last(r, machine, one, elements, spread) >= last(r, machine, other, elements, spread)) break;
    up_to = static_cast<double>(elements);
  }
  return up_to;
}

/// Of the sizes from `least` on, the share for which the condition holds.
template <class Condition>
double share(std::int64_t least, Condition condition) {
  double all = 0, so = 0;
  for (const std::int64_t elements : sizes)
    if (elements >= least) {
      all += 1;
      so += condition(elements) ? 1 : 0;
    }
  return so / all;
}

/// Mean over sizes of one time over another.
template <class Ratio>
double mean(Ratio ratio) {
  double sum = 0;
  for (const std::int64_t elements : sizes) sum += ratio(elements);
  return sum / size_count;
}

/// Why trees lose large arrays to linear on machines of lines.
constexpr const char* fetched =
    "linear fetches (n - 1) / n of an array behind the last arrival, each merge half of one for its leader, "
    "a "
    "whole one and the ownership of half of one for its follower, on which its leader waits";

/// The terms of a merge of large arrays, for reasons.
std::string terms(const Results& r, const Machine& machine, std::int64_t elements, std::size_t spread) {
  return fmt::format("at {} floats linear takes {:.0f}, static {:.0f}, dynamic {:.0f} cycles behind the last "
                     "arrival, {:.2f}, {:.2f}, {:.2f} a float; {}",
                     elements, last(r, machine, linear, elements, spread),
                     last(r, machine, fixed_pairs, elements, spread),
                     last(r, machine, dynamic, elements, spread),
                     last(r, machine, linear, elements, spread) / static_cast<double>(elements),
                     last(r, machine, fixed_pairs, elements, spread) / static_cast<double>(elements),
                     last(r, machine, dynamic, elements, spread) / static_cast<double>(elements), fetched);
}

void add_without_spread(const Results& r, Claims& claims) {
  for (const Machine& machine : machines) {
    const auto t = [&](const char* algorithm, std::int64_t elements) {
      return last(r, machine, algorithm, elements, none);
    };
    const double good = share(
        0, [&](std::int64_t n) { return t(linear, n) <= 1.2 * std::min(t(fixed_pairs, n), t(dynamic, n)); });
    if (machine.name == opteron.name)
      claims.push_back(order_claim(
          "S-02", "no spread: trees overtake linear on 2 x 12 cores of AMD", "some sizes",
          1 - share(0, [&](std::int64_t n) { return t(linear, n) <= t(fixed_pairs, n); }), "of sizes",
          share(0, [&](std::int64_t n) { return t(linear, n) <= t(fixed_pairs, n); }) < 1, "above 0",
          terms(r, machine, 200'000, none) + ", for each level of the tree one after another"));
    else
      claims.push_back(order_claim(fmt::format("S-01-{}", machine.printed),
                                   "no spread: linear is within 20 % of the best tree", "everywhere", good,
                                   "of sizes", good == 1, "all sizes", terms(r, machine, 24'000, none)));
    const double before = share(0, [&](std::int64_t n) { return t(fixed_pairs, n) < t(dynamic, n); });
    claims.push_back(order_claim(fmt::format("S-03-{}", machine.printed), "no spread: static before dynamic",
                                 "generally", before, "of sizes", before >= 0.75, "at least 0.75",
                                 terms(r, machine, 24'000, none)));
    const double unchanged =
        mean([&](std::int64_t n) { return last(r, machine, linear, n, spread_a) / t(linear, n); });
    claims.push_back(order_claim(
        fmt::format("S-04-{}", machine.printed), "linear: spread A over none", 1.0, unchanged, "",
        std::abs(unchanged - 1) <= 0.05, "5 %",
        "the barrier before it costs less when threads come one by one: of small sizes it is a large part"));
  }
  for (const char* const algorithm : {fixed_pairs, dynamic}) {
    const double better = mean([&](std::int64_t n) {
      return last(r, amd_1090t, algorithm, n, spread_a) / last(r, amd_1090t, algorithm, n, none);
    });
    claims.push_back(order_claim(fmt::format("S-05-{}", short_name(algorithm)), "1090T: spread A over none",
                                 "drastically less", better, "", better < 0.8, "below 0.8",
                                 "depth of the tree cannot explain it for fixed pairs, less contention "
                                 "might: pairs use lines of their own here, and have none"));
  }
  const double slower = share(0, [&](std::int64_t n) {
    return last(r, amd_1090t, dynamic, n, none) >
        std::max(last(r, amd_1090t, linear, n, none), last(r, amd_1090t, fixed_pairs, n, none));
  });
  claims.push_back(order_claim("S-06", "1090T, no spread: dynamic is slower than both others", "all sizes",
                               slower, "of sizes", slower == 1, "all sizes",
                               terms(r, amd_1090t, 24'000, none)));
}

void add_crossovers(const Results& r, Claims& claims) {
  for (const Machine& machine : machines) {
    const double b = ahead_up_to(r, machine, dynamic, linear, spread_b),
                 c = ahead_up_to(r, machine, dynamic, linear, spread_c);
    claims.push_back(order_claim(fmt::format("S-08-{}", machine.printed),
                                 "spread B: dynamic is ahead of linear up to", 5000.0, b, "floats",
                                 b >= 2500 && b <= 10'000, "factor 2", terms(r, machine, 3'500, spread_b)));
    claims.push_back(order_claim(fmt::format("S-09-{}", machine.printed),
                                 "spread C: dynamic is ahead of linear up to at least", 10000.0, c, "floats",
                                 c >= 5000, "at least half", terms(r, machine, 7'000, spread_c)));
    claims.push_back(order_claim(fmt::format("S-10-{}", machine.printed),
                                 "the range that dynamic wins grows from B to C", 2.0, b > 0 ? c / b : 0, "",
                                 c > b, "above 1", terms(r, machine, 7'000, spread_c)));
    const auto before_static = [&](std::size_t spread) {
      return ahead_up_to(r, machine, dynamic, fixed_pairs, spread);
    };
    const bool grows = before_static(none) <= before_static(spread_a) &&
        before_static(spread_a) <= before_static(spread_b) &&
        before_static(spread_b) <= before_static(spread_c);
    claims.push_back(
        {fmt::format("S-16-{}", machine.printed), "dynamic ahead of static: not less with more spread",
         Cell("none, A, B, C in order"),
         Cell(fmt::format("{:.0f}, {:.0f}, {:.0f}, {:.0f}", before_static(none), before_static(spread_a),
                          before_static(spread_b), before_static(spread_c))),
         "floats", "order", grows, true, grows ? "" : terms(r, machine, 7'000, spread_b)});
    std::array<double, std::size(spreads)> against{};
    for (std::size_t s = 0; s < against.size(); ++s)
      against[s] = mean([&](std::int64_t n) {
        return last(r, machine, dynamic, n, s) /
            std::min(last(r, machine, linear, n, s), last(r, machine, fixed_pairs, n, s));
      });
    const bool falls = std::is_sorted(against.rbegin(), against.rend());
    claims.push_back(
        {fmt::format("S-17-{}", machine.printed), "dynamic over the best other: not more with more spread",
         Cell("none, A, B, C falling"),
         Cell(fmt::format("{:.2f}, {:.2f}, {:.2f}, {:.2f}", against[0], against[1], against[2], against[3])),
         "", "order", falls, true,
         falls ? ""
               : "mean over all sizes, of which large ones are the same under small spreads but for who "
                 "meets whom"});
  }
}

void add_large(const Results& r, Claims& claims) {
  for (const Machine& machine : machines) {
    double ahead = 0, trees = 0;
    for (std::size_t s = 0; s < std::size(spreads); ++s) {
      ahead += share(15'000,
                     [&](std::int64_t n) {
                       return last(r, machine, linear, n, s) <=
                           std::min(last(r, machine, fixed_pairs, n, s), last(r, machine, dynamic, n, s));
                     }) /
          4;
      trees += share(15'000,
                     [&](std::int64_t n) {
                       return last(r, machine, fixed_pairs, n, s) < last(r, machine, linear, n, s);
                     }) /
          4;
    }
    if (machine.name == opteron.name)
      claims.push_back(order_claim("S-13", "2 x 12-core Opteron, from 15,000 floats on: static before linear",
                                   "deviates", trees, "of sizes and spreads", trees >= 0.5, "at least 0.5",
                                   terms(r, machine, 64'000, spread_b) +
                                       ", for each level of the tree one after another"));
    else
      claims.push_back(order_claim(
          fmt::format("S-11-{}", machine.printed), "from 15,000 floats on: linear is the fastest", "often",
          ahead, "of sizes and spreads", ahead >= 0.5, "at least 0.5", terms(r, machine, 24'000, spread_c)));
  }
  const double e7_up_to = ahead_up_to(r, e7, dynamic, linear, spread_c);
  claims.push_back(order_claim("S-12", "4 x E7-4830, spread C: linear becomes the fastest behind", 10000.0,
                               e7_up_to, "floats", e7_up_to >= 5000 && e7_up_to <= 20'000, "factor 2",
                               terms(r, e7, 7'000, spread_c)));
  const double best = share(24'000, [&](std::int64_t n) {
    return fastest(r, x5650, n, spread_c, {linear, fixed_pairs, dynamic, group}) == group;
  });
  claims.push_back(order_claim("S-14", "X5650, spread C, from 24,000 floats on: dynamic_group is the fastest",
                               "on certain systems", best, "of sizes", best > 0, "above 0",
                               "its job, wake-up and decrements cost more than the shorter merge saves"));
  const auto per_float = [&](std::int64_t n) {
    return last(r, amd_1090t, linear, n, none) / static_cast<double>(n);
  };
  claims.push_back(order_claim("S-15", "1090T, no spread, linear: cycles a float at 100,000 over 64,000",
                               "a break", per_float(100'000) / per_float(64'000), "",
                               per_float(100'000) / per_float(64'000) > 1.1, "above 1.1",
                               "what leaves the second level goes to the third, and is fetched from there at "
                               "no higher cost a line: it is the misses in flight that count"));
}

void add_sums(const Results& r, Claims& claims) {
  const auto sum = [&](const char* algorithm, std::int64_t n, std::size_t s) {
    return r.sweep(e7, algorithm, n, s).summed;
  };
  for (std::size_t s = 0; s < std::size(spreads); ++s) {
    const double slowest = share(0, [&](std::int64_t n) {
      return sum(linear, n, s) > std::max(sum(fixed_pairs, n, s), sum(dynamic, n, s));
    });
    const auto behind = [&](const char* algorithm, double more) {
      return size_count *
          share(0, [&](std::int64_t n) { return sum(linear, n, s) + more > sum(algorithm, n, s); });
    };
    const double overhead = r.overhead(e7.name, linear, 24, none, "scatter");
    claims.push_back(order_claim(
        fmt::format("T-01-{}", spreads[s].name), "4 x E7-4830, T_sum: linear is the slowest", "all sizes",
        slowest, "of sizes", slowest == 1, "all sizes",
        fmt::format(
            "linear is behind static at {:.0f} and behind dynamic at {:.0f} of {:.0f} sizes (at {:.0f} if "
            "linear's overhead were the published 100,000 cycles, N-03, instead of {:.0f}); at "
            "200,000 floats linear {:.0f}, static {:.0f}, dynamic {:.0f} cycles: {}; static merges cross "
            "sockets on the last two levels, those of whoever comes on most",
            behind(fixed_pairs, 0), behind(dynamic, 0), size_count,
            behind(dynamic, e7.threads * (100'000 - overhead)), overhead, sum(linear, 200'000, s),
            sum(fixed_pairs, 200'000, s), sum(dynamic, 200'000, s), fetched)));
  }
  const double few_elements = sum(linear, 3'500, spread_a) /
      std::max(sum(fixed_pairs, 3'500, spread_a), sum(dynamic, 3'500, spread_a));
  claims.push_back(order_claim("T-02", "4 x E7-4830, T_sum at 3,500 floats, spread A: linear over the next",
                               "considerably slower", few_elements, "", few_elements >= 1.2, "at least 1.2",
                               "see T-01"));
  const double best = share(0, [&](std::int64_t n) {
    return sum(dynamic, n, spread_a) < std::min(sum(fixed_pairs, n, spread_a), sum(linear, n, spread_a));
  });
  claims.push_back(
      order_claim("T-03", "4 x E7-4830, T_sum, spread A (deviation 3,900): dynamic is the best", "all sizes",
                  best, "of sizes", best == 1, "all sizes",
                  fmt::format("at 1,000 floats dynamic {:.0f}, static {:.0f}, at 24,000 {:.0f}, {:.0f} "
                              "cycles: of fixed pairs half leave after one merge, and the "
                              "spread, 15,000 cycles at most, is short beside the merges of 32 threads",
                              sum(dynamic, 1'000, spread_a), sum(fixed_pairs, 1'000, spread_a),
                              sum(dynamic, 24'000, spread_a), sum(fixed_pairs, 24'000, spread_a))));
}

} // namespace

std::string fastest(const Results& results, const Machine& machine, std::int64_t elements, std::size_t spread,
                    const std::vector<std::string>& algorithms) {
  return *std::min_element(algorithms.begin(), algorithms.end(),
                           [&](const std::string& a, const std::string& b) {
                             return results.sweep(machine, a, elements, spread).behind_last <
                                 results.sweep(machine, b, elements, spread).behind_last;
                           });
}

void add_size_claims(const Results& results, Claims& claims) {
  add_without_spread(results, claims);
  add_crossovers(results, claims);
  add_large(results, claims);
  add_sums(results, claims);
}

} // namespace rccebench::dynamic_reduction
