// SPDX-License-Identifier: Apache-2.0
#include "lab/memory.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithms/in_memory/machine_costs.hpp"
#include "algorithms/in_memory/trial.hpp"
#include "lab/check_in_memory.hpp"
#include "lab/explored.hpp"
#include "lab/isolated.hpp"
#include "lab/own_files.hpp"
#include "lab/table_rows.hpp"
#include "lab/trace_output.hpp"
#include "lab/wanted.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/coherent/kind.hpp"
#include "mesh_sim/observe/measured_part.hpp"
#include "mesh_sim/observe/observers.hpp"

namespace lab {

namespace in_memory = algorithms::in_memory;

namespace {

/// Hands every value that is asked for to the options of its row.
template <class Table, class Options>
void set_values(const Table& table, const Point& point, Options& options) {
  const auto* const row = algorithms::find_row(table, point.algorithm);
  if (row == nullptr) return;
  for (const auto& parameter : row->parameters)
    if (const auto asked = point.options.find(std::string(parameter.name)); asked != point.options.end())
      parameter.set(options, asked->second);
}

std::unique_ptr<mesh::coherent::Config> config_of(const Point& point) {
  auto config = mesh::coherent_config(point.machine->config);
  if (!config) throw std::logic_error("a point in shared memory on a machine that has none");
  return config;
}

/// The point's values, and for those that are not asked for what is best by the machine's parameters: of
/// reduce/linear the barrier that is fastest everywhere.
in_memory::Trial trial_of(const Point& point, const mesh::coherent::Config& machine) {
  namespace cost = in_memory::cost;
  using in_memory::Simulated;
  in_memory::Trial trial{.algorithm = point.algorithm,
                         .threads = point.cores,
                         .repetitions = point.repetitions,
                         .warm_up = point.warm_up};
  trial.reduce.barrier = "barrier/dissemination";
  if (trial.threads > 1) {
    const auto p =
        cost::parameters_of(machine, mesh::coherent::placement(machine, trial.placement, trial.threads));
    const auto best = [&](const auto& of) {
      return cost::best_tree(trial.threads,
                             [&](std::span<const int> k) { return of(p, k, cost::Bound::min); })
          .fan_outs;
    };
    trial.bcast.fan_outs = best([](const auto&... all) { return cost::broadcast(all...); });
    trial.reduce.fan_outs = best([](const auto&... all) { return cost::reduction(all...); });
  }
  trial.exchange.reduce = trial.reduce;
  trial.exchange.bcast = trial.bcast;
  set_values(in_memory::exchanges<Simulated>(), point, trial.exchange);
  set_values(in_memory::barriers<Simulated>(), point, trial.barrier);
  set_values(in_memory::broadcasts<Simulated>(), point, trial.bcast);
  set_values(in_memory::reductions<Simulated>(), point, trial.reduce);
  return trial;
}

template <class T>
Result run_as(const Point& point, mesh::Observers* observers) {
  const double before = thread_seconds();
  const auto config = config_of(point);
  in_memory::Trial trial = trial_of(point, *config);
  trial.observers = observers;
  trial.elements = static_cast<std::size_t>(point.bytes) / sizeof(T);
  if (!point.spread.is_none())
    for (int repetition = 0; repetition < trial.repetitions; ++repetition) {
      trial.delays.emplace_back();
      for (const std::int64_t nanoseconds : point.spread.delays(trial.threads, repetition))
        trial.delays.back().push_back(nanoseconds * 1000);
    }
  const Operator<T> function(point.op);
  const bool multiplies = point.operation().combines && point.op == "prod";
  const auto value = [multiplies](int thread, std::size_t i) { return operand<T>(multiplies, thread, i); };
  Result result;
  std::vector<std::vector<T>> right; // by thread
  if (const auto operation = operation_named(point.row().operation)) {
    Wanted wanted(algorithms::Shares(*operation, trial.elements * sizeof(T), sizeof(T), trial.threads), value,
                  function);
    for (int thread = 0; thread < trial.threads; ++thread) right.push_back(wanted.next());
  }
  const in_memory::Seen<T> seen = [&](int repetition, int thread, std::span<const T> got) {
    compare(got, right.at(static_cast<std::size_t>(thread)), thread, repetition, result);
  };
  const auto outcome = in_memory::run<T, Operator<T>>(*config, trial, value, function, seen);
  Summary summary;
  for (std::size_t repetition = 0; repetition < outcome.by_repetition.size(); ++repetition) {
    const auto& one = outcome.by_repetition[repetition];
    for (std::size_t thread = 0; thread < one.left.size(); ++thread)
      summary.add(static_cast<int>(repetition), static_cast<int>(thread), one.entered[thread],
                  one.left[thread]);
  }
  summary.write(result, !point.spread.is_none());
  result.host_us = (thread_seconds() - before) * 1e6 / (trial.warm_up + trial.repetitions);
  return result;
}

template <class T>
std::string check_as(const Point& point) {
  constexpr double lateness_ps = 50e6, most_seconds = 20;
  const auto config = config_of(point);
  const in_memory::Trial trial = trial_of(point, *config);
  const CheckPlan plan = check_plan_in_memory(point);
  std::vector<lab_check_time> times(plan.calls.size() * static_cast<std::size_t>(point.cores));
  const auto body = [&] {
    mesh::coherent::Machine machine(*config,
                                    mesh::coherent::placement(*config, trial.placement, trial.threads));
    in_memory::Simulated memory(machine);
    InMemoryCheck<T, in_memory::Simulated> check(
        memory, point, plan, {trial.barrier, trial.reduce, trial.bcast, trial.exchange}, times,
        [](mesh::coherent::Core& core) { core.advance(static_cast<mesh::Picoseconds>(lateness_ps)); });
    std::string ended;
    try {
      memory.run([&](mesh::coherent::Core& core) { check.body(core); });
    } catch (const std::runtime_error& error) {
      ended = error.what();
      ended.erase(ended.find_last_not_of("; ") + 1);
    }
    check.compare_all();
    return fault_in(plan, point.operation(), times, point.cores, ended);
  };
  return point.row().own_file
      ? isolated(most_seconds, body,
                 [=] { return fmt::format("it does not end within {} s of host time", most_seconds); })
      : body();
}

/// Finds an operand that is missing in a minimum, maximum or product, which seldom show it. The row does not
/// know what it combines, so it has the same calls with sets of threads as elements.
std::string lost_operand(const Point& point) {
  if (!point.operation().combines || point.op == "sum") return {};
  Point sets = point;
  sets.op = unites;
  sets.type = element_bytes(point.type) == sizeof(int) ? "int" : "long";
  const std::string found = with_elements_of(sets, [&]<class T>(T*) { return check_as<T>(sets); });
  return found.empty() ? found : "operands are missing in the result, as sets of threads show: " + found;
}

} // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::shared_ptr<const Memory> Memory::with(const std::vector<std::string>& files) {
  return once_for<Memory>(files, [] { return new Memory; });
}

