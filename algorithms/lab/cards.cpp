// SPDX-License-Identifier: Apache-2.0
#include "lab/cards.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "algorithms/on_cards/rank_run.hpp"
#include "algorithms/on_cards/reductions.hpp"
#include "lab/isolated.hpp"
#include "lab/own_files.hpp"
#include "lab/random.hpp"
#include "lab/table_rows.hpp"
#include "lab/trace_output.hpp"
#include "mesh_sim/counted.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/cluster/kind.hpp"
#include "mesh_sim/machines/cluster/machine.hpp"
#include "mesh_sim/observe/observers.hpp"
#include "mesh_sim/observe/time_bins.hpp"

namespace lab {
namespace {

namespace on_cards = algorithms::on_cards;
using mesh::cluster::Config;
using mesh::cluster::Ending;
using mesh::cluster::Values;
using mesh::cluster::Vector;

constexpr int least_nodes = 2, most_in_flight = 4096;
constexpr int exact_sum = 1 << 24;        ///< all whole numbers up to it are exact in every type
constexpr std::int64_t longest_given = 8; ///< elements for which a machine file says what combining takes
constexpr std::int64_t nodes_in_all = 250'000, least_noisy = 5, most_noisy = 10'000;
/// Vectors are combined, and their elements compared, only where they fit in so much memory.
constexpr std::int64_t most_compared_bytes = std::int64_t{1} << 28;

/// How busy each link is over time that has carried something.
class LinkLoad final : public mesh::Observer {
 public:
  explicit LinkLoad(std::size_t bins) : bins_(0, bins) {}

  [[nodiscard]] mesh::EventMask wants() const override { return mesh::EventMask::resources; }
  void served(const mesh::Service& service) override {
    const std::size_t row = rows_.try_emplace(service.resource.number, rows_.size()).first->second;
    bins_.add(row, service.from + service.queued, service.to);
  }
  /// After the run.
  void write(mesh::Trace& trace, const mesh::Routes& network) const {
    std::vector<mesh::Picoseconds> busy(bins_.bins());
    for (const auto& [link, row] : rows_) {
      for (std::size_t bin = 0; bin < busy.size(); ++bin) busy[bin] = bins_.at(row, bin);
      trace.load(network.link_name(link), busy, bins_.width());
    }
  }

