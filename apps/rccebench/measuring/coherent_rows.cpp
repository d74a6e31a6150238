// SPDX-License-Identifier: Apache-2.0
#include "measuring/coherent_rows.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "algorithms/in_memory/machine_costs.hpp"
#include "algorithms/in_memory/trial.hpp"
#include "lab/lists.hpp"
#include "mesh_sim/errors.hpp"

namespace rccebench {
namespace {

namespace coherent = mesh::coherent;
namespace in_memory = algorithms::in_memory;
using algorithms::memory::Simulated;
using namespace std::string_view_literals;

constexpr int measured_rounds = 100;

/// The value of that name in a row that has been checked.
template <class Enum>
Enum by_name(std::string_view word, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (name(static_cast<Enum>(i)) == word) return static_cast<Enum>(i);
  throw mesh::UserError(fmt::format("'{}' is no operation and no state of a line", word));
}

coherent::Operation operation_of(const CoherentRow& row) {
  return by_name<coherent::Operation>(row.operation, coherent::operations);
}
coherent::State state_of(const CoherentRow& row) {
  return by_name<coherent::State>(row.state, coherent::states);
}

/// Mean time of an empty parallel region: start, arrivals, join.
double region(const CoherentRow& row, const coherent::Config& config) {
  coherent::Machine machine(config, row.threads);
  Simulated memory(machine);
  in_memory::Fork<Simulated> fork(memory);
  const auto join = algorithms::row_of(in_memory::joins<Simulated>(), row.operation).make(memory, {});
  mesh::Picoseconds end = 0;
  memory.run([&](coherent::Core& core) {
    if (core.thread() > 0) {
      while (fork.await(core)) join.arrive(core);
      return;
    }
    for (int i = 0; i < measured_rounds; ++i) {
      fork.start(core);
      join.join(core);
    }
    end = core.now();
    fork.stop(core);
  });
  return static_cast<double>(end) / measured_rounds;
}

double barrier(const CoherentRow& row, const coherent::Config& config) {
  coherent::Machine machine(config, row.threads);
  Simulated memory(machine);
  const auto wait = algorithms::row_of(in_memory::barriers<Simulated>(), row.operation).make(memory, {});
  memory.run([&](coherent::Core& core) {
    for (int i = 0; i < measured_rounds; ++i) wait(core);
  });
  return static_cast<double>(machine.clock(0)) / measured_rounds;
}

/// A line for all, or a double from all, by the tree that is best by the machine's costs: until the last
/// thread has left, or the result is there.
double by_tree(const CoherentRow& row, const coherent::Config& config, bool reduces) {
  namespace cost = in_memory::cost;
  const auto placement = coherent::placement(config, "compact", row.threads);
  const auto p = cost::parameters_of(config, placement);
  in_memory::Trial trial{.algorithm = row.operation, .threads = row.threads, .repetitions = 3};
  trial.elements = reduces ? 1 : coherent::line_size / sizeof(double);
  trial.bcast.fan_outs = cost::best_tree(row.threads, [&](std::span<const int> k) {
                           return cost::broadcast(p, k, cost::Bound::min);
                         }).fan_outs;
  trial.reduce.fan_outs = cost::best_tree(row.threads, [&](std::span<const int> k) {
                            return cost::reduction(p, k, cost::Bound::min);
                          }).fan_outs;
  const auto outcome = in_memory::run<double>(config, trial, [](int, std::size_t) { return 1.0; });
  const auto& last = outcome.by_repetition.back();
  return static_cast<double>(reduces ? last.complete : last.last_leave());
}

double readers_slope(const CoherentRow& row, const coherent::Config& config) {
  return static_cast<double>(read_by(config, row.threads) - read_by(config, row.threads / 2)) /
      (row.threads - row.threads / 2);
}

/// Acquisitions of one lock by so many threads, which fill node after node and hold it for 1000 cycles: per
/// second.
double lock_throughput(std::string_view name, int threads, const coherent::Config& config) {
  constexpr double critical_cycles = 1000;
  constexpr int acquisitions = 20;
  coherent::Machine machine(config, coherent::placement(config, "compact", threads));
  Simulated memory(machine);
  const auto lock = algorithms::row_of(in_memory::locks<Simulated>(), name).make(memory, 0);
  mesh::Picoseconds end = 0;
  memory.run([&](coherent::Core& core) {
    for (int i = 0; i < acquisitions; ++i) {
      lock.acquire(core);
      core.compute(critical_cycles);
      lock.release(core);
    }
    end = std::max(end, core.now());
  });
  return acquisitions * threads / (static_cast<double>(end) * 1e-12);
}

double lock_ratio(const CoherentRow& row, const coherent::Config& config) {
  return lock_throughput(row.operation, row.threads, config) /
      lock_throughput(row.operation, row.base_threads, config);
}

double server_slope(const CoherentRow& row, const coherent::Config& config) {
  return (server_round_trip(config, row.threads) - server_round_trip(config, row.base_threads)) /
      (row.threads - row.base_threads);
}

/// The names that `operation` can have.
using Words = std::vector<std::string_view>;

template <class Enum>
Words words_of(std::size_t count) {
  Words words;
  for (std::size_t i = 0; i < count; ++i) words.push_back(name(static_cast<Enum>(i)));
  return words;
}

template <class Rows>
Words names_of(const Rows& rows) {
  Words words;
  for (const auto& row : rows) words.push_back(row.name);
  return words;
}

struct Rule {
  CoherentQuantity quantity;
  /// Picoseconds; of ratios, the ratio.
  double (*measure)(const CoherentRow& row, const coherent::Config& config);
  Words (*operations)() = nullptr;
};

constexpr double line_bytes = coherent::line_size;

const Rule rules[] = {
    {{"access", "ns", "operation state core_a core_b home", line_bytes,
      "operation=load state=invalid core_a=0 core_b=6 home=1",
      "one access by core_a to a line at node home that core_b has in that state"},
     [](const CoherentRow& row, const coherent::Config& config) {
       return static_cast<double>(access_time(config, operation_of(row), state_of(row), row.pair));
     },
     [] { return words_of<coherent::Operation>(coherent::operations); }},
    {{"cas_half_round_trip", "ns", "core_a core_b home", 0, "core_a=0 core_b=1 home=0",
      "half a round trip of two cores that change one word in turns by compare-and-swap"},
     [](const CoherentRow& row, const coherent::Config& config) {
       return cas_half_round_trip(config, row.pair);
     }},
    {{"message_round_trip", "ns", "core_a core_b home", 0, "core_a=0 core_b=1 home=0",
      "a round trip of messages of one line"},
     [](const CoherentRow& row, const coherent::Config& config) {
       return message_round_trip(config, row.pair);
     }},
    {{"line_one_way", "ns", "state core_a core_b home", line_bytes, "state=modified core_a=0 core_b=1 home=0",
      "one way of a ping-pong of one line, which the sender has in that state"},
     [](const CoherentRow& row, const coherent::Config& config) {
       return static_cast<double>(line_one_way(config, state_of(row), row.pair));
     }},
    {{"store_shared_by_all", "ns", "", 0, "no further column",
      "a store to a line of which every core has a copy"},
     [](const CoherentRow&, const coherent::Config& config) {
       return static_cast<double>(store_shared_by_all(config));
     }},
    {{"contended_addition", "ns/op", "threads", 0, "threads=48",
      "an addition to one word by that many threads without a pause"},
     [](const CoherentRow& row, const coherent::Config& config) {
       return contended_addition(config, row.threads);
     }},
    {{"readers_slope", "ns/reader", "threads", 0, "threads=40",
      "growth of the time until all readers have a line, from half the threads to all"},
     readers_slope},
    {{"lock_ratio", "ratio", "operation threads base_threads", 0,
      "operation=lock/ticket threads=48 base_threads=1",
      "acquisitions a second of one lock by threads over those by base_threads"},
     lock_ratio,
     [] { return names_of(in_memory::locks<Simulated>()); }},
    {{"server_round_trip", "ns", "threads", 0, "threads=8",
      "a request and its answer where one thread serves all others"},
     [](const CoherentRow& row, const coherent::Config& config) {
       return server_round_trip(config, row.threads);
     }},
    {{"server_slope", "ns", "threads base_threads", 0, "threads=10 base_threads=2",
      "growth of server_round_trip with each thread more"},
     server_slope},
    {{"stream_read", "GB/s", "home threads", line_bytes, "home=1 threads=6",
      "threads of node 0 read memory of node home"},
     [](const CoherentRow& row, const coherent::Config& config) {
       return stream_line(config, row.threads, row.pair.home, false);
     }},
    {{"stream_write", "GB/s", "home threads", line_bytes, "home=1 threads=6",
      "threads of node 0 write memory of node home"},
     [](const CoherentRow& row, const coherent::Config& config) {
       return stream_line(config, row.threads, row.pair.home, true);
     }},
    {{"stream_triad", "GB/s", "threads", line_bytes, "threads=12",
      "STREAM's triad in each node's own memory"},
     [](const CoherentRow& row, const coherent::Config& config) { return triad_line(config, row.threads); }},
    {{"region", "ns", "operation threads", 0, "operation=join/tree threads=8",
      "an empty parallel region that ends by this join"},
     region,
     [] { return names_of(in_memory::joins<Simulated>()); }},
    {{"barrier", "ns", "operation threads", 0, "operation=barrier/central_sense threads=8", "a barrier"},
     barrier,
     [] { return names_of(in_memory::barriers<Simulated>()); }},
    {{"bcast", "ns", "operation threads", 0, "operation=bcast/level_tree threads=8",
      "a broadcast of one line by the tree that is best by the machine's costs"},
     [](const CoherentRow& row, const coherent::Config& config) { return by_tree(row, config, false); },
     [] { return names_of(in_memory::broadcasts<Simulated>()); }},
    {{"reduce", "ns", "operation threads", 0, "operation=reduce/level_tree threads=8",
      "a reduction of one double by the tree that is best by the machine's costs"},
     [](const CoherentRow& row, const coherent::Config& config) { return by_tree(row, config, true); },
     [] { return names_of(in_memory::reductions<Simulated>()); }},
};

/// Throws mesh::UserError.
const Rule& rule_of(const std::string& quantity) {
  const auto* const found =
      std::ranges::find_if(rules, [&](const Rule& rule) { return rule.quantity.name == quantity; });
  if (found != std::end(rules)) return *found;
  Words names;
  for (const Rule& rule : rules) names.push_back(rule.quantity.name);
  const std::string_view near = mesh::nearest(quantity, names);
  throw mesh::UserError(fmt::format("column 'quantity': nothing measures '{}'; {} (rcceinfo measurements)",
                                    mesh::shown(quantity),
                                    near.empty() ? fmt::format("allowed are {}", fmt::join(names, ", "))
                                                 : fmt::format("did you mean '{}'?", near)));
}

} // namespace

std::vector<CoherentQuantity> coherent_quantities() {
  std::vector<CoherentQuantity> all;
  for (const Rule& rule : rules) all.push_back(rule.quantity);
  return all;
}

std::vector<CoherentRow>
read_coherent_rows(const CsvTable& table,
                   const std::function<void(const CoherentRow&, const Fields&)>& check) {
  constexpr std::array known{"id"sv,        "machine"sv,      "quantity"sv, "operation"sv,
                             "state"sv,     "core_a"sv,       "core_b"sv,   "home"sv,
                             "threads"sv,   "base_threads"sv, "value"sv,    "unit"sv,
                             "tolerance"sv, "use"sv,          "source"sv,   "beyond"sv};
  constexpr std::array uses{"input"sv, "check"sv};
  constexpr int most = std::numeric_limits<int>::max();
  table.check_columns(known);
  std::vector<CoherentRow> rows;
  table.each([&](const Fields& text) {
    CoherentRow row;
    const auto whole = [&](std::string_view column, int least) {
      return static_cast<int>(text.whole(column, least, most).value_or(0));
    };
    row.id = text("id");
    row.machine = text.optional("machine");
    row.quantity = text("quantity");
    row.operation = text.optional("operation");
    row.state = text.optional("state");
    row.pair = {whole("core_a", 0), whole("core_b", 0), whole("home", 0)};
    row.threads = whole("threads", 1);
    row.base_threads = whole("base_threads", 1);
    row.value = text.positive("value");
    row.unit = text.optional("unit");
    if (!text.optional("tolerance").empty()) row.tolerance = text.positive("tolerance");
    text.check_word("use", uses);
    row.input = text.optional("use") == "input";
    row.source = text.optional("source");
    row.beyond = text.optional("beyond");
    const CoherentQuantity& quantity = rule_of(row.quantity).quantity;
    if (row.unit.empty()) row.unit = quantity.unit;
    for (const std::string_view column :
         {"operation"sv, "state"sv, "core_a"sv, "core_b"sv, "home"sv, "threads"sv, "base_threads"sv}) {
      const auto words = lab::cut(std::string(quantity.columns), ' ');
      const bool wanted = std::ranges::find(words, column) != words.end();
      if (wanted == !text.optional(column).empty()) continue;
      throw mesh::UserError(fmt::format("column '{}': {} {}; of it count: {}", column, quantity.name,
                                        wanted ? "needs it" : "has no such column, leave it empty",
                                        quantity.columns.empty() ? "none" : quantity.columns));
    }
    if (check) check(row, text);
    rows.push_back(std::move(row));
  });
  return rows;
}

void check_coherent_row(const CoherentRow& row, const mesh::coherent::Config& machine) {
  const auto within = [&](const char* column, int value, int most, const char* of) {
    if (value > most)
      throw mesh::UserError(fmt::format("column '{}': {} is out of range; machine '{}' has {} 0..{}", column,
                                        value, machine.name, of, most));
  };
  within("core_a", row.pair.a, machine.cores() - 1, "cores");
  within("core_b", row.pair.b, machine.cores() - 1, "cores");
  within("home", row.pair.home, static_cast<int>(machine.nodes) - 1, "nodes");
  const Rule& rule = rule_of(row.quantity);
  if (rule.quantity.columns.find("core_b") != std::string_view::npos && row.pair.a == row.pair.b)
    throw mesh::UserError(fmt::format("column 'core_b': {} is core_a too; name two cores", row.pair.b));
  if (rule.quantity.columns.find("threads") != std::string_view::npos) {
    const int least = row.quantity.starts_with("server") || row.quantity == "readers_slope" ? 2 : 1;
    const int most = machine.threads() - (row.quantity == "readers_slope" ? 1 : 0); // one has the line
    for (const auto& [column, value] :
         {std::pair{"threads", row.threads}, {"base_threads", row.base_threads}})
      if (value > most || (value > 0 && value < least))
        throw mesh::UserError(fmt::format("column '{}': {} is out of range {}..{} of machine '{}'", column,
                                          value, least, most, machine.name));
    if (row.base_threads >= row.threads)
      throw mesh::UserError(
          fmt::format("column 'base_threads': {} is not below threads, {}", row.base_threads, row.threads));
  }
  const auto check_word = [](const char* column, const std::string& word, const Words& words) {
    if (std::ranges::find(words, word) != words.end()) return;
    const std::string_view near = mesh::nearest(word, words);
    throw mesh::UserError(fmt::format("column '{}': '{}' is none of {}{}", column, mesh::shown(word),
                                      fmt::join(words, ", "),
                                      near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
  };
  if (rule.operations != nullptr) check_word("operation", row.operation, rule.operations());
  if (!row.state.empty()) check_word("state", row.state, words_of<coherent::State>(coherent::states));
  (void)in_unit_of(measured_by(row, machine), row.value, row.unit);
}

MeasuredUnit measured_by(const CoherentRow& row, const mesh::coherent::Config& machine) {
  const CoherentQuantity& quantity = rule_of(row.quantity).quantity;
  // In the row's own unit where that is of the same kind: a figure is shown as it was published.
  const MeasuredUnit measured{quantity.unit, quantity.bytes, machine.clock_mhz};
  return same_kind(row.unit, quantity.unit) ? MeasuredUnit{row.unit, quantity.bytes, machine.clock_mhz}
                                            : measured;
}

double coherent_model(const CoherentRow& row, const mesh::coherent::Config& machine) {
  const Rule& rule = rule_of(row.quantity);
  const double time = rule.measure(row, machine);
  if (rule.quantity.unit == "ratio") return time;
  const MeasuredUnit measured = measured_by(row, machine);
  const std::string_view unit = measured.unit;
  const std::size_t of = same_kind(unit, "MB/s") ? std::string_view::npos : unit.find('/');
  return in_unit_of(measured, time / 1000,
                    of == std::string_view::npos ? "ns" : fmt::format("ns{}", unit.substr(of)));
}

} // namespace rccebench