Memory::Memory() {
  using in_memory::Simulated;
  add_rows(rows_, in_memory::broadcasts<Simulated>());
  add_rows(rows_, in_memory::barriers<Simulated>());
  add_rows(rows_, in_memory::reductions<Simulated>());
  add_rows(rows_, in_memory::joins<Simulated>());
  add_rows(rows_, in_memory::exchanges<Simulated>());
}

std::vector<std::int64_t> Memory::usual_ranks(const Machine& machine) const {
  const std::int64_t all = mesh::coherent_config(machine.config)->cores();
  std::vector<std::int64_t> counts;
  for (const std::int64_t count : {std::int64_t{2}, std::int64_t{8}, all})
    if (count <= all && (counts.empty() || counts.back() != count)) counts.push_back(count);
  return counts;
}

std::string Memory::misfit(const Point& point) const {
  if (std::string why = Backend::misfit(point); !why.empty()) return why;
  if (point.root != 0)
    return fmt::format("--root {}: in shared memory the root is always thread 0", point.root);
  if (const auto tree = point.options.find("fan_outs"); tree != point.options.end()) {
    const auto most = algorithms::level_tree::capacity(algorithms::numbers_in(tree->second));
    if (point.cores > most)
      return fmt::format("fan_outs={}: a tree of {} threads; --cores says {}", tree->second, most,
                         point.cores);
  }
  return {};
}

Verdict Memory::check(const Point& point) const {
  std::string found = with_elements_of(point, [&]<class T>(T*) { return check_as<T>(point); });
  if (!found.empty() || !point.row().own_file) return {.found = std::move(found)};
  if (found = lost_operand(point); !found.empty()) return {.found = std::move(found)};
  Verdict verdict = explored(point);
  verdict.counted = has_counted_calls(point);
  return verdict;
}

Result Memory::measure(const Point& point, mesh::Observers* observers) const {
  if (const std::string why = misfit(point); !why.empty()) throw mesh::UserError(why);
  return with_elements_of(point, [&]<class T>(T*) { return run_as<T>(point, observers); });
}

void Memory::record(const Point& point, const rcce::Records& records, int repetition) const {
  const auto config = config_of(point);
  const std::vector<int> places =
      mesh::coherent::placement(*config, trial_of(point, *config).placement, point.cores);
  std::vector<mesh::TracedCore> threads;
  for (int thread = 0; thread < point.cores; ++thread) {
    const int place = places[static_cast<std::size_t>(thread)], core = place % config->cores(),
              node = core / static_cast<int>(config->cores_per_node), sibling = place / config->cores();
    threads.push_back({thread, node,
                       sibling == 0
                           ? fmt::format("thread {} (core {:02})", thread, core)
                           : fmt::format("thread {} (core {:02}, sibling {})", thread, core, sibling),
                       fmt::format("node {}", node)});
  }
  mesh::Observers observers;
  mesh::MeasuredPart part(in_memory::Trial::release, point.algorithm, repetition, point.cores, observers);
  TraceOutput output(records.at("trace"), observers);
  output.trace().begin(threads, true);
  part.add(output.trace());
  observers.add(part);
  (void)measure(point, &observers);
  output.finish();
}

std::map<std::string, std::string> Memory::settled(const Point& point) const {
  std::map<std::string, std::string> options = point.options;
  constexpr const char* tree = "fan_outs";
  if (point.row().parameter(tree) == nullptr) return options;
  const in_memory::Trial trial = trial_of(point, *config_of(point));
  const auto& fan_outs = point.row().operation == "bcast" ? trial.bcast.fan_outs : trial.reduce.fan_outs;
  options[tree] = fmt::format("{}", fmt::join(fan_outs, "/"));
  return options;
}

double Memory::weight(const Point& point) const {
  const auto rounds = static_cast<double>(point.repetitions + point.warm_up);
  return rounds * point.cores * (static_cast<double>(point.bytes) + 4000);
}

} // namespace lab
