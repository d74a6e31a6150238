#include "coherent_rows.hpp"

#include <functional>
#include <map>

#include <fmt/format.h>

#include "algorithms/in_memory/barriers.hpp"
#include "algorithms/memory/simulated.hpp"
#include "csv_rows.hpp"

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

template <class Row, std::size_t count>
const Row& algorithm(const Row (&rows)[count], std::string_view name) {
  for (const Row& row : rows)
    if (row.name == name) return row;
  throw mesh::UserError(fmt::format("published row: there is no algorithm '{}' in shared memory", name));
}

/// Mean time of an empty parallel region: start, arrivals, join.
double region(const CoherentRow& row, const coherent::Config& config) {
  coherent::Machine machine(config, row.threads);
  Simulated memory(machine);
  in_memory::Fork<Simulated> fork(memory);
  const auto join = algorithm(in_memory::joins<Simulated>, row.operation).make(memory, {});
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
  const auto wait = algorithm(in_memory::barriers<Simulated>, row.operation).make(memory, {});
  memory.run([&](coherent::Core& core) {
    for (int i = 0; i < measured_rounds; ++i) wait(core);
  });
  return static_cast<double>(machine.clock(0)) / measured_rounds;
}

double readers_slope(const CoherentRow& row, const coherent::Config& config) {
  return static_cast<double>(read_by(config, row.threads) - read_by(config, row.threads / 2)) /
      (row.threads - row.threads / 2);
}

/// Picoseconds by quantity.
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
      {"region", region},
      {"barrier", barrier},
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
    row.value = std::stod(text("value"));
    row.unit = text("unit");
    if (!text("tolerance").empty()) row.tolerance = std::stod(text("tolerance"));
    row.input = text("use") == "input";
    row.source = text("source");
    rows.push_back(std::move(row));
  });
  return rows;
}

double coherent_model(const CoherentRow& row, const mesh::coherent::Config& machine) {
  const auto rule = quantities().find(row.quantity);
  if (rule == quantities().end())
    throw mesh::UserError(fmt::format("published row '{}': nothing measures '{}'", row.id, row.quantity));
  const double picoseconds = rule->second(row, machine);
  return row.unit == "cycles" ? picoseconds * machine.clock_mhz / 1e6 : picoseconds / 1000;
}

} // namespace rccebench
