#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fork_join/claims.hpp"
#include "sweep.hpp"
#include "xeon_phi/claims.hpp"
#include "xeon_phi/measure.hpp"

namespace rccebench::xeon_phi {

namespace {

namespace cost = algorithms::in_memory::cost;
using cost::Bound;
using fork_join::order_claim;

constexpr std::size_t line = 64, large = 8192;
constexpr int thread_counts[] = {4, 8, 16, 30, 32, 48, 60};

/// One collective call; a name for the table.
struct Call {
  std::string name, algorithm;
  int threads = 2;
  std::size_t bytes = line;
  std::vector<int> fan_outs = {};
  bool shared_line = true;
  int latency = 2, partners = 1;
  double readers = 0; ///< c in nanoseconds; 0: the preset's
  bool in_order =
      false; ///< loads of a scan one after another: not the preset, to find out what a failure is due to
};

class Times {
 public:
  Times(const Config& config, unsigned jobs, const std::vector<Call>& calls) {
    const auto found = sweep<double, Call>(
        calls, jobs,
        [](const Call& call) { return static_cast<double>(call.threads) * static_cast<double>(call.bytes); },
        [config](const Call& call) {
          Config machine = config;
          if (call.readers > 0) machine.read_occupancy = call.readers * machine.clock_mhz / 1000;
          if (call.in_order) machine.misses = 1;
          algorithms::in_memory::BroadcastOptions bcast;
          algorithms::in_memory::ReduceOptions reduce;
          bcast.latency = call.latency;
          bcast.shared_line = reduce.shared_line = call.shared_line;
          if (!call.fan_outs.empty()) bcast.fan_outs = reduce.fan_outs = call.fan_outs;
          return collective(machine, call.algorithm, call.threads, call.bytes, bcast, reduce, call.partners);
        });
    for (std::size_t i = 0; i < calls.size(); ++i)
      if (found[i]) times_[calls[i].name] = *found[i];
  }
  [[nodiscard]] double at(const std::string& name) const { return times_.at(name); }

 private:
  std::map<std::string, double> times_;
};

std::vector<int> tree_of(int threads, bool reduces) {
  const auto p = published_parameters();
  return cost::best_tree(threads,
                         [&](std::span<const int> k) {
                           return reduces ? cost::reduction(p, k, Bound::min)
                                          : cost::broadcast(p, k, Bound::min);
                         })
      .fan_outs;
}

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
    for (const int partners : {1, 2, 3, 4, 6})
      calls.push_back(
          {fmt::format("barrier {} {}", partners, n), "barrier/dissemination", n, 0, {}, true, 2, partners});
    calls.push_back({fmt::format("flat large {}", n), "bcast/flat", n, large});
    calls.push_back({fmt::format("pipelined large {}", n), "bcast/pipelined", n, large});
  }
  const auto in_order = [&](Call call) {
    call.name += " in order";
    call.in_order = true;
    calls.push_back(std::move(call));
  };
  for (const int n : thread_counts) {
    in_order({fmt::format("bcast {}", n), "bcast/level_tree", n, line, tree_of(n, false)});
    in_order({fmt::format("bcast own lines {}", n), "bcast/level_tree", n, line, tree_of(n, false), false});
    in_order({fmt::format("reduce {}", n), "reduce/level_tree", n, sizeof(float), tree_of(n, true)});
  }
  for (int k = 2; k <= 6; ++k)
    for (const bool shared : {true, false})
      in_order({fmt::format("fan-out {} {}", k, shared), "bcast/level_tree", k + 1, line, {k}, shared});
  for (int k = 2; k <= 6; ++k)
    for (const bool shared : {true, false})
      calls.push_back(
          {fmt::format("fan-out {} {}", k, shared), "bcast/level_tree", k + 1, line, {k}, shared});
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

/// What the machine's overlapping loads of a scan do to a comparison of one line with several.
std::string one_after_another(const Times& t, const std::string& shared, const std::string& own) {
  return fmt::format(
      "{:.0f} against {:.0f} ns: the parent looks at lines of their own with 3.1 misses at once, which is "
      "measured for copies; with one load "
      "after another, as a core that executes in order has them, it would be {:.0f} against {:.0f} ns",
      t.at(shared), t.at(own), t.at(shared + " in order"), t.at(own + " in order"));
}

void add_trees(const Times& t, Claims& claims) {
  for (int k = 2; k <= 6; ++k) {
    const double shared = t.at(fmt::format("fan-out {} true", k)),
                 own = t.at(fmt::format("fan-out {} false", k));
    claims.push_back(order_claim(
        fmt::format("10-{}", k), fmt::format("{} children tell on one line, over one line each", k), "faster",
        shared / own, "", shared < own, "below 1",
        one_after_another(t, fmt::format("fan-out {} true", k), fmt::format("fan-out {} false", k))));
  }
  const double shared = t.at("bcast 60"), own = t.at("bcast own lines 60");
  claims.push_back(order_claim(
      "10-tree-60", "the model's tree for 60 threads: one line for all children, over one each", "faster",
      shared / own, "", shared < own, "below 1", one_after_another(t, "bcast 60", "bcast own lines 60")));
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
    for (const std::size_t lines : {8, 16, 32, 64, 128, 256})
      if (t.at(fmt::format("bcast/flat c {} lines {}", readers, lines)) >=
          t.at(fmt::format("bcast/pipelined c {} lines {}", readers, lines)))
        return static_cast<double>(lines);
    return 512;
  };
  const double small = crossover(27), big = crossover(108);
  claims.push_back(
      order_claim("16", "60 threads: lines from which pipelined wins, c = 27 over c = 108 ns", "c matters",
                  small / big, "", small != big, "another number",
                  fmt::format("from {:.0f} and {:.0f} lines on: a stream's readers wait for a slot of the "
                              "line, not for c each, and both algorithms read as many lines",
                              small, big)));
}