 private:
  std::map<int, std::size_t> rows_; ///< by link
  mesh::TimeBins bins_;
};

/// How a call is made, the same for every row.
const std::array<Parameter, 3>& parameters_of_calls() {
  static const std::array<Parameter, 3> all = [] {
    std::array<Parameter, 3> parameters;
    auto& [processes, in_flight, noise] = parameters;
    processes.name = "processes";
    processes.help = "on each node";
    processes.least = processes.default_value = 1;
    processes.most = 1024;
    in_flight.name = "in_flight";
    in_flight.help =
        "number of reductions on cards that overlap, without barriers; 0: one at a time, after a barrier";
    in_flight.most = most_in_flight;
    noise.name = "noise";
    noise.help = "the machine's, none, or that of a file of lines start TAB duration in ns; it begins again "
                 "behind its "
                 "last daemon, or after the ns of a line period TAB number";
    noise.words = {"on", "off"};
    noise.or_file = true;
    for (Parameter& one : parameters) one.of_call = true;
    return parameters;
  }();
  return all;
}

std::string value_of(const Point& point, std::string_view parameter) {
  const Parameter* const known = point.row().parameter(parameter);
  return known == nullptr ? std::string() : point.value(*known);
}

int number_of(const Point& point, std::string_view parameter) {
  return std::stoi(value_of(point, parameter));
}

bool combines(const Point& point) {
  return point.operation().combines;
}

/// Rows say "reduce/..." and "bcast/..."; an allreduce is a reduce whose result all nodes get.
const on_cards::ReduceRow& row_of(const Point& point) {
  const std::string& name = point.algorithm;
  if (!combines(point)) return algorithms::row_of(on_cards::broadcasts, name);
  return algorithms::row_of(on_cards::reductions, "reduce/" + name.substr(name.find('/') + 1));
}

std::int64_t element_size(const Point& point) {
  return static_cast<std::int64_t>(mesh::cluster::bytes_of(Cards::vector_of(point).type));
}

/// Those of a vector; a message without operands has words of 4 bytes.
std::int64_t elements_of(const Point& point) {
  return point.bytes / element_size(point);
}

/// Nodes from 0 on to which the program itself brings the result.
int holders_of(const Point& point) {
  return row_of(point).ending == Ending::everywhere ? point.cores : 1;
}

/// In the results of a call; calls of other numbers have other operands.
template <class T>
std::int64_t wrong_bytes_as(const Point& point, mesh::cluster::Machine& machine,
                            const mesh::cluster::Program& program, int call) {
  const Vector what = Cards::vector_of(point);
  const auto elements = static_cast<std::size_t>(elements_of(point));
  // Whole numbers above 0 whose sums are exact in every type and order: drawn, so that no node can stand for
  // another. Of minima and maxima, one node after another decides.
  const auto most = static_cast<double>(std::max(exact_sum / point.cores - 1, 2));
  const bool adds = what.operation == mesh::cluster::Operation::sum;
  const auto operand = [&, most, adds](int node, std::size_t i) {
    const auto drawn = static_cast<std::int64_t>(
        1 + most * Random(static_cast<std::uint64_t>(node), static_cast<std::uint64_t>(call), i).uniform());
    const std::size_t turn = static_cast<std::size_t>(call) * elements + i;
    if (adds || turn % static_cast<std::size_t>(point.cores) != static_cast<std::size_t>(node))
      return static_cast<T>(drawn);
    return static_cast<T>(what.operation == mesh::cluster::Operation::min ? 0 : exact_sum);
  };
  Values values(point.cores, elements, what);
  std::vector<T> wanted(elements);
  for (int node = 0; node < (combines(point) ? point.cores : 1); ++node)
    for (std::size_t i = 0; i < elements; ++i) {
      const T value = operand(node, i);
      std::memcpy(values.of(node).data() + i * sizeof(T), &value, sizeof(T));
      T& best = wanted[i];
      if (node == 0)
        best = value;
      else if (what.operation == mesh::cluster::Operation::sum)
        best += value;
      else if (what.operation == mesh::cluster::Operation::min ? value < best : best < value)
        best = value;
    }
  (void)machine.reduce(program, what, values);
  std::int64_t wrong = 0;
  for (int node = 0; node < holders_of(point); ++node)
    for (std::size_t i = 0; i < elements; ++i)
      if (std::memcmp(values.of(node).data() + i * sizeof(T), &wanted[i], sizeof(T)) != 0)
        wrong += static_cast<std::int64_t>(sizeof(T));
  return wrong;
}

std::int64_t wrong_bytes(const Point& point, mesh::cluster::Machine& machine,
                         const mesh::cluster::Program& program, int call) {
  if (point.type == "int" || !combines(point))
    return wrong_bytes_as<std::int32_t>(point, machine, program, call);
  if (point.type == "long") return wrong_bytes_as<std::int64_t>(point, machine, program, call);
  if (point.type == "float") return wrong_bytes_as<float>(point, machine, program, call);
  return wrong_bytes_as<double>(point, machine, program, call);
}

mesh::cluster::Machine machine_of(const Point& point, const Config& config) {
  return {config, point.cores, number_of(point, "processes"), point.seed};
}

/// True if the results have the operand of every node, however often. A minimum does not show that: where
/// another node decides, an operand is lost unseen. Elements are sets of nodes: each has those of one group,
/// and all groups in turn as far as the work allows. Of longer vectors other elements have the other groups.
bool has_all_operands(const Point& point, const mesh::cluster::Program& program, const Config& config) {
  constexpr std::int64_t most_set_bytes = 256, most_work = std::int64_t{1} << 33; // bytes
  const std::int64_t elements = elements_of(point), in_all = elements * point.cores;
  const std::int64_t set_bytes = std::clamp<std::int64_t>(most_compared_bytes / in_all, 1, most_set_bytes);
  const std::int64_t of_group = 8 * set_bytes, groups = (point.cores + of_group - 1) / of_group;
  const std::int64_t turns = std::clamp<std::int64_t>(most_work / (in_all * set_bytes), 1, groups);
  const auto unite = [set_bytes](std::byte* own, const std::byte* other, std::size_t count) {
    std::transform(own, own + count * static_cast<std::size_t>(set_bytes), other, own, std::bit_or<>());
  };
  for (std::int64_t turn = 0; turn < turns; ++turn) {
    Values values(point.cores, static_cast<std::size_t>(elements), static_cast<std::size_t>(set_bytes),
                  unite);
    std::vector<std::byte> wanted(values.of(0).size());
    for (std::int64_t element = 0; element < elements; ++element) {
      const std::int64_t first = (element + turn) % groups * of_group;
      for (std::int64_t bit = 0; bit < std::min(of_group, point.cores - first); ++bit) {
        const auto at = static_cast<std::size_t>(element * set_bytes + bit / 8);
        values.of(static_cast<int>(first + bit))[at] = std::byte{1} << bit % 8;
        wanted[at] |= std::byte{1} << bit % 8;
      }
    }
    (void)machine_of(point, config).reduce(program, Cards::vector_of(point), values);
    for (int node = 0; node < holders_of(point); ++node)
      if (!std::ranges::equal(values.of(node), wanted)) return false;
  }
  return true;
}

/// True if a step takes messages as they come: the order of the ranks is then a matter of time.
bool takes_by_arrival(const mesh::cluster::Program& program) {
  using mesh::cluster::Step;
  for (int node = 0; node < program.nodes(); ++node)
    if (std::ranges::any_of(program.steps(node), [](const Step& step) {
          return step.kind == Step::Kind::combine && step.order == mesh::cluster::Order::arrival &&
              step.count > 1;
        }))
      return true;
  return false;
}

/// True if everybody who gets the result has the operands in the order of ranks.
bool is_in_rank_order(const Point& point, const mesh::cluster::Program& program, const Config& config) {
  using on_cards::RankRun;
  const auto count = static_cast<std::size_t>(elements_of(point));
  Values values(point.cores, count, sizeof(RankRun), on_cards::join_runs);
  for (int node = 0; node < point.cores; ++node) {
    const std::vector<RankRun> own(count, RankRun{node, node});
    std::memcpy(values.of(node).data(), own.data(), count * sizeof(RankRun));
  }
  (void)machine_of(point, config).reduce(program, Cards::vector_of(point), values);
  const std::vector<RankRun> wanted(count, RankRun{0, point.cores - 1});
  for (int node = 0; node < holders_of(point); ++node)
    if (std::memcmp(values.of(node).data(), wanted.data(), count * sizeof(RankRun)) != 0) return false;
  return true;
}

std::string misfit_of(const Point& point, int least) {
  const auto config = mesh::cluster_config(point.machine->config);
  if (point.cores < least || point.cores > config->nodes)
    return fmt::format("--nodes {}: machine '{}' has {} nodes, and {} takes {} at least{}", point.cores,
                       point.machine_name, config->nodes, combines(point) ? "a reduction" : "a broadcast",
                       least_nodes,
                       point.cores > config->nodes
                           ? fmt::format("; --set machine.nodes={} makes a cluster of as many", point.cores)
                           : "");
  if (point.root != 0) return fmt::format("--root {}: on a cluster the root is always node 0", point.root);
  if (!point.spread.is_none())
    return "--spread: on a cluster nodes come when the barrier before the call lets them; --noise "
           "disturbs "
           "them";
  if (point.op == "prod") return "--op prod: network cards have sum, min and max";
  if (point.bytes % element_size(point) != 0) // of reductions this is told for all machines
    return fmt::format("--sizes {}: messages on a cluster are whole words of {} bytes", point.bytes,
                       element_size(point));
  if (elements_of(point) < 1 || elements_of(point) > mesh::cluster::most_elements)
    return fmt::format("{}: vectors on a cluster have 1 to {}", mesh::counted(elements_of(point), "element"),
                       mesh::cluster::most_elements);
  if (const int processes = number_of(point, "processes"); processes > config->processors)
    return fmt::format("--processes {}: a node of machine '{}' has {} processors, one for each process",
                       processes, point.machine_name, config->processors);
  if (const int window = number_of(point, "in_flight"); window > 0 &&
      (row_of(point).place != mesh::cluster::Processor::cards || point.row().operation == "allreduce"))
    return fmt::format("--in-flight {}: {} takes one at a time; several under way are for reduce on cards",
                       window, point.algorithm);
  if (point.timed_singly && number_of(point, "in_flight") > 0)
    return "--in-flight: reductions that are timed singly are not under way together; leave one of both out";
  return {};
}

} // namespace

std::shared_ptr<const Cards> Cards::with(const std::vector<std::string>& files) {
  return once_for<Cards>(files, [] { return new Cards; });
}

Cards::Cards() {
  add_rows(rows_, on_cards::reductions);
  for (Row& row : rows_) {
    const auto& calls = parameters_of_calls();
    row.parameters.insert(row.parameters.end(), calls.begin(), calls.end());
  }
  const std::vector<Row> reductions = rows_;
  for (Row row : reductions) {
    row.operation = "allreduce";
    row.name = "allreduce" + row.name.substr(row.name.find('/'));
    rows_.push_back(std::move(row));
  }
  const std::size_t before = rows_.size();
  for (const on_cards::ReduceRow& row : on_cards::broadcasts) add_row(rows_, row);
  for (std::size_t i = before; i < rows_.size(); ++i)
    rows_[i].parameters.assign(parameters_of_calls().begin(), parameters_of_calls().end());
}

int Cards::most_ranks(const Machine& machine) const {
  return static_cast<int>(mesh::cluster_config(machine.config)->nodes);
}

std::vector<std::int64_t> Cards::usual_ranks(const Machine& machine) const {
  const std::int64_t all = most_ranks(machine), few = 64;
  if (all <= few) return {all};
  return {few, all};
}

std::string Cards::misfit(const Point& point) const {
  const std::string why = misfit_of_payload(point);
  return why.empty() ? misfit_of(point, least_nodes) : why;
}

int Cards::usual_repetitions(const Point& point) const {
  if (value_of(point, "noise") == "off" && number_of(point, "in_flight") == 0) return 1;
  return static_cast<int>(std::clamp(nodes_in_all / point.cores, least_noisy, most_noisy));
}

double Cards::weight(const Point& point) const {
  const bool each =
      row_of(point).place == mesh::cluster::Processor::hosts || number_of(point, "in_flight") > 0;
  return static_cast<double>(point.cores) * point.repetitions * (each ? 1 : 0.01);
}

Config Cards::config_of(const Point& point) {
  Config config = *mesh::cluster_config(point.machine->config);
  const std::string noise = value_of(point, "noise");
  if (noise == "off") config.daemons = config.late_chance = 0;
  if (noise != "off" && noise != "on") {
    config.trace = std::make_shared<const mesh::cluster::Trace>(mesh::cluster::read_trace(noise));
    config.daemons = 0;
  }
  return config;
}

Vector Cards::vector_of(const Point& point) {
  using mesh::cluster::Operation, mesh::cluster::Type;
  if (!combines(point)) return {Type::int32, Operation::sum};
  return {point.type == "int"         ? Type::int32
              : point.type == "long"  ? Type::int64
              : point.type == "float" ? Type::float32
                                      : Type::float64,
          point.op == "min"       ? Operation::min
              : point.op == "max" ? Operation::max
                                  : Operation::sum};
}

/// The reduction or broadcast of one element, whatever happens to the others: LIMITS.md, "Clusters".
Limit Cards::limit(const Point& point) const {
  if (point.cores < least_nodes || elements_of(point) < 1 || number_of(point, "in_flight") > 0) return {};
  using mesh::cluster::picoseconds;
  const Config config = config_of(point);
  const Vector what = vector_of(point);
  const auto bytes = static_cast<std::int64_t>(mesh::cluster::bytes_of(what.type));
  const mesh::Picoseconds flight = mesh::cluster::FatTree(config, point.cores).send(0, 1, bytes, 0);
  mesh::Picoseconds step = config.card_step(what, elements_of(point));
  for (std::int64_t elements = 1; elements < elements_of(point) && elements <= longest_given; elements *= 2)
    step = std::min(step, config.card_step(what, elements));
  const auto tree = [&](mesh::Picoseconds wake, mesh::Picoseconds each, mesh::Picoseconds latency) {
    if (each <= 0) return wake + latency; // one node takes the messages of all others at once
    return algorithms::awake_tree::Shape(point.cores, {wake, each, latency}).bound();
  };
  const mesh::Picoseconds shared = number_of(point, "processes") > 1 ? picoseconds(config.shared_memory) : 0;
  const mesh::Picoseconds host_flight = picoseconds(config.latency) - picoseconds(config.wire) + flight;
  if (!combines(point)) {
    const mesh::Picoseconds all = shared + picoseconds(config.entry) + picoseconds(config.barrier) +
        tree(0, picoseconds(config.send), host_flight + picoseconds(config.take));
    return {{LimitTerm{"word", mesh::microseconds(all)}}};
  }
  const mesh::Picoseconds cards = shared + picoseconds(config.barrier) + picoseconds(config.start) +
      picoseconds(config.extra) + tree(picoseconds(config.wake), step, flight) + picoseconds(config.end);
  const mesh::Picoseconds hosts = shared + picoseconds(config.entry) +
      std::min(picoseconds(config.barrier), picoseconds(config.broadcast)) +
      tree(0, picoseconds(config.take), picoseconds(config.send) + host_flight);
  return {{LimitTerm{"summation", mesh::microseconds(std::min(cards, hosts))}}};
}

mesh::cluster::Program Cards::program_of(const Point& point, const Config& machine) {
  const on_cards::ReduceRow& row = row_of(point);
  on_cards::ReduceOptions options;
  for (const auto& parameter : row.parameters)
    if (const auto asked = point.options.find(std::string(parameter.name)); asked != point.options.end())
      parameter.set(options, asked->second);
  auto program = row.program(point.cores, static_cast<std::uint32_t>(elements_of(point)), vector_of(point),
                             machine, options);
  if (program.ending() != row.ending || program.place() != row.place)
    throw mesh::UserError("its program is of another place or ending than the row says; give Recording::of "
                          "the row's .place and .ending");
  if (point.row().operation == "allreduce" && row.ending == Ending::root)
    program.set_ending(Ending::broadcast);
  return program;
}

mesh::Picoseconds Cards::run_observed(const Point& point, mesh::Observers& observers) const {
  Point quiet = point;
  quiet.options["noise"] = "off";
  if (const std::string why = misfit_of(quiet, 1); !why.empty()) throw mesh::UserError(why);
  const Config config = config_of(quiet);
  mesh::cluster::Machine machine(config, point.cores, number_of(quiet, "processes"), point.seed);
  machine.set_observers(&observers);
  Values vectors(point.cores, static_cast<std::size_t>(elements_of(point)), vector_of(point));
  return machine.reduce(program_of(quiet, config), vector_of(point), vectors);
}

std::string Cards::unrecorded(const Point& point, std::string_view option) const {
  if (option != "trace") return Backend::unrecorded(point, option);
  if (number_of(point, "in_flight") == 0) return {};
  return "--trace: it shows one reduction, and with --in-flight several are under way; leave one of both out";
}

void Cards::record(const Point& point, const rcce::Records& records, int /*repetition*/) const {
  const Config config = config_of(point);
  const auto program = program_of(point, config);
  const int nodes = point.cores;
  const bool on_cards = program.place() == mesh::cluster::Processor::cards;
  std::vector<mesh::TracedCore> tracks;
  for (int node = 0; node < nodes; ++node) {
    const std::string name = fmt::format("node {}", node), host = fmt::format("host {}", node);
    tracks.push_back({node, node, on_cards ? fmt::format("card {}", node) : host, name});
    if (on_cards) tracks.push_back({nodes + node, node, host, name});
  }
  const mesh::cluster::FatTree network(config, nodes);
  mesh::Observers observers;
  LinkLoad links(mesh::Trace::load_bins(static_cast<std::size_t>(network.links())));
  TraceOutput output(records.at("trace"), observers);
  output.trace().begin(tracks, true);
  observers.add(output.trace());
  observers.add(links);
  mesh::cluster::Machine machine(config, nodes, number_of(point, "processes"), point.seed);
  machine.set_observers(&observers);
  (void)machine.repeat(program, vector_of(point), {.timed_singly = point.timed_singly});
  links.write(output.trace(), network);
  output.finish();
}

/// Programs are fixed lists of messages, and a step waits for those that it takes: who comes late changes
/// when they arrive, not what they hold. So nobody is made late here.
std::string Cards::fault_of(const Point& point) const {
  constexpr int most_thorough = 4096; // nodes: more are asked once, for two lengths
  std::vector<std::int64_t> counts{1, longest_given + 1};
  if (point.cores <= most_thorough) counts.insert(counts.end(), {2, longest_given});
  if (point.row().own_file) counts.push_back(elements_of(point));
  const Config config = config_of(point);
  for (const std::int64_t elements : counts) {
    const int calls = point.cores > most_thorough ? 1 : 3;
    Point one = point;
    one.bytes = elements * element_size(point);
    if (one.bytes * one.cores > most_compared_bytes || !misfit(one).empty()) continue;
    const auto program = program_of(one, config);
    mesh::cluster::Machine machine = machine_of(one, config);
    if (point.row().own_file && combines(point) && !row_of(point).commutative &&
        (takes_by_arrival(program) || !is_in_rank_order(one, program, config)))
      return fmt::format("{}: operands are not combined in the order of the ranks, against "
                         ".commutative = false in the row",
                         mesh::counted(elements, "element"));
    for (int call = 0; call < calls; ++call)
      if (const std::int64_t wrong = wrong_bytes(one, machine, program, call); wrong > 0)
        return fmt::format("call {} of {} in a row ({}): the nodes that get the result have {}", call + 1,
                           calls, mesh::counted(one.bytes, "byte"), mesh::counted(wrong, "wrong byte"));
    if (point.row().own_file && combines(point) && point.op != "sum" &&
        !has_all_operands(one, program, config))
      return mesh::counted(elements, "element") + ": operands are missing in the result";
  }
  return {};
}

/// A program of the user's may name nodes that there are not, wait for nobody's message, or never end.
Verdict Cards::check(const Point& point) const {
  constexpr double most_seconds = 60;
  if (!point.row().own_file) return {.found = fault_of(point)};
  (void)machine_of(point, config_of(point)); // what is wrong with the machine is no fault of the algorithm
  return {.found = isolated(
              most_seconds, [&] { return fault_of(point); },
              [=] { return fmt::format("it does not end within {} s of host time", most_seconds); })};
}

Result Cards::measure(const Point& point) const {
  if (const std::string why = misfit(point); !why.empty()) throw mesh::UserError(why);
  const double before = thread_seconds();
  const Config config = config_of(point);
  const auto program = program_of(point, config);
  mesh::cluster::Machine machine(config, point.cores, number_of(point, "processes"), point.seed);
  const mesh::cluster::Series series = machine.repeat(program, vector_of(point),
                                                      {.repetitions = point.repetitions,
                                                       .timed_singly = point.timed_singly,
                                                       .in_flight = number_of(point, "in_flight")});
  Result result;
  result.of_ranks = false;
  result.max_us = result.mean_us = series.mean_us();
  result.digest = series.digest;
  result.simulated_repetitions = series.simulated;
  for (const mesh::Picoseconds time : series.times) result.repetitions_us.push_back(mesh::microseconds(time));
  result.checked = point.bytes * point.cores <= most_compared_bytes;
  if (result.checked) {
    mesh::cluster::Machine compared = machine_of(point, config);
    result.wrong_bytes = wrong_bytes(point, compared, program, 0);
  }
  if (result.wrong_bytes > 0) result.fault = Fault{.rank = 0, .repetition = 0, .wrong = result.wrong_bytes};
  result.host_us = (thread_seconds() - before) * 1e6 / point.repetitions;
  return result;
}

} // namespace lab
