// SPDX-License-Identifier: Apache-2.0
// S. Ramos, T. Hoefler, Modeling Communication in Cache-Coherent SMP Systems, HPDC 2013: what its statements
// are made of, on preset xeon-phi-5110p. Nanoseconds.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithms/in_memory/cost_model.hpp"
#include "algorithms/in_memory/trial.hpp"
#include "algorithms/shapes/dissemination.hpp"
#include "measuring/cache_lines.hpp"
#include "measuring/substitutes.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/coherent/measure.hpp"
#include "publications/publications.hpp"

namespace rccebench::publications::xeon_phi {
namespace {

namespace in_memory = algorithms::in_memory;
namespace cost = algorithms::in_memory::cost;
using cost::Bound;
using mesh::coherent::Config, mesh::coherent::Operation, mesh::coherent::State;

Config machine() {
  return mesh::coherent::load_machine(measuring::machine_file("xeon-phi-5110p"));
}
double nanoseconds(mesh::Picoseconds time) {
  return static_cast<double>(time) / 1000;
}
State state_of(const std::string& letter) {
  if (letter != "M" && letter != "E" && letter != "S" && letter != "I")
    throw mesh::UserError(
        fmt::format("'{}' is no state of a line; there are M, E, S, I", mesh::shown(letter)));
  return letter == "M" ? State::modified
      : letter == "E"  ? State::exclusive
      : letter == "S"  ? State::shared
                       : State::invalid;
}

// --- lines between two cores, contention, pairs

/// The read of one line in that state, by the core at that distance.
Json read(const Arguments& a) {
  return nanoseconds(
      mesh::coherent::access_time(machine(), Operation::load, state_of(a.word(0)),
                                  {0, a.integer(1, 1, static_cast<int>(machine().cores()) - 1), 0}));
}
Json one_line(const Arguments& a) {
  return nanoseconds(mesh::coherent::line_one_way(machine(), state_of(a.word(0)), {0, 1, 0}));
}
Json lines(const Arguments& a) {
  return measuring::lines_one_way(machine(), a.integer(1, 1, 1 << 20), state_of(a.word(0)));
}
Json pairs(const Arguments& a) {
  return measuring::pairs_round_trip(machine(), a.integer(1), a.word(0) == "nested");
}

/// So many cores copy a line that another one has into a line of their own, from one core to all: times,
/// their slope and how straight they are.
Json readers(const Arguments&) {
  const Config config = machine();
  double one = 0, n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (int k = 1; k < config.cores(); ++k) {
    const double ns =
        nanoseconds(mesh::coherent::read_by(config, k)) + config.hit_store * 1000 / config.clock_mhz;
    if (k == 1) one = ns;
    n += 1, x += k, y += ns, xx += k * k, xy += k * ns, yy += ns * ns;
  }
  return {{"one", one},
          {"slope", (n * xy - x * y) / (n * xx - x * x)},
          {"r_squared", (n * xy - x * y) * (n * xy - x * y) / ((n * xx - x * x) * (n * yy - y * y))}};
}

/// In an order of events that takes so many transfers, where a line takes what the publication's model says
/// and nothing else.
Json two_writers(const Arguments& a) {
  Config ideal = machine();
  ideal.hold = ideal.poll_gap = 0;
  ideal.reads = "serial";
  constexpr double remote = 235.8, memory = 277.7;
  auto& loads = ideal.latency[static_cast<std::size_t>(Operation::load)];
  for (auto& row : loads) row.assign(row.size(), remote * ideal.clock_mhz / 1000);
  loads[static_cast<std::size_t>(State::invalid)].assign(1, memory * ideal.clock_mhz / 1000);
  constexpr std::array<double, 3> starts[] = {{0, 1, 2}, {0, 2, 1}, {1, memory + remote + 1, 0}};
  return measuring::two_writers(ideal, starts[a.integer(0, 2, 4) - 2]);
}

// --- collectives

/// The publication's, and c from the middle of the interval in which its optima come out.
cost::Parameters published_model() {
  return {8.6, 235.8, 277.7, 54, 76.0, 1521.0, 1096.0};
}
/// The min model's best tree.
std::vector<int> tree_of(int threads, bool reduces) {
  const auto p = published_model();
  return cost::best_tree(threads,
                         [&](std::span<const int> k) {
                           return reduces ? cost::reduction(p, k, Bound::min)
                                          : cost::broadcast(p, k, Bound::min);
                         })
      .fan_outs;
}

constexpr std::size_t line = 64, large = 8192;
constexpr int calls = 8;

/// By all threads at once, mean of some calls: until the last thread has left, and until the last one without
/// children has, which waits for nobody behind it.
Json collective(const Config& config, in_memory::Trial trial, std::size_t bytes) {
  trial.elements = bytes / sizeof(float);
  trial.repetitions = calls;
  trial.warm_up = 2;
  trial.inputs = State::exclusive;
  trial.cold_structures = true;
  const auto outcome = in_memory::run<float>(
      config, trial, [](int thread, std::size_t) { return static_cast<float>(thread); });
  const algorithms::level_tree::Shape shape(trial.threads, trial.bcast.fan_outs);
  double last = 0, last_leaf = 0;
  for (const auto& repetition : outcome.by_repetition) {
    last += nanoseconds(repetition.last_leave()) / calls;
    mesh::Picoseconds leaves = 0;
    if (trial.algorithm == "bcast/level_tree")
      for (int thread = 1; thread < trial.threads; ++thread)
        if (shape.children(thread) == 0)
          leaves = std::max(leaves, repetition.left[static_cast<std::size_t>(thread)]);
    last_leaf += nanoseconds(leaves) / calls;
  }
  return {{"last", last}, {"last_leaf", last_leaf}};
}

/// operation, threads, and how: `own`: a line for each child; `notices`: one for each child that is told;
/// `word`: one word for all children that are told;
/// `empty`: no data; `large`: 8 KiB; `overlapping`: loads of a scan all at once, which is not the preset, to
/// find out what a failure is due to. Of a barrier: partners.
Json small_collective(const Arguments& a) {
  const std::string &operation = a.word(0), how = a.text(2);
  const auto is = [&how](const char* word) { return how.find(word) != std::string::npos; };
  Config config = machine();
  if (is("overlapping")) config.scans = "overlapping";
  in_memory::Trial trial;
  trial.threads = a.integer(1);
  trial.bcast.shared_line = trial.reduce.shared_line = !is("own");
  if (is("notices")) trial.bcast.notice = in_memory::Notice::single;
  if (is("word")) trial.bcast.notice = in_memory::Notice::shared;
  std::size_t bytes = is("large") ? large : is("empty") ? 0 : line;
  if (operation == "barrier") {
    trial.algorithm = "barrier/dissemination";
    trial.barrier.partners = a.integer(2);
    bytes = 0;
  } else if (operation == "reduce") {
    trial.algorithm = "reduce/level_tree";
    trial.reduce.fan_outs = trial.bcast.fan_outs = tree_of(trial.threads, true);
    bytes = sizeof(float);
  } else if (operation == "bcast") {
    trial.algorithm = "bcast/level_tree";
    trial.bcast.fan_outs = tree_of(trial.threads, false);
  } else if (operation == "children") { // so many of one parent
    trial.algorithm = "bcast/level_tree";
    trial.bcast.fan_outs = {trial.threads++};
  } else if (operation.starts_with("fibonacci")) {
    trial.algorithm = "bcast/fibonacci";
    trial.bcast.latency = operation.back() - '0';
  } else {
    trial.algorithm = "bcast/" + operation;
  }
  return collective(config, trial, bytes);
}

// --- the publication's model: operation, threads, partners of a barrier

double modelled(const Arguments& a, Bound bound) {
  const auto p = published_model();
  const int threads = a.integer(1), partners = a.integer(2);
  if (a.word(0) == "barrier")
    return cost::barrier(p, partners, cost::rounds_of(threads, partners + 1), bound);
  const auto tree = tree_of(threads, a.word(0) == "reduce");
  return a.word(0) == "reduce" ? cost::reduction(p, tree, bound) : cost::broadcast(p, tree, bound);
}
Json shape(const Arguments& a) {
  if (a.word(0) == "barrier") return fmt::format("m = {}", a.integer(2));
  return fmt::format("{}", fmt::join(tree_of(a.integer(1), a.word(0) == "reduce"), ", "));
}
Json radix(const Arguments& a) {
  const auto best = cost::best_radix(published_model(), a.integer(0), Bound::min, true);
  return fmt::format("m = {}, r = {}", best.partners, best.rounds);
}
/// The forwarding in the min model of a broadcast: structures from memory.
Json forwarding(const Arguments& a) {
  const auto p = published_model();
  const auto depth = static_cast<double>(tree_of(a.integer(0), false).size());
  return (depth + 1) * p.memory + 2 * depth * p.own;
}
Json copies(const Arguments& a) {
  double sum = 0;
  for (const int k : tree_of(a.integer(0), false)) sum += published_model().contention(k);
  return sum;
}
/// The acknowledgements of all levels, or of the last one.
Json acknowledgements(const Arguments& a) {
  const auto tree = tree_of(a.integer(0), false);
  const auto told = [](int k) { return cost::notification(published_model(), k + 1, Bound::min); };
  double sum = 0;
  for (const int k : tree) sum += told(k);
  return a.word(1) == "last" ? told(tree.back()) : sum;
}
/// Threads, partners: notices that the min model counts, and those that are sent.
Json counted_notices(const Arguments& a) {
  return cost::rounds_of(a.integer(0), a.integer(1) + 1) * a.integer(1) * published_model().remote;
}
Json sent_notices(const Arguments& a) {
  const algorithms::dissemination::Shape shape(a.integer(0), a.integer(1));
  int sent = 0;
  for (int round = 0; round < shape.rounds(); ++round)
    for (int index = 0; index < a.integer(1) && shape.distance(round, index) > 0; ++index) ++sent;
  return sent * published_model().remote;
}
Json flag_reads(const Arguments& a) {
  const auto p = published_model();
  return cost::rounds_of(a.integer(0), a.integer(1) + 1) * (p.own + p.remote);
}
} // namespace

Measurements measurements(const CommonOptions& /*changes*/) {
  return {{{"read", 2, read},
           {"one_line", 1, one_line},
           {"lines", 2, lines},
           {"pairs", 2, pairs},
           {"readers", 0, readers},
           {"two_writers", 1, two_writers},
           {"time", 3, small_collective, [](const Arguments& a) { return a.number(1); }}},
          {{"own", 0, [](const Arguments&) { return machine().hit_load * 1000 / machine().clock_mhz; }},
           {"least", 3, [](const Arguments& a) { return modelled(a, Bound::min); }},
           {"most", 3, [](const Arguments& a) { return modelled(a, Bound::max); }},
           {"shape", 3, shape},
           {"radix", 1, radix},
           {"forwarding", 1, forwarding},
           {"copies", 1, copies},
           {"acknowledgements", 2, acknowledgements},
           {"counted_notices", 2, counted_notices},
           {"sent_notices", 2, sent_notices},
           {"flag_reads", 2, flag_reads}}};
}

} // namespace rccebench::publications::xeon_phi
