// SPDX-License-Identifier: Apache-2.0
#include "measuring/coherent_rows.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "algorithms/in_memory/machine_costs.hpp"
#include "algorithms/in_memory/simulated.hpp"
#include "algorithms/in_memory/trial.hpp"
#include "mesh_sim/errors.hpp"
#include "present/csv_rows.hpp"

namespace rccebench {
namespace {

namespace coherent = mesh::coherent;
namespace in_memory = algorithms::in_memory;
using algorithms::memory::Simulated;

constexpr int measured_rounds = 100;

template <class Enum>
Enum by_name(std::string_view word, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (name(static_cast<Enum>(i)) == word) return static_cast<Enum>(i);
  throw mesh::UserError(fmt::format("published row: '{}' is no operation and no state of a line", word));
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

/// Picoseconds by quantity; of ratios, the ratio.
const std::map<std::string, std::function<double(const CoherentRow&, const coherent::Config&)>>&
quantities() {
  using coherent::Config;
  static const std::map<std::string, std::function<double(const CoherentRow&, const Config&)>> rules{
      {"access",
       [](const CoherentRow& row, const Config& config) {
         return static_cast<double>(access_time(config, operation_of(row), state_of(row), row.pair));
       }},
      {"cas_half_round_trip",
       [](const CoherentRow& row, const Config& config) { return cas_half_round_trip(config, row.pair); }},
      {"message_round_trip",
       [](const CoherentRow& row, const Config& config) { return message_round_trip(config, row.pair); }},
      {"line_one_way",
       [](const CoherentRow& row, const Config& config) {
         return static_cast<double>(line_one_way(config, state_of(row), row.pair));
       }},
      {"store_shared_by_all",
       [](const CoherentRow&, const Config& config) {
         return static_cast<double>(store_shared_by_all(config));
       }},
      {"contended_addition",
       [](const CoherentRow& row, const Config& config) { return contended_addition(config, row.threads); }},
      {"readers_slope", readers_slope},
      {"lock_ratio", lock_ratio},
      {"server_round_trip",
       [](const CoherentRow& row, const Config& config) { return server_round_trip(config, row.threads); }},
      {"server_slope", server_slope},
      {"stream_read",
       [](const CoherentRow& row, const Config& config) {
         return stream_line(config, row.threads, row.pair.home, false);
       }},
      {"stream_write",
       [](const CoherentRow& row, const Config& config) {
         return stream_line(config, row.threads, row.pair.home, true);
       }},
      {"stream_triad",
       [](const CoherentRow& row, const Config& config) { return triad_line(config, row.threads); }},
      {"region", region},
      {"barrier", barrier},
      {"bcast", [](const CoherentRow& row, const Config& config) { return by_tree(row, config, false); }},
      {"reduce", [](const CoherentRow& row, const Config& config) { return by_tree(row, config, true); }},
  };
  return rules;
}

int whole(const std::string& text) {
  return text.empty() ? 0 : std::stoi(text);
}

} // namespace

std::vector<CoherentRow> read_coherent_rows(const std::filesystem::path& file) {
  std::vector<CoherentRow> rows;
  read_rows(file, [&](const Fields& text) {
    CoherentRow row;
    row.id = text("id");
    row.machine = text("machine");
    row.quantity = text("quantity");
    row.operation = text("operation");
    row.state = text("state");
    row.pair = {whole(text("core_a")), whole(text("core_b")), whole(text("home"))};
    row.threads = whole(text("threads"));
    row.base_threads = whole(text("base_threads"));
    row.value = std::stod(text("value"));
    row.unit = text("unit");
    if (!text("tolerance").empty()) row.tolerance = std::stod(text("tolerance"));
    row.input = text("use") == "input";
    row.source = text("source");
    row.beyond = text("beyond");
    rows.push_back(std::move(row));
  });
  return rows;
}

double coherent_model(const CoherentRow& row, const mesh::coherent::Config& machine) {
  const auto rule = quantities().find(row.quantity);
  if (rule == quantities().end())
    throw mesh::UserError(fmt::format("published row '{}': nothing measures '{}'", row.id, row.quantity));
  const double measured = rule->second(row, machine);
  if (row.unit == "ratio") return measured;
  if (row.unit == "GB/s") return static_cast<double>(mesh::coherent::line_size) * 1000 / measured;
  return row.unit == "cycles" ? measured * machine.clock_mhz / 1e6 : measured / 1000;
}

} // namespace rccebench
