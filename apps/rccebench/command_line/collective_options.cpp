// SPDX-License-Identifier: Apache-2.0
#include "command_line/collective_options.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/collective_results.hpp"
#include "lab.hpp"
#include "lab/messages.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"

namespace rccebench {
namespace {

/// Every combination of a value for each parameter; the last one changes first.
std::vector<std::map<std::string, std::string>>
combinations(const Row& row, const std::map<std::string, std::string>& asked) {
  std::vector<std::map<std::string, std::string>> all(1);
  for (const Parameter& parameter : row.parameters) {
    const auto text = asked.find(parameter.name);
    if (text == asked.end() || text->second.empty()) continue;
    std::vector<std::map<std::string, std::string>> longer;
    for (const auto& one : all)
      for (const std::string& value : read_values(parameter, text->second)) {
        longer.push_back(one);
        longer.back()[parameter.name] = value;
      }
    all = std::move(longer);
  }
  return all;
}

} // namespace

bool CollectiveOptions::runs_on_cards() const {
  return std::ranges::any_of(
      backends, [this](const auto& one) { return is_on_cards(one) && !one->rows_of(operation).empty(); });
}

std::vector<Parameter> CollectiveOptions::parameters() const {
  std::vector<Parameter> all;
  for (const auto& backend : backends)
    for (const Row* row : backend->rows_of(operation))
      for (const Parameter& one : row->parameters) {
        const std::string help = fmt::format("{} ({})", one.help, row->name);
        const auto known =
            std::find_if(all.begin(), all.end(), [&](const Parameter& p) { return p.name == one.name; });
        if (known == all.end()) {
          all.push_back(one);
          all.back().help = help;
        } else if (known->help.find(help) == std::string::npos) {
          known->help += "; " + help;
        }
      }
  return all;
}

namespace {

bool is_known(const std::string& operation) {
  return std::ranges::find(operations(), operation, &Operation::name) != operations().end();
}

std::string joined_names(const std::vector<std::shared_ptr<const Backend>>& backends) {
  std::vector<std::string_view> names;
  for (const auto& one : backends) names.push_back(one->name());
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Throws mesh::UserError where no algorithm of the back end does it, or none of those in the user's files.
void check_operation(const std::string& operation, const Backend& backend, const std::string& machine,
                     const std::vector<std::string>& files) {
  const auto does = [&](std::string_view name, bool own) {
    return std::ranges::any_of(backend.rows_of(name),
                               [own](const Row* row) { return !own || row->own_file; });
  };
  const auto operations_of = [&](bool own) {
    std::vector<std::string> known;
    for (const Operation& one : operations())
      if (does(one.name, own)) known.push_back(one.name);
    return known;
  };
  if (!does(operation, false))
    throw mesh::UserError(fmt::format("{}: machine '{}' has no algorithm of that; it has some of {}",
                                      operation, machine, fmt::join(operations_of(false), ", ")));
  if (const auto own = operations_of(true); !own.empty() && !does(operation, true))
    throw mesh::UserError(fmt::format("--with '{}': no algorithm of {}, so nothing of it would run; it has "
                                      "some of {}",
                                      fmt::join(files, "', '"), operation, fmt::join(own, ", ")));
}

/// Options and help follow from the machines that are asked for. One that there is not is told of later.
std::vector<std::shared_ptr<const Backend>> backends_for(const Command& command, Generation generation,
                                                         const std::string& standard) {
  const auto names = command.early("--machine"), files = command.early("--with");
  std::vector<std::shared_ptr<const Backend>> all;
  for (const std::string& name : cut(names.empty() ? standard : names.back(), ',')) {
    std::shared_ptr<const Backend> one;
    try {
      one = backend_of(lab::open_machine(name), files, generation);
    } catch (const mesh::UserError&) {
      if (!files.empty()) throw;
      continue;
    }
    if (std::ranges::find(all, one) == all.end()) all.push_back(std::move(one));
  }
  if (all.empty()) all.push_back(Messages::with(lab::files_for(lab::World::messages, files), generation));
  for (const std::string& file : files) {
    const lab::World world = lab::world_of(file);
    if (std::ranges::none_of(all, [world](const auto& one) { return one->takes_files_for(world); }))
      throw mesh::UserError(fmt::format("--with '{}': its rows are for {}, and the machines asked for run {}",
                                        file, lab::name(world), joined_names(all)));
  }
  return all;
}

} // namespace

void CollectiveOptions::add_operation_to(Command& command) {
  std::vector<std::string> names;
  for (const Operation& one : operations()) names.push_back(one.name);
  const std::string help = fmt::format("operation whose algorithms are compared: {}", fmt::join(names, ", "));
  command.option("--operation", operation, help)
      .one_of(std::move(names))
      .with_default_in_help()
      .tells(some_operation);
}

void CollectiveOptions::add_per_rank_to(Command& command) {
  if (is_known(operation) && facts().has_message)
    command.flag(
        "--per-rank", per_rank,
        "sizes count as in MPI and the OSU benchmarks: bytes of one rank's block of gather, scatter, "
        "allgather, alltoall and reduce_scatter; those of other operations stay as they are");
}

void CollectiveOptions::add_columns_to(Command& command) {
  if (is_known(operation) && facts().has_message)
    command
        .option("--bandwidth", bandwidth,
                "size: bytes by time; bus: as nccl-tests count it too, comparable between operations and "
                "numbers of ranks")
        .one_of({"size", "bus"})
        .with_default_in_help();
  command.flag(
      "--last", last,
      "a column of the table: how long after the median rank's end the last rank's is (CSV and JSON always "
      "have it)");
}

void CollectiveOptions::add_to(Command& command) {
  for (const std::string& word : command.early("--operation")) operation = word;
  const auto generations = command.early("--rcce");
  backends =
      backends_for(command, generation_of(generations.empty() ? rcce : generations.back()), common.machine);
  const bool on_cards = runs_on_cards();
  if (const auto usual = backends.front()->usual_sizes(); !usual.empty() && backends.size() == 1)
    sizes = usual;
  if (!is_known(operation)) return; // which is then refused
  // Its options are those of the operations that it has.
  command.before_refusal([this] {
    if (some_sizes && !elements.empty())
      throw mesh::UserError("--sizes and --elements: both say how long vectors are; give one of them");
    if (backends.size() == 1) check_operation(operation, *backends.front(), common.machine, files);
  });
  const auto known = chosen_algorithms();
  const Operation& what = facts();
  common.add_to(command);
  common.add_hosts_to(command);
  common.add_statistics_to(command);
  common.add_report_to(command);
  command
      .option(
          "--algorithms", algorithms,
          fmt::format("names, with or without '{}/' (default: all): {}", operation, fmt::join(known, ", ")))
      .not_blank();
  command.option(
      "--with", files,
      "C or C++ source of an algorithm of your own, which is run beside the others; may be repeated");
  command
      .option(on_cards ? "--cores,--nodes" : "--cores", cores,
              "numbers of cores, threads or nodes, for example 12,48, 2-48:2 or 64..1024. Cores are taken "
              "from 0 upwards, or in the order of -f")
      .with_default_in_help()
      .tells(some_cores);
  if (what.has_message)
    command
        .option("--sizes", sizes,
                fmt::format("bytes{}, for example 8192,190000 or 32-65536:x4",
                            what.has_blocks ? " of all ranks together" : ""))
        .with_default_in_help()
        .tells(some_sizes);
  if (what.combines && on_cards)
    command.option("--elements", elements,
                   "lengths of the vector in elements, instead of --sizes, for example 1,8 or 1..64");
  if (what.has_root)
    command.option("--root", root, "rank of the root")
        .between(0, static_cast<int>(most_program_cores) - 1)
        .with_default_in_help();
  for (const Parameter& parameter : parameters())
    command.option(parameter.option(), asked[parameter.name],
                   parameter.list ? fmt::format("{}: 4/4/3,2/2/2", parameter.help)
                       : parameter.words.empty()
                       ? fmt::format("{}: 4,8 or 2-8:2", parameter.help)
                       : fmt::format("{}: {}", parameter.help, fmt::join(parameter.words, ", ")));
  command
      .option("--limits", limits, "'column' beside the times, or 'terms': all reasons why it takes that long")
      .one_of({"column", "terms"})
      .with_default_in_help();
  command.flag(
      "--no-check", no_check,
      what.has_message
          ? "the algorithm is not tried before it is timed (calls in a row, ranks that come late), and "
            "cores do not read their buffers between repetitions, so lines that were never read stay "
            "uncached. What is timed is still compared, outside the simulation"
          : "the algorithm is not tried before it is timed (calls in a row, ranks that come late)");
  if (what.has_message)
    command
        .option(
            "--payload", payload,
            "moved, or none: copies of data longer than a line take their simulated time and move nothing. "
            "The times are the same, with less host time and memory; nothing is compared")
        .one_of({"moved", "none"})
        .with_default_in_help();
  if (what.combines) {
    command
        .option("--type", type,
                "type of the elements: int, long, float or double (also int32, int64, float32, float64)")
        .one_of({"int", "long", "float", "double", "int32", "int64", "float32", "float64"})
        .with_default_in_help();
    command.option("--op", op, "operator: sum, min, max or prod")
        .one_of({"sum", "min", "max", "prod"})
        .with_default_in_help();
  }
  command
      .option("--spread", spread,
              "delay of each core's arrival after the common release: none, uniform:MAX, beta:MAX,MEAN,SD "
              "(us), or a file with one line per repetition that holds the delays of all ranks. Times then "
              "begin at the last arrival and are means over the repetitions")
      .with_default_in_help();
  command.option("--seed", seed, "seed of the random delays of --spread and of a cluster's noise")
      .between(0, 2147483647)
      .with_default_in_help();
  command.option("--rcce", rcce, "generation of the library: 1.0 or 2.0")
      .one_of({"1.0", "2.0"})
      .with_default_in_help();
  command
      .option("--copies", copies,
              "copy routine of RCCE: own (1.0 plain, 2.0 prefetching), plain or prefetching")
      .one_of({"own", "plain", "prefetching"})
      .with_default_in_help();
  command
      .option("--warm-up", warm_up,
              "repetitions before the timed ones (default: 0 if cores read their buffers between "
              "repetitions, because the first repetition then takes as long as the others; else 1)")
      .between(0, 60);
  command.option("--repetitions", repetitions, "timed repetitions; the fastest counts")
      .between(1, 100000)
      .with_default_in_help()
      .tells(some_repetitions);
  common.add_sweep_to(command, &jobs);
}

std::vector<std::string> CollectiveOptions::chosen_algorithms(const Backend* of) const {
  std::vector<std::string_view> known;
  for (const auto& backend : backends)
    for (const std::string_view name : backend->names_of(operation))
      if (std::ranges::find(known, name) == known.end()) known.push_back(name);
  std::vector<std::string> chosen = algorithms.empty()
      ? std::vector<std::string>(known.begin(), known.end())
      : read_names(algorithms, "--algorithms", operation + "/", known);
  if (of == nullptr) return chosen;
  std::vector<std::string> own; // in its table's order, where nobody has given another
  const auto names = of->names_of(operation);
  if (algorithms.empty()) return {names.begin(), names.end()};
  std::ranges::copy_if(chosen, std::back_inserter(own), [&names](const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  });
  return own;
}

namespace {

/// How a machine that is a mesh becomes as large; nothing for others.
std::string larger_mesh(const mesh::MachineDescription& machine, int cores) {
  constexpr const char *columns = "mesh.columns", *per_tile = "mesh.cores_per_tile";
  if (!machine.has(columns) || !machine.has(per_tile)) return "";
  const int each = static_cast<int>(machine.number(per_tile)), tiles = (cores + each - 1) / each;
  const int wide = static_cast<int>(std::ceil(std::sqrt(tiles)));
  return fmt::format("; --set {}={} --set mesh.rows={} makes a mesh of as many", columns, wide,
                     (tiles + wide - 1) / wide);
}

/// The numbers of cores; where the benchmarks' programs run, those that they can be compiled for.
std::vector<std::int64_t> read_cores(const std::string& text, const Machine& machine, int available) {
  const std::int64_t most = machine.config.offers(mesh::Capability::message_buffers)
      ? std::max<std::int64_t>(most_program_cores, available)
      : std::numeric_limits<int>::max();
  return read_numbers(text, "--cores", 1, most, "cores");
}

} // namespace

std::string CollectiveOptions::element_type() const {
  const std::map<std::string, std::string> others{
      {"int32", "int"}, {"int64", "long"}, {"float32", "float"}, {"float64", "double"}};
  const auto other = others.find(type);
  return other == others.end() ? type : other->second;
}

std::vector<std::int64_t> CollectiveOptions::message_sizes() const {
  if (!facts().has_message) return {0};
  if (elements.empty()) return read_sizes(sizes, 0);
  std::vector<std::int64_t> bytes =
      read_numbers(elements, "--elements", 1, std::int64_t{1} << 27, "elements");
  for (std::int64_t& one : bytes) one *= element_bytes(element_type());
  return bytes;
}

std::vector<Point> CollectiveOptions::points_on(const std::shared_ptr<const Machine>& machine,
                                                const std::string& name,
                                                const std::vector<std::int64_t>& core_counts) const {
  const auto backend = backend_of(*machine, files, generation_of(rcce));
  if (!machine->config.offers(mesh::Capability::message_buffers) &&
      (common.statistics || !common.host_file.empty()))
    throw mesh::UserError(
        fmt::format("{}: machine '{}' has none; ask for it on a machine with message buffers",
                    common.statistics ? "--statistics" : "--hostfile", name));
  const auto lengths = message_sizes();
  const auto available = backend->most_ranks(*machine);
  for (const auto count : core_counts) {
    if (per_rank && facts().has_blocks)
      if (const auto most = *std::ranges::max_element(lengths); most > lab::largest_message / count)
        throw mesh::UserError(
            fmt::format("--sizes '{}' --per-rank: {} bytes for each of {} ranks are more than "
                        "the {} of all ranks that a message can have",
                        sizes, most, count, lab::largest_message));
    if (count > available && !is_on_cards(backend))
      throw mesh::UserError(fmt::format("--cores '{}': {} cores are out of range 1..{} of machine '{}'{}",
                                        cores, count, available, name,
                                        larger_mesh(machine->config, static_cast<int>(count))));
    if (root >= count)
      throw mesh::UserError(
          fmt::format("--root {}: out of range 0..{} of the ranks on {} cores", root, count - 1, count));
    (void)machine->first_cores(static_cast<int>(count)); // a host file with fewer is told of before any run
  }
  check_operation(operation, *backend, name, files);
  const auto names = chosen_algorithms(backend.get());
  for (const Parameter& known : parameters())
    if (const auto at = asked.find(known.name); at != asked.end() && !at->second.empty() &&
        backends.size() == 1 && std::ranges::none_of(names, [&](const std::string& one) {
                                                  return backend->row(one).parameter(known.name) != nullptr;
                                                }))
      throw mesh::UserError(fmt::format("{} '{}': no algorithm of {} has this option", known.option(),
                                        at->second, fmt::join(names, ", ")));
  if (facts().combines)
    for (const auto bytes : lengths)
      if (bytes % element_bytes(element_type()) != 0)
        throw mesh::UserError(fmt::format(
            "--sizes '{}': {} bytes are not a whole number of elements; an element of type {} has {} bytes",
            sizes, bytes, type, element_bytes(element_type())));
  const Spread arrivals(spread, static_cast<std::uint64_t>(seed));
  std::vector<Point> points;
  for (const std::string& algorithm : names)
    for (const auto count : core_counts)
      for (const auto length : lengths)
        for (const auto& values : combinations(backend->row(algorithm), asked))
          points.push_back({.machine = machine,
                            .machine_name = name,
                            .backend = backend,
                            .algorithm = algorithm,
                            .generation = generation_of(rcce),
                            .copies = copies,
                            .cores = static_cast<int>(count),
                            .bytes = length * (per_rank && facts().has_blocks ? count : 1),
                            .options = values,
                            .root = root,
                            .warm_up = warm_up,
                            .repetitions = repetitions,
                            .reads = !no_check,
                            .type = element_type(),
                            .op = op,
                            .spread = arrivals,
                            .seed = static_cast<std::uint64_t>(seed),
                            .statistics = common.statistics,
                            .checks = !no_check && payload == "moved",
                            .moves_payload = payload == "moved"});
  for (Point& point : points) {
    if (const std::string why = backend->misfit(point); !why.empty()) throw mesh::UserError(why);
    if (warm_up < 0) point.warm_up = backend->usual_warm_up(point);
    const bool asked_for = some_repetitions || repetitions != 1;
    point.repetitions = asked_for ? repetitions : backend->usual_repetitions(point);
  }
  return points;
}

std::vector<Point> CollectiveOptions::points_on(Machine one) const {
  const auto machine = std::make_shared<const Machine>(std::move(one));
  const auto backend = backend_of(*machine, files, generation_of(rcce));
  if (!some_cores && !machine->config.offers(mesh::Capability::message_buffers))
    return points_on(machine, machine->config.name(), {backend->usual_ranks(*machine).back()});
  auto counts = read_cores(cores, *machine, backend->most_ranks(*machine));
  if (!some_cores && *std::ranges::max_element(counts) > machine->config.cores())
    counts = {backend->usual_ranks(*machine).back()};
  return points_on(machine, machine->config.name(), counts);
}

std::vector<Point> CollectiveOptions::points() const {
  return points_on(open_machine(common));
}

std::vector<Point> CollectiveOptions::swept_points() const {
  std::vector<Point> points;
  for (const CommonOptions& one : each_machine(common))
    for (Point& point : points_on(open_machine(one))) points.push_back(std::move(point));
  refuse_without_messages(points);
  return points;
}

void CollectiveOptions::refuse_without_messages(const std::vector<Point>& points) const {
  if (points.empty() || Kinds::of(points).messages) return;
  const char* const option = rcce != usual_generation ? "--rcce"
      : copies != usual_copies                        ? "--copies"
                                                      : nullptr;
  if (option != nullptr)
    throw mesh::UserError(fmt::format("{} {}: it is of messages by RCCE, and on machine '{}' no algorithm "
                                      "passes any; leave it out",
                                      option, rcce != usual_generation ? rcce : copies,
                                      points.front().machine->config.name()));
}

std::vector<std::pair<std::string, std::string>>
CollectiveOptions::settings(const std::vector<Point>& points) const {
  std::vector<std::pair<std::string, std::string>> lines;
  const auto kinds = Kinds::of(points);
  std::vector<std::string> machines;
  for (const Point& point : points)
    if (const std::string one = point.machine->description();
        std::ranges::find(machines, one) == machines.end())
      machines.push_back(one);
  for (const std::string& one : points.empty() ? std::vector<std::string>{"-"} : machines) {
    lines.emplace_back(
        "machine", common.host_file.empty() ? one : fmt::format("{}; cores as in {}", one, common.host_file));
    if (!kinds.several_machines) break; // of a sweep over --set the first
  }
  if (const auto each = each_machine(common); each.size() > 1 && !kinds.several_machines)
    lines.emplace_back("set", text_of_set(each));
  if (kinds.messages) {
    const std::string own = copies != "own" ? copies
        : rcce == "1.0"                     ? "plain (default)"
                                            : "prefetching (default)";
    lines.emplace_back("library", fmt::format("RCCE {}, copies {}", rcce, own));
  }
  if (!files.empty()) lines.emplace_back("with", fmt::format("{}", fmt::join(files, ", ")));
  if (facts().has_root) lines.emplace_back("root", fmt::format("rank {}", root));
  if (facts().has_message && kinds.messages)
    lines.emplace_back("buffers",
                       no_check ? "not read between repetitions, so lines that are only written stay uncached"
                                : "each core reads its own buffer between repetitions");
  if (payload != "moved") lines.emplace_back("payload", "not moved");
  if (facts().combines) lines.emplace_back("elements", fmt::format("{}, {}", type, op));
  if (kinds.cards)
    lines.emplace_back("cluster",
                       fmt::format("mean of all repetitions; each call on cards includes a barrier, each "
                                   "call on hosts is followed by a "
                                   "barrier or a broadcast; seed {}",
                                   seed));
  const Spread arrivals(spread, static_cast<std::uint64_t>(seed));
  const bool spread_out = !arrivals.is_none();
  if (spread_out) lines.emplace_back("arrivals", arrivals.description());
  if (kinds.simulated && !kinds.only_cards()) {
    const auto simulated = std::ranges::find_if(
        points, [](const Point& one) { return !one.backend->takes_turns() && !is_on_cards(one.backend); });
    lines.emplace_back("repetitions",
                       fmt::format("{} timed, after {} for warm-up; {}",
                                   points.empty() ? repetitions : simulated->repetitions,
                                   points.empty() ? std::max(warm_up, 0) : simulated->warm_up,
                                   spread_out ? "their mean counts" : "the fastest counts"));
    lines.emplace_back("time",
                       fmt::format("simulated, from {} until each rank is done; the last rank's time counts",
                                   spread_out ? "the last arrival" : "the common release"));
  }
  if (facts().has_blocks)
    lines.emplace_back("sizes",
                       per_rank ? "given for one rank's block; Size has the bytes of all ranks together"
                                : "bytes of all ranks together; a rank's block is its share");
  else if (per_rank)
    lines.emplace_back("sizes", "each rank's already, --per-rank changes nothing");
  if (facts().has_message)
    lines.emplace_back("bandwidth",
                       bandwidth == "bus" ? fmt::format("size by time; bus: times {}, n ranks, as nccl-tests "
                                                        "count it",
                                                        bus_factor_text(facts()))
                                          : "size by time");
  if (kinds.wall_clock)
    lines.emplace_back(
        "host",
        "wall-clock time: median of several series of operations; the series of all algorithms take turns; "
        "a reduction includes the region around it");
  return lines;
}

} // namespace rccebench
