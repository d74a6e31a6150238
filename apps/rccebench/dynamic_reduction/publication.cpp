// SPDX-License-Identifier: Apache-2.0
// rccebench reproduce dynamic-reduction.
#include "dynamic_reduction/publication.hpp"

#include <fmt/format.h>

#include "dynamic_reduction/claims.hpp"
#include "mesh_sim/errors.hpp"

namespace rccebench::dynamic_reduction {

namespace {

/// A cell of the publication's recommendation: what is best, for Intel and for AMD; a second one where it
/// names two.
struct Recommended {
  const char* id;
  bool several_nodes;
  std::int64_t from, to; ///< floats
  std::size_t spread;
  const char *intel, *amd, *intel_also = nullptr;
};
constexpr std::int64_t small = 5'000, middle = 24'000, large = 1'000'000;
const Recommended recommended[] = {{"R-01", false, 0, small, 1, dynamic, fixed_pairs},
                                   {"R-02", false, small + 1, middle - 1, 1, linear, linear},
                                   {"R-03", false, middle + 1, large, 1, linear, linear},
                                   {"R-04", false, 0, small, 2, dynamic, dynamic},
                                   {"R-05", false, small + 1, middle - 1, 2, dynamic, linear},
                                   {"R-06", false, middle + 1, large, 2, linear, linear},
                                   {"R-07", false, 0, small, 3, dynamic, dynamic},
                                   {"R-08", false, small + 1, middle - 1, 3, dynamic, dynamic},
                                   {"R-09", false, middle + 1, large, 3, group, linear, linear},
                                   {"R-10", true, 0, small, 1, dynamic, fixed_pairs},
                                   {"R-11", true, small + 1, middle - 1, 1, dynamic, fixed_pairs},
                                   {"R-12", true, middle + 1, large, 1, linear, fixed_pairs},
                                   {"R-13", true, 0, small, 2, dynamic, dynamic},
                                   {"R-14", true, small + 1, middle - 1, 2, dynamic, fixed_pairs},
                                   {"R-15", true, middle + 1, large, 2, linear, fixed_pairs},
                                   {"R-16", true, 0, small, 3, dynamic, dynamic},
                                   {"R-17", true, small + 1, middle - 1, 3, dynamic, dynamic},
                                   {"R-18", true, middle + 1, large, 3, linear, fixed_pairs}};

/// The least sum, over the sizes of a cell, of its times over the best ones.
std::string best_of(const Results& results, const Machine& machine, const Recommended& cell,
                    std::string& times) {
  std::string best;
  double least = 1e18;
  for (const char* const algorithm : algorithms_in_order) {
    double sum = 0;
    int count = 0;
    for (const std::int64_t elements : sizes) {
      if (elements < cell.from || elements > cell.to || elements == cell.to) continue;
      const std::string winner = fastest(results, machine, elements, cell.spread,
                                         {std::begin(algorithms_in_order), std::end(algorithms_in_order)});
      sum += results.sweep(machine, algorithm, elements, cell.spread).behind_last /
          results.sweep(machine, winner, elements, cell.spread).behind_last;
      ++count;
    }
    times += fmt::format("{}{} {:.2f}", times.empty() ? "" : ", ", short_name(algorithm), sum / count);
    if (sum < least) least = sum, best = algorithm;
  }
  return best;
}

/// Why another algorithm than the recommended one is the best of a cell.
const char* cause(const std::string& found) {
  if (found == linear)
    return "; linear fetches (n - 1) / n of an array behind the last arrival, a merge's follower a whole one "
           "and the ownership of half of one";
  if (found == group)
    return "; whoever has arrived shares the last merge, for a job, a wake-up and a decrement each, which "
           "small arrays do not repay";
  if (found == dynamic)
    return "; the last thread to arrive merges once, a fixed pair's levels above it are still to come";
  return "; pairs that are fixed cross sockets on the last levels only";
}

reproduce::Figure curves(const Results& results) {
  reproduce::Figure figure{"curves",
                           {"cycles a float behind the last arrival, and summed",
                            {{"Machine", "", 0},
                             {"Algorithm", "", 0},
                             {"Spread", "", 0},
                             {"Floats", "", 0},
                             {"T_last", "cycles", 0},
                             {"T_last a float", "cycles", 3},
                             {"T_sum", "cycles", 0}},
                            {}}};
  for (const Machine& machine : machines)
    for (const char* const algorithm : algorithms_in_order)
      for (std::size_t spread = 0; spread < std::size(spreads); ++spread)
        for (const std::int64_t elements : sizes) {
          const Cycles& cycles = results.sweep(machine, algorithm, elements, spread);
          figure.table.rows.push_back({machine.printed, short_name(algorithm), spreads[spread].name, elements,
                                       cycles.behind_last, cycles.behind_last / static_cast<double>(elements),
                                       cycles.summed});
        }
  return figure;
}

} // namespace

reproduce::Figure add_recommendations(const Results& results, Claims& claims) {
  reproduce::Figure figure{"recommendations",
                           {"recommendations, derived again (* where they differ)",
                            {{"Cell", "", 0},
                             {"Machine", "", 0},
                             {"Spread", "", 0},
                             {"Floats", "", 0},
                             {"Published", "", 0},
                             {"Simulated", "", 0},
                             {"", "", 0}},
                            {}}};
  for (const Recommended& cell : recommended)
    for (const Machine& machine : machines) {
      if (machine.several_nodes != cell.several_nodes) continue;
      const std::string wanted = machine.intel ? cell.intel : cell.amd,
                        also = machine.intel && cell.intel_also != nullptr ? cell.intel_also : "";
      std::string times;
      const std::string found = best_of(results, machine, cell, times);
      const bool holds = found == wanted || found == also;
      const std::string published = short_name(wanted) + (also.empty() ? "" : " or " + short_name(also));
      const std::string floats = cell.from == 0 ? "< 5k" : cell.to == large ? "> 24k" : "> 5k";
      claims.push_back(
          {fmt::format("{}-{}", cell.id, machine.printed),
           fmt::format("spread {}, {} floats: the best", spreads[cell.spread].name, floats), Cell(published),
           Cell(short_name(found)), "", "exact", holds, true,
           holds ? "" : "times over the best, mean of the cell's sizes: " + times + cause(found)});
      figure.table.rows.push_back({cell.id, machine.printed, spreads[cell.spread].name, floats, published,
                                   short_name(found), holds ? "" : "*"});
    }
  return figure;
}

reproduce::Reproduction reproduce_dynamic_reduction(unsigned jobs) {
  Results results;
  if (!results.run(jobs))
    throw mesh::UserError("interrupted: statements rest on all points, and nothing is written");
  reproduce::Reproduction result;
  result.publication = "P. Falkman, Efficient reduction over threads (KTH Stockholm, 2011)";
  for (const Machine& machine : machines)
    result.machines += (result.machines.empty() ? "" : ",") + std::string(machine.name);
  result.settings = {
      {"rules",
       "changed after the first sweep: Intel's reads of one line one after another (lock rates of the Xeon "
       "E7-8867L, XEX-077 to XEX-092); lines of the Opteron 8425 by messages on the same processor (OLD-013 "
       "to OLD-016) instead of a later one's, less 66 cycles a crossing for a home elsewhere (OLD-019 to "
       "OLD-022); what changes in a node of Intel goes to memory when another node reads it, not a "
       "neighbour; "
       "locked hits as on a Phenom II; dynamic_group's lock a binary semaphore, not a ticket lock; a "
       "job costs its line, a notice the stores and loads of its word's line; loads of all blocks that a "
       "core "
       "combines share its misses in flight (triads of one core, STR-001 to STR-006)"},
      {"data", "float, addition, half a cycle each; inputs as their owners have filled them"},
      {"arrivals",
       "max * Beta(a, b) with the published maximum, mean and deviation; the distribution is ours, seed 1"},
      {"overhead", "one element, from the last arrival until the last thread has left"},
      {"placement", "node after node; overheads of several sockets: scattered"}};
  add_overhead_claims(results, result.claims);
  add_size_claims(results, result.claims);
  result.figures.push_back(add_recommendations(results, result.claims));
  result.figures.push_back(curves(results));
  result.curves = page_curves(results);
  result.schedules = shown_schedules();
  int agree = 0, cells = 0;
  for (const auto& row : result.figures.front().table.rows) {
    ++cells;
    agree += std::get<std::string>(row.back()).empty() ? 1 : 0;
  }
  result.notes = {
      fmt::format("# recommendation table: {} of {} cells agree", agree, cells),
      "# S-07 (1090T, spread A: dynamic 'becomes faster' above 5000) does not say than whom: no test",
      "# OO-09: the publication's text and its tables contradict each other: no test"};
  return result;
}

} // namespace rccebench::dynamic_reduction
