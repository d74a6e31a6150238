// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fork_join/claims.hpp"
#include "xeon_phi/claims.hpp"
#include "xeon_phi/collectives.hpp"

namespace rccebench::xeon_phi {

namespace {

namespace cost = algorithms::in_memory::cost;
using cost::Bound;
using fork_join::order_claim;

constexpr int crossover_lines[] = {8, 16, 32, 64, 128, 256};

std::string words(const std::vector<int>& fan_outs) {
  return fmt::format("{}", fmt::join(fan_outs, ", "));
}

void add_optima(Claims& claims) {
  const auto p = published_parameters();
  const auto exact = [&](const char* id, const char* statement, const std::string& published,
                         const std::string& found) {
    claims.push_back({id, statement, Cell(published), Cell(found), "", "exact", published == found, true,
                      published == found ? "" : "c, which is printed in a figure only, decides"});
  };
  exact("11-bcast-30", "best tree of the min model, broadcast, 30 threads", "5, 5",
        words(tree_of(30, false)));
  exact("11-bcast-60", "best tree of the min model, broadcast, 60 threads", "4, 4, 3",
        words(tree_of(60, false)));
  exact("11-reduce-30", "best tree of the min model, reduction, 30 threads", "3, 3, 2",
        words(tree_of(30, true)));
  exact("11-reduce-60", "best tree of the min model, reduction, 60 threads", "4, 4, 3",
        words(tree_of(60, true)));
  for (const auto& [n, published] : {std::pair(30, "m = 6, r = 2"), {60, "m = 4, r = 3"}}) {
    const auto radix = cost::best_radix(p, n, Bound::min, true);
    exact(n == 30 ? "11-barrier-30" : "11-barrier-60",
          n == 30 ? "best barrier of the min model as printed, 30 threads"
                  : "best barrier of the min model as printed, 60 threads",
          published, fmt::format("m = {}, r = {}", radix.partners, radix.rounds));
  }
}

/// Of a comparison of one line with several.
std::string hand_overs(const Times& t, const std::string& shared, const std::string& own) {
  return fmt::format(
      "{:.0f} against {:.0f} ns: k children are k + 1 transfers of 236 ns one after another either way, k "
      "stores to the shared line and its reading, or a store and k readings of the parent's; what its looks "
      "in between cost decides. With its loads all at once it would be {:.0f} against {:.0f} ns",
      t.at(shared), t.at(own), t.at(shared + " overlapping"), t.at(own + " overlapping"));
}

void add_trees(const Times& t, Claims& claims) {
  for (int k = 2; k <= 6; ++k) {
    const double shared = t.at(fmt::format("fan-out {} true", k)),
                 own = t.at(fmt::format("fan-out {} false", k));
    claims.push_back(order_claim(
        fmt::format("10-{}", k), fmt::format("{} children tell on one line, over one line each", k), "faster",
        shared / own, "", shared < own, "below 1",
        hand_overs(t, fmt::format("fan-out {} true", k), fmt::format("fan-out {} false", k))));
  }
  // The publication's words do not say which way they mean.
  for (int k = 2; k <= 6; ++k) {
    const double shared = t.at(fmt::format("fan-out {} true", k)),
                 own = t.at(fmt::format("own notices {}", k));
    claims.push_back(order_claim(
        fmt::format("10-notice-{}", k),
        fmt::format("the other way: {} children are told on one line, over one line each", k), "faster",
        shared / own, "", shared < own, "below 1",
        fmt::format("{:.0f} against {:.0f} ns: one store and its readers, or {} stores one after another",
                    shared, own, k)));
  }
  const double shared = t.at("bcast 60"), own = t.at("bcast own lines 60");
  claims.push_back(order_claim(
      "10-tree-60", "the model's tree for 60 threads: one line for all children, over one each", "faster",
      shared / own, "", shared < own, "below 1", hand_overs(t, "bcast 60", "bcast own lines 60")));
  for (const int n : thread_counts) {
    const double tree = t.at(fmt::format("bcast {}", n));
    double best = 1e18;
    std::string which;
    for (const char* const other : {"flat", "binomial", "three_nomial", "fibonacci 2", "fibonacci 4"})
      if (const double ns = t.at(fmt::format("{} {}", other, n)); ns < best) best = ns, which = other;
    claims.push_back(order_claim(
        fmt::format("12-{}", n), fmt::format("{} threads, one line: the model's tree over the best other", n),
        "lowest latency", tree / best, "", tree <= 1.02 * best, "at most 1.02",
        fmt::format("{} takes {:.0f} ns, the tree {:.0f}: the model counts an acknowledgement of each level "
                    "after the other, and so chooses flat trees; here they overlap with the levels below",
                    which, best, tree)));
  }
}

void add_large(const Times& t, Claims& claims) {
  for (const int n : {48, 60}) {
    const double flat = t.at(fmt::format("flat large {}", n)),
                 pipelined = t.at(fmt::format("pipelined large {}", n));
    claims.push_back(order_claim(fmt::format("15-{}", n),
                                 fmt::format("8 KiB, {} threads: flat over pipelined", n), "faster",
                                 flat / pipelined, "", flat < pipelined, "below 1",
                                 fmt::format("{:.0f} against {:.0f} ns", flat, pipelined)));
  }
  const auto crossover = [&](double readers) -> double {
    for (const int lines : crossover_lines)
      if (t.at(fmt::format("bcast/flat c {} lines {}", readers, lines)) >=
          t.at(fmt::format("bcast/pipelined c {} lines {}", readers, lines)))
        return static_cast<double>(lines);
    return 512;
  };
  const double with_low = crossover(27), with_high = crossover(108);
  const auto printed = [](double readers) {
    auto p = published_parameters();
    p.readers = readers;
    return std::none_of(std::begin(crossover_lines), std::end(crossover_lines), [&](int lines) {
      return cost::pipelined(p, 60, lines, Bound::min) < cost::flat(p, 60, lines, Bound::min);
    });
  };
  claims.push_back(order_claim(
      "16", "60 threads: lines from which pipelined wins, c = 27 over c = 108 ns", "c matters",
      with_low / with_high, "", with_low != with_high, "another number",
      fmt::format("from {:.0f} and {:.0f} lines on, more than are tried: flat is ahead of pipelined "
                  "throughout{}",
                  with_low, with_high,
                  printed(27) && printed(108)
                      ? ", and it is by the publication's own min model with either c, too"
                      : "")));
}

} // namespace

std::vector<reproduce::Figure> add_collective_claims(const Config& config, unsigned jobs, Claims& claims) {
  const Times times(config, jobs);
  add_trees(times, claims);
  add_optima(claims);
  add_large(times, claims);
  auto figures = add_bound_claims(times, claims);
  const double payload = 1 - times.at("bcast empty 60") / times.at("bcast 60");
  claims.push_back(order_claim("19", "small broadcast, 60 threads: payload's part of the time",
                               "at most half", payload, "", payload <= 0.5, "at most 0.5",
                               "copies by several readers of one line wait for each other, c each"));
  return figures;
}

} // namespace rccebench::xeon_phi
