// SPDX-License-Identifier: Apache-2.0
// Tables III and IV: optimisation of branch lengths, whose regions are real.
#include <algorithm>

#include <fmt/format.h>

#include "fork_join/claims.hpp"

namespace rccebench::fork_join {

namespace {

constexpr const char* vector_variant = "flat + master vector";

/// Machines that the publication ran a data set on.
std::vector<std::string> machines_of(const DataSet& data) {
  if (data.organisms == data_sets[0].organisms) return {"x4600", "barcelona", "nehalem", "x4440"};
  return {"x4600", "barcelona", "nehalem"};
}

std::string id_of(const char* claim, const DataSet& data, const std::string& machine) {
  return fmt::format("{}-{}-{}", claim, data.organisms, machine);
}

/// One machine and data set, simulated or published.
struct Column {
  const Results& results;
  const DataSet& data;
  std::string machine;

  [[nodiscard]] double s(const std::string& variant) const {
    return results.simulated.seconds(data.workload, variant, machine);
  }
  [[nodiscard]] double p(const std::string& variant) const {
    return results.published.seconds(data.workload, variant, machine);
  }
  /// Microseconds by which one variant's region with sums exceeds another's.
  template <class Seconds>
  [[nodiscard]] double a_reduction(Seconds seconds, const char* more, const char* less) const {
    return (seconds(more) - seconds(less)) / static_cast<double>(data.with_sums) * 1e6;
  }
  [[nodiscard]] double patterns_a_thread() const {
    for (const Machine& one : machines)
      if (machine == one.name) return static_cast<double>(data.patterns) / one.cores;
    return 0;
  }
};

void add_counts(const Results& r, Claims& claims) {
  for (std::size_t i = 0; i < std::size(data_sets); ++i) {
    const DataSet& data = data_sets[i];
    const likelihood::Counts published = data.counts(), ours = r.simulated.counts(i);
    const auto exact = [&](const char* what, const char* statement, std::int64_t wanted, std::int64_t got,
                           bool evidence) {
      claims.push_back({fmt::format("W{}-{}", data.organisms, what), statement, wanted, got, "regions",
                        "exact", wanted == got, evidence,
                        evidence ? ""
                                 : "repeats of a Newton step depend on the alignment, which is not "
                                   "published: their number is taken from the publication"});
    };
    using likelihood::Region;
    const std::int64_t without = ours.of(Region::view) + ours.of(Region::evaluation);
    exact("newview", "regions without derivatives in one optimisation, 32 (n - 2) + 2",
          (data.barriers - data.with_sums) / optimisations, without, true);
    exact("branches", "branches, 2 n - 3: regions with derivatives in a pass", data.branches(),
          ours.of(Region::derivative) / likelihood::full_passes, true);
    exact("barriers", "barriers in five optimisations", data.barriers,
          optimisations * (without + ours.of(Region::derivative)) + published.of(Region::repeat), false);
  }
}

void add_winner(const Column& c, Claims& claims) {
  std::string best = "flat";
  for (const Variant& variant : variants())
    if (is_measured(c.data.workload, variant.name) && c.s(variant.name) < c.s(best)) best = variant.name;
  if (c.data.organisms == data_sets[0].organisms || c.machine == "barcelona")
    claims.push_back(
        {id_of("C12", c.data, c.machine), "flat with the master's vector reduction is the fastest",
         Cell(vector_variant), Cell(best), "", "exact", best == vector_variant, true,
         best == vector_variant ? ""
                                : fmt::format("{} is ahead by {:.2f} %: workers that end within nanoseconds "
                                              "of each other meet at unpadded "
                                              "flags; real ones are further apart",
                                              best, (c.s(vector_variant) / c.s(best) - 1) * 100)});
  claims.push_back(order_claim(
      id_of("C13", c.data, c.machine), "flat with the master's vector reduction over the best",
      c.data.organisms == 404        ? 1.0
          : c.machine == "barcelona" ? 1.0
                                     : c.p(vector_variant) /
              std::min(c.p("flat-padded + master vector"), c.p("tree-padded + tree reduction")),
      c.s(vector_variant) / c.s(best), "", c.s(vector_variant) <= 1.02 * c.s(best), "at most 1.02",
      "as C12; at 1,241 patterns the region is short and the difference a larger part of it"));
}

void add_slow(const Column& c, Claims& claims) {
  const double atomic = c.p("atomic-add") / c.p("flat"), mutex = c.p("mutex-add") / c.p("flat");
  reproduce::Claim claim = reproduce::number_claim(id_of("C14", c.data, c.machine), "atomic-add over flat",
                                                   atomic, c.s("atomic-add") / c.s("flat"), "", 5);
  if (!claim.holds)
    claim.reason = "12 us a region on x4600 that do not come about with empty regions either in the "
                   "publication (-0.4 us) or "
                   "here: something beside the join's own traffic, such as a counter on the line of a word "
                   "that is polled";
  claims.push_back(claim);
  claims.push_back(factor_claim(id_of("C15", c.data, c.machine), "mutex-add over flat", mutex,
                                c.s("mutex-add") / c.s("flat"), "", 1.5,
                                "a worker's turn at the lock is too short: C1"));
}

void add_padding(const Column& c, Claims& claims) {
  const double flat = c.s("flat-padded") / c.s("flat"), tree = c.s("tree-padded") / c.s("tree"),
               published = c.p("tree-padded") / c.p("tree");
  claims.push_back(
      order_claim(id_of("C16", c.data, c.machine), "padding does not matter for flat",
                  c.p("flat-padded") / c.p("flat"), flat, "of unpadded", std::abs(flat - 1) <= 0.01, "1 %",
                  "workers that end within nanoseconds of each other meet at unpadded flags: C12"));
  if (std::abs(published - 1) > 0.01)
    claims.push_back(order_claim(id_of("C17", c.data, c.machine), "padding helps tree", published, tree,
                                 "of unpadded", tree < 1, "below 1", ""));
  claims.push_back(order_claim(id_of("C18", c.data, c.machine), "what the vector reduction saves",
                               c.a_reduction([&](auto v) { return c.p(v); }, "flat", vector_variant),
                               c.a_reduction([&](auto v) { return c.s(v); }, "flat", vector_variant),
                               "us a reduction", c.s(vector_variant) < c.s("flat"), "above 0", ""));
  const double by_tree =
      c.a_reduction([&](auto v) { return c.s(v); }, "tree-padded + tree reduction", "tree-padded");
  claims.push_back(order_claim(
      id_of("C19", c.data, c.machine), "the tree's reduction instead of the master's, with tree-padded",
      c.a_reduction([&](auto v) { return c.p(v); }, "tree-padded + tree reduction", "tree-padded"), by_tree,
      "us a reduction", by_tree > -0.7 && by_tree < 0.6, "-0.7 to 0.6", ""));
  // Rests on a guess: one floating-point operation a cycle.
  const double us = c.s("flat") / static_cast<double>(c.data.barriers) * 1e6;
  reproduce::Claim length =
      factor_claim(id_of("C20", c.data, c.machine), "time of a region, flat",
                   c.p("flat") / static_cast<double>(c.data.barriers) * 1e6, us, "us", 2, "");
  length.evidence = false;
  length.reason = "the length of a region is our kernel's floating-point operations, one a cycle: a guess";
  claims.push_back(length);
}

/// Time of a region = a * patterns of a thread + b, through both data sets.
void add_lines(const Results& r, Claims& claims) {
  for (const char* const machine : {"x4600", "barcelona", "nehalem"}) {
    const Column large{r, data_sets[0], machine}, small{r, data_sets[1], machine};
    const auto line = [&](auto seconds) {
      const double first = seconds(large) / static_cast<double>(large.data.barriers) * 1e6,
                   second = seconds(small) / static_cast<double>(small.data.barriers) * 1e6;
      const double a = (first - second) / (large.patterns_a_thread() - small.patterns_a_thread());
      return std::pair(a, second - a * small.patterns_a_thread());
    };
    const auto published = line([](const Column&c) { return c.p("flat"); }),
               simulated = line([](const Column&c) { return c.s("flat"); });
    reproduce::Claim slope = factor_claim(fmt::format("C21a-{}", machine),
                                          "a in time of a region = a * patterns of a thread + b, flat",
                                          published.first, simulated.first, "us", 2, "");
    slope.evidence = false;
    slope.reason = "operations of our kernel, one a cycle: a guess";
    claims.push_back(slope);
    if (std::string_view(machine) == "nehalem") continue;
    reproduce::Claim constant = reproduce::number_claim(
        fmt::format("C21b-{}", machine), "b in time of a region = a * patterns of a thread + b, flat",
        published.second, simulated.second, "us", 25);
    if (!constant.holds)
      constant.reason = fmt::format("the join with empty regions takes {:.1f} us instead of {:.1f} "
                                    "(T1-flat); the matrices that each thread computes are "
                                    "part of b here",
                                    r.simulated.at("sync-only", "flat", machine).region_us,
                                    r.published.seconds("sync-only", "flat", machine) / 10);
    claims.push_back(constant);
  }
}

/// What a variant adds to a region on x4600, by workload.
void add_extras(const Results& r, Claims& claims) {
  const std::string machine = "x4600";
  for (const char* const variant : {"tree", "mutex-add", "atomic-add"})
    for (const char* const workload : {"sync-only", "raxml-404", "raxml-1481"}) {
      double regions = 1e7;
      for (const DataSet& data : data_sets)
        if (std::string_view(workload) == data.workload) regions = static_cast<double>(data.barriers);
      const auto extra = [&](const auto& from) {
        return (from.seconds(workload, variant, machine) -
                from.seconds(workload, std::string("flat"), machine)) /
            regions * 1e6;
      };
      reproduce::Claim claim = reproduce::number_claim(fmt::format("C22-{}-{}", variant, workload),
                                                       fmt::format("{} over flat, x4600, a region", variant),
                                                       extra(r.published), extra(r.simulated), "us", 20);
      if (!claim.holds)
        claim.reason = std::string_view(variant) == "tree"
            ? "unpadded flags of a tree cost a transfer for each write here, by the machine's rows: C3-tree"
            : std::string_view(variant) == "mutex-add"
            ? "a worker's turn at the lock is too short: C1-x4600"
            : "see C14: with work the published extra is no property of the join's own traffic";
      claims.push_back(claim);
    }
}

void add_bits(const Results& r, Claims& claims) {
  std::int64_t other = 0;
  for (const DataSet& data : data_sets)
    for (const std::string& machine : machines_of(data))
      for (const Variant& variant : variants()) {
        if (!is_measured(data.workload, variant.name)) continue;
        const bool tree = variant.reduction == Reduction::tree;
        // Sums along a tree have another order, the same in each run.
        if (!tree &&
            r.simulated.at(data.workload, variant.name, machine).sums !=
                r.simulated.at(data.workload, "flat", machine).sums)
          ++other;
      }
  claims.push_back({"C23",
                    "sums that the master adds up differ between variants",
                    std::int64_t{0},
                    other,
                    "runs",
                    "exact",
                    other == 0,
                    true,
                    {}});
}

} // namespace

void add_likelihood_claims(const Results& results, Claims& claims) {
  add_counts(results, claims);
  for (const DataSet& data : data_sets)
    for (const std::string& machine : machines_of(data)) {
      const Column column{results, data, machine};
      add_winner(column, claims);
      add_slow(column, claims);
      add_padding(column, claims);
    }
  add_lines(results, claims);
  add_extras(results, claims);
  add_bits(results, claims);
}

} // namespace rccebench::fork_join