/// Between the model's bounds: how many, and by which term those that are not are outside.
reproduce::Figure add_bounds(const Times& t, Claims& claims) {
  reproduce::Figure figure{"bounds",
                           {"simulated beside the model's bounds",
                            {{"Operation", "", 0},
                             {"Threads", "", 0},
                             {"Shape", "", 0},
                             {"Min", "ns", 0},
                             {"Simulated", "ns", 0},
                             {"Max", "ns", 0},
                             {"Between", "", 0}},
                            {}}};
  const auto p = published_parameters();
  struct Kind {
    std::string id, statement, reason;
    int inside = 0, all = 0;
  };
  Kind bcast{"17-bcast", "small broadcasts between min and max model", ""},
      reduce{"17-reduce", "small reductions between min and max model", ""},
      barrier{"17-barrier", "barriers between min and max model", ""};
  const auto add = [&](Kind& kind, int n, const std::string& shape, double least, double simulated,
                       double most) {
    const bool between = least <= simulated && simulated <= most;
    kind.inside += between ? 1 : 0;
    ++kind.all;
    figure.table.rows.push_back({kind.id.substr(3), std::int64_t{n}, shape, least, simulated, most, between});
  };
  for (const int n : thread_counts) {
    const auto tree = tree_of(n, false), sum = tree_of(n, true);
    add(bcast, n, words(tree), cost::broadcast(p, tree, Bound::min), t.at(fmt::format("bcast {}", n)),
        cost::broadcast(p, tree, Bound::max));
    add(reduce, n, words(sum), cost::reduction(p, sum, Bound::min), t.at(fmt::format("reduce {}", n)),
        cost::reduction(p, sum, Bound::max));
    for (const int m : {1, 2, 3, 4, 6})
      add(barrier, n, fmt::format("m = {}", m), cost::barrier(p, m, cost::rounds_of(n, m + 1), Bound::min),
          t.at(fmt::format("barrier {} {}", m, n)),
          cost::barrier(p, m, cost::rounds_of(n, m + 1), Bound::max));
  }
  const auto tree = tree_of(60, false);
  double acknowledgements = 0,
         forward =
             (static_cast<double>(tree.size()) + 1) * p.memory + 2 * static_cast<double>(tree.size()) * p.own,
         copies = 0;
  for (const int k : tree)
    acknowledgements += cost::notification(p, k + 1, Bound::min), copies += p.contention(k);
  bcast.reason =
      fmt::format("60 threads, terms of the min model: {:.0f} ns forwarding (R_I a level: structures in "
                  "memory, as here), {:.0f} copies, {:.0f} acknowledgements, level after "
                  "level; simulated in all {:.0f}, as levels' acknowledgements overlap with each other and "
                  "with the copies below",
                  forward, copies, acknowledgements, t.at("bcast 60"));
  int in_order = 0;
  for (const int n : thread_counts) {
    const auto sum = tree_of(n, true);
    const double ns = t.at(fmt::format("reduce {} in order", n));
    in_order +=
        cost::reduction(p, sum, Bound::min) <= ns && ns <= cost::reduction(p, sum, Bound::max) ? 1 : 0;
  }
  const auto sum = tree_of(60, true);
  double polls = 0, operands = 0, told = 0;
  for (const int k : sum) polls += p.contention(k), operands += p.line * k, told += (1 + k) * p.remote;
  reduce.reason = fmt::format(
      "60 threads, terms of the min model: {:.0f} ns structures from memory, {:.0f} polls of the shared "
      "line, {:.0f} telling, {:.0f} operands; simulated in all {:.0f}: children tell while the "
      "parent looks, so that the last term of a level overlaps with its first; with loads one after another "
      "{} of {} lie between, {:.0f} ns at 60",
      p.memory * static_cast<double>(sum.size()), polls, told, operands, t.at("reduce 60"), in_order,
      std::size(thread_counts), t.at("reduce 60 in order"));
  barrier.reason = fmt::format(
      "60 threads, m = 4: the min model counts m R_R for a round's stores and R_R for the flags, {:.0f} ns "
      "in 3 rounds; partners beyond the number of threads are left out ({} of 12 are sent), "
      "and stores of one round go to different lines: simulated {:.0f}",
      cost::barrier(p, 4, 3, Bound::min), 4 + 4 + 2, t.at("barrier 4 60"));
  for (const Kind& kind : {bcast, reduce, barrier})
    claims.push_back({kind.id, kind.statement, Cell("all"),
                      Cell(fmt::format("{} of {}", kind.inside, kind.all)), "", "all",
                      kind.inside == kind.all, true, kind.inside == kind.all ? "" : kind.reason});
  return figure;
}

} // namespace

cost::Parameters published_parameters() {
  return {8.6, 235.8, 277.7, 54, 76.0, 1521.0, 1096.0};
}

reproduce::Figure add_collective_claims(const Config& config, unsigned jobs, Claims& claims) {
  const Times times(config, jobs, all_calls());
  add_trees(times, claims);
  add_optima(claims);
  add_large(times, claims);
  auto figure = add_bounds(times, claims);
  const double payload = 1 - times.at("bcast empty 60") / times.at("bcast 60");
  claims.push_back(order_claim("19", "small broadcast, 60 threads: payload's part of the time",
                               "at most half", payload, "", payload <= 0.5, "at most 0.5",
                               "copies by several readers of one line wait for each other, c each"));
  return figure;
}

} // namespace rccebench::xeon_phi
