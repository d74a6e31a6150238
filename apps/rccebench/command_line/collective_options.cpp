// SPDX-License-Identifier: Apache-2.0
#include "command_line/collective_options.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab.hpp"
#include "lab/cards.hpp"
#include "lab/messages.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench {
namespace {

/// What the command line gives an option before it is parsed: each "--with FILE" or "--with=FILE".
std::vector<std::string> values_of(const std::vector<std::string>& words, const std::string& option) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == option && i + 1 < words.size())
      values.push_back(words[i + 1]);
    else if (words[i].starts_with(option + "="))
      values.push_back(words[i].substr(option.size() + 1));
  return values;
}

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

/// "# wrong: ...": where the first fault of a point is.
std::string text_of(const Point& point, const Fault& fault) {
  return fmt::format("# wrong: {}: {}", point.title(), lab::text_of(fault, point.operation(), point.root));
}

/// Time by size, or where all have one size by number of cores: a line for each algorithm with its
/// parameters, and for each machine and number of cores where there are several.
Sparklines sparklines_of(const std::vector<Point>& points,
                         const std::vector<std::optional<Result>>& timings) {
  std::set<std::int64_t> sizes, cores;
  std::set<std::string> machines;
  for (const Point& point : points) {
    sizes.insert(point.bytes);
    cores.insert(point.cores);
    machines.insert(point.machine_name);
  }
  const bool by_size = sizes.size() > 1;
  const std::set<std::int64_t>& along = by_size ? sizes : cores;
  Sparklines curves;
  if (along.size() < 2) return curves;
  curves.over = fmt::format("{} {} from {} to {}", along.size(), by_size ? "sizes" : "numbers of cores",
                            *along.begin(), *along.rbegin()) +
      (by_size ? " bytes" : "");
  curves.unit = "us";
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    std::string name = point.algorithm;
    if (const std::string asked = point.asked_text(); !asked.empty()) name += " " + asked;
    if (machines.size() > 1) name = point.machine_name + " " + name;
    if (by_size && cores.size() > 1) name += fmt::format(", {} cores", point.cores);
    auto line = std::find_if(curves.lines.begin(), curves.lines.end(),
                             [&](const auto& one) { return one.first == name; });
    if (line == curves.lines.end())
      line = curves.lines.insert(line, {name, std::vector<double>(along.size())});
    const auto place = std::distance(along.begin(), along.find(by_size ? point.bytes : point.cores));
    if (timings[i]) line->second[static_cast<std::size_t>(place)] = timings[i]->max_us;
  }
  return curves;
}

} // namespace

bool is_given(const std::vector<std::string>& words, const std::string& option) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return word == option || word.starts_with(option + "=");
  });
}

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

Generation generation_of_words(const std::vector<std::string>& words, const std::string& standard) {
  const auto generations = values_of(words, "--rcce");
  return generation_of(generations.empty() ? standard : generations.back());
}

std::string joined_names(const std::vector<std::shared_ptr<const Backend>>& backends) {
  std::vector<std::string_view> names;
  for (const auto& one : backends) names.push_back(one->name());
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Throws mesh::UserError where no algorithm of the back end does it.
void check_operation(const std::string& operation, const Backend& backend, const std::string& machine) {
  if (!backend.rows_of(operation).empty()) return;
  std::vector<std::string> known;
  for (const Operation& one : operations())
    if (!backend.rows_of(one.name).empty()) known.push_back(one.name);
  throw mesh::UserError(fmt::format("{}: machine '{}' has no algorithm of that; it has some of {}", operation,
                                    machine, fmt::join(known, ", ")));
}

/// Options and help follow from the machines that are asked for. One that there is not is told of later.
std::vector<std::shared_ptr<const Backend>> backends_for(const std::vector<std::string>& words,
                                                         Generation generation, const std::string& standard) {
  auto names = values_of(words, "--machine");
  const auto files = values_of(words, "--with");
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
  command.option("--operation", operation, help).one_of(std::move(names)).with_default_in_help();
}

void CollectiveOptions::add_to(Command& command, const std::vector<std::string>& words) {
  for (const std::string& word : values_of(words, "--operation")) operation = word;
  backends = backends_for(words, generation_of_words(words, rcce), common.machine);
  some_cores = is_given(words, "--cores") || is_given(words, "--nodes");
  some_repetitions = is_given(words, "--repetitions");
  const bool on_cards = runs_on_cards();
  if (const auto usual = backends.front()->usual_sizes(); !usual.empty() && backends.size() == 1)
    sizes = usual;
  if (!is_known(operation)) return; // which is then refused
  if (is_given(words, "--sizes") && is_given(words, "--elements"))
    throw mesh::UserError("--sizes and --elements: both say how long vectors are; give one of them");
  // Its options are those of the operations that it has.
  command.before_refusal([this] {
    if (backends.size() == 1) check_operation(operation, *backends.front(), common.machine);
  });
  const auto known = chosen_algorithms();
  const Operation& what = facts();
  common.add_to(command);
  common.add_hosts_to(command);
  common.add_statistics_to(command);
  common.add_report_to(command);
  command.option(
      "--algorithms", algorithms,
      fmt::format("names, with or without '{}/' (default: all): {}", operation, fmt::join(known, ", ")));
  command.option(
      "--with", files,
      "C or C++ source of an algorithm of your own, which is run beside the others; may be repeated");
  command
      .option(on_cards ? "--cores,--nodes" : "--cores", cores,
              "numbers of cores, threads or nodes, for example 12,48, 2-48:2 or 64..1024. Cores are taken "
              "from 0 upwards, or in the order of -f")
      .with_default_in_help();
  if (what.has_message)
    command
        .option("--sizes", sizes,
                fmt::format("bytes{}, for example 8192,190000 or 32-65536:x4",
                            what.has_blocks ? " of all ranks together" : ""))
        .with_default_in_help();
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
      .with_default_in_help();
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

/// The numbers of cores that programs can be compiled for.
std::vector<std::int64_t> read_cores(const std::string& text, int available) {
  const auto counts = read_numbers(text, "--cores", 1, std::numeric_limits<int>::max(), "cores");
  const auto most = *std::max_element(counts.begin(), counts.end());
  if (most > std::max<std::int64_t>(most_program_cores, available))
    throw mesh::UserError(fmt::format(
        "--cores '{}': {} cores are out of range 1..{}, which the benchmarks' programs are compiled for",
        text, most, most_program_cores));
  return counts;
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
    if (count > available && !is_on_cards(backend))
      throw mesh::UserError(fmt::format("--cores '{}': {} cores are out of range 1..{} of machine '{}'{}",
                                        cores, count, available, name,
                                        larger_mesh(machine->config, static_cast<int>(count))));
    if (root >= count)
      throw mesh::UserError(
          fmt::format("--root {}: out of range 0..{} of the ranks on {} cores", root, count - 1, count));
    (void)machine->first_cores(static_cast<int>(count)); // a host file with fewer is told of before any run
  }
  check_operation(operation, *backend, name);
  const auto names = chosen_algorithms(backend.get());
  for (const auto& [parameter, text] : asked)
    if (!text.empty() && backends.size() == 1 &&
        std::none_of(names.begin(), names.end(), [&](const std::string& one) {
          return backend->row(one).parameter(parameter) != nullptr;
        }))
      throw mesh::UserError(fmt::format("option {} '{}': no algorithm of {} has this option", parameter, text,
                                        fmt::join(names, ", ")));
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
      for (const auto bytes : lengths)
        for (const auto& values : combinations(backend->row(algorithm), asked))
          points.push_back({.machine = machine,
                            .machine_name = name,
                            .backend = backend,
                            .algorithm = algorithm,
                            .generation = generation_of(rcce),
                            .copies = copies,
                            .cores = static_cast<int>(count),
                            .bytes = bytes,
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
    point.repetitions = std::max(asked_for ? repetitions : backend->usual_repetitions(point),
                                 backend->least_repetitions(point));
  }
  return points;
}

std::vector<Point> CollectiveOptions::points_on(Machine one) const {
  const auto machine = std::make_shared<const Machine>(std::move(one));
  const auto backend = backend_of(*machine, files, generation_of(rcce));
  if (!some_cores && !machine->config.offers(mesh::Capability::message_buffers))
    return points_on(machine, machine->config.name(), {backend->usual_ranks(*machine).back()});
  auto counts = read_cores(cores, backend->most_ranks(*machine));
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
  return points;
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
    lines.emplace_back("sizes", "bytes of all ranks together; a rank's block is its share");
  if (facts().has_message) lines.emplace_back("bandwidth", "size by time");
  if (kinds.wall_clock)
    lines.emplace_back(
        "host",
        "wall-clock time: median of several series of operations; the series of all algorithms take turns; "
        "a reduction includes the region around it");
  return lines;
}

bool is_by_messages(const Point& point) {
  return point.machine->config.offers(mesh::Capability::message_buffers);
}

bool is_on_cards(const std::shared_ptr<const Backend>& backend) {
  return std::dynamic_pointer_cast<const lab::Cards>(backend) != nullptr;
}

Kinds Kinds::of(const std::vector<Point>& points) {
  Kinds kinds{.simulated = points.empty(), .messages = points.empty()};
  for (const Point& point : points) {
    (point.backend->takes_turns() ? kinds.wall_clock : kinds.simulated) = true;
    kinds.messages = kinds.messages || is_by_messages(point);
    if (!point.backend->takes_turns()) (is_on_cards(point.backend) ? kinds.cards : kinds.ranks) = true;
    kinds.spread = kinds.spread || !point.spread.is_none();
    kinds.limits = kinds.limits || !point.backend->limit(point).terms.empty();
    kinds.several_machines = kinds.several_machines || point.backend != points.front().backend;
  }
  return kinds;
}

Distribution distribution_of(const Result& result) {
  Distribution all;
  if (result.repetitions_us.empty()) return all;
  const auto [least, most] = std::ranges::minmax_element(result.repetitions_us);
  all.least = *least;
  all.most = *most;
  double mean = 0, squares = 0;
  const auto count = static_cast<double>(result.repetitions_us.size());
  for (const double us : result.repetitions_us) mean += us / count;
  for (const double us : result.repetitions_us) squares += (us - mean) * (us - mean);
  all.deviation = std::sqrt(squares / count);
  return all;
}

std::vector<Parameter> parameters_of(const std::vector<Point>& points) {
  std::vector<Parameter> all;
  for (const Point& point : points)
    for (const Parameter& one : point.row().parameters)
      if (std::none_of(all.begin(), all.end(),
                       [&](const Parameter& known) { return known.name == one.name; }))
        all.push_back(one);
  return all;
}

std::vector<Column> collective_columns(const Operation& operation, const std::vector<Parameter>& parameters,
                                       const Kinds& kinds) {
  std::vector<Column> columns{{"algorithm", "", 0}, {"machine", "", 0}, {"cores", "", 0}};
  const auto add = [&](bool wanted, std::initializer_list<const char*> names, int decimals) {
    for (const char* name : names)
      if (wanted) columns.push_back({name, "", decimals});
  };
  add(operation.has_message, {"bytes"}, 0);
  add(operation.combines, {"elements", "type", "op"}, 0);
  add(kinds.simulated, {"simulated_us_min", "simulated_us_avg", "simulated_us_max", "simulated_us_mean"}, 3);
  add(kinds.limits, {"limit_us"}, 3);
  add(kinds.limits, {"of_limit_percent"}, 1);
  add(kinds.wall_clock, {"wall_us_median", "wall_us_lower_quartile", "wall_us_upper_quartile"}, 3);
  add(kinds.cards, {"repetitions", "simulated_repetitions"}, 0);
  add(kinds.cards, {"deviation_us", "least_us", "most_us"}, 3);
  add(kinds.cards, {"digest"}, 0);
  add(kinds.spread, {"simulated_us_spent"}, 3);
  add(true, {"host_us", "correct"}, 0);
  add(kinds.messages, {"rcce", "copies"}, 0);
  add(operation.has_root, {"root"}, 0);
  for (const Parameter& parameter : parameters) columns.push_back({parameter.column(), "", 0});
  add(kinds.ranks, {"last_rank"}, 0);
  add(operation.has_message, {"bandwidth_mib_per_s"}, 2);
  return columns;
}

Cell bandwidth_of(const Point& point, const Result& result) {
  constexpr double bytes_per_us_in_mib_per_s = 1.048576;
  return result.found.empty() && result.max_us > 0
      ? Cell{static_cast<double>(point.bytes) / result.max_us / bytes_per_us_in_mib_per_s}
      : Cell{};
}

Cell last_rank_of(const Result& result) {
  return result.last_rank >= 0 ? Cell{std::int64_t{result.last_rank}} : Cell{};
}

std::vector<Cell> collective_row(const Point& what, const Result& timing,
                                 const std::vector<Parameter>& parameters, const Kinds& kinds) {
  std::vector<Cell> row{what.algorithm, what.machine_name, std::int64_t{what.cores}};
  const auto add = [&](bool wanted, bool there, std::initializer_list<Cell> cells) {
    for (const Cell& cell : cells)
      if (wanted) row.push_back(there ? cell : Cell{});
  };
  const Operation& operation = what.operation();
  add(operation.has_message, true, {what.bytes});
  add(operation.combines, true, {what.elements(), what.type, what.op});
  const auto of_rank = [&timing](double us) { return timing.of_ranks ? Cell{us} : Cell{}; };
  const bool timed = timing.found.empty();
  add(kinds.simulated, timed && !timing.wall_clock,
      {of_rank(timing.min_us), of_rank(timing.avg_us), timing.max_us, timing.mean_us});
  if (kinds.limits)
    for (Cell& cell : limit_cells(what, timing.max_us)) row.push_back(std::move(cell));
  add(kinds.wall_clock, timed && timing.wall_clock, {timing.max_us, timing.lower_us, timing.upper_us});
  const bool on_cards = timed && is_on_cards(what.backend);
  const auto times = distribution_of(timing);
  add(kinds.cards, on_cards, {std::int64_t{what.repetitions}, timing.simulated_repetitions});
  add(kinds.cards, on_cards, {times.deviation, times.least, times.most});
  add(kinds.cards, on_cards, {fmt::format("{:016x}", timing.digest)});
  add(kinds.spread, timing.of_ranks, {timing.spent_us});
  add(true, true, {timed ? Cell{timing.host_us} : Cell{}, correctness_of(what, timing)});
  add(kinds.messages, is_by_messages(what), {std::string(text_of(what.generation)), what.copies});
  add(operation.has_root, true, {std::int64_t{what.root}});
  for (const Parameter& parameter : parameters) {
    const Parameter* own = what.row().parameter(parameter.name);
    const std::string value = own != nullptr ? what.value(*own) : "";
    const bool number = own != nullptr && own->words.empty() && !own->list;
    row.push_back(value.empty() ? Cell{} : number ? Cell{std::int64_t{std::stoll(value)}} : Cell{value});
  }
  add(kinds.ranks, true, {last_rank_of(timing)});
  add(operation.has_message, true, {bandwidth_of(what, timing)});
  return row;
}

void tell_found(const Point& point, const std::string& found, std::vector<std::string>& notes) {
  constexpr int most_lines = 8;
  std::istringstream in(found);
  std::string line;
  std::getline(in, line);
  notes.push_back(fmt::format("# wrong: {} on {} cores: {}", point.algorithm, point.cores, line));
  for (int lines = 0; lines < most_lines && std::getline(in, line); ++lines) notes.push_back("#   " + line);
}

bool is_below_limit(const Point& point, const Result& result) {
  constexpr double rounding = 1 + 1e-9;
  const lab::Limit limit = point.backend->limit(point);
  return result.found.empty() && !limit.terms.empty() && result.max_us * rounding < limit.binding().us;
}

bool is_right(const Point& point, const Result& result) {
  return result.wrong_bytes == 0 && !is_below_limit(point, result);
}

Cell correctness_of(const Point& point, const Result& result) {
  return result.checked || !is_right(point, result) ? Cell{is_right(point, result)} : Cell{};
}

std::string check_text(const Point& point, const Result& result) {
  return result.wrong_bytes != 0      ? "wrong"
      : is_below_limit(point, result) ? "below limit"
      : !result.checked               ? "-"
      : result.explored               ? "explored"
                                      : "ok";
}

std::vector<Cell> limit_cells(const Point& point, double us) {
  const lab::Limit limit = point.backend->limit(point);
  if (limit.terms.empty()) return {Cell{}, Cell{}};
  const double least = limit.binding().us;
  return {least, us > 0 ? Cell{least / us * 100} : Cell{}};
}

void add_limit_columns(Table& table, int digits) {
  table.columns.push_back({"Limit", "us", digits});
  table.columns.push_back({"Of limit", "%", 1});
}

void add_limit_terms(Report& report, const CollectiveOptions& options, const std::vector<Point>& points) {
  if (options.limits != "terms") return;
  Table table{"what no algorithm can undercut, us, and why: the largest binds (algorithms/LIMITS.md)",
              {{"Machine", "", 0}, {"Cores", "", 0}, {"Size", "bytes", 0}, {"Root", "", 0}},
              {}};
  std::set<std::tuple<std::string, int, std::int64_t, int>> told;
  for (const Point& point : points) {
    const lab::Limit limit = point.backend->limit(point);
    if (limit.terms.empty() || !told.emplace(point.machine_name, point.cores, point.bytes, point.root).second)
      continue;
    if (table.rows.empty()) {
      for (const lab::LimitTerm& term : limit.terms) table.columns.push_back({std::string(term.name), "", 2});
      table.columns.push_back({"Binds", "", 0});
    }
    std::vector<Cell> row{point.machine_name, std::int64_t{point.cores}, point.bytes,
                          std::int64_t{point.root}};
    for (const lab::LimitTerm& term : limit.terms) row.emplace_back(term.us);
    row.emplace_back(std::string(limit.binding().name));
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty())
    report.notes.push_back(
        "# --limits: none is known for this machine, or for ranks that do not arrive together");
  else
    report.views.push_back(std::move(table));
}

Report collective_report(const std::string& title, const CollectiveOptions& options,
                         const std::vector<Point>& points,
                         const std::vector<std::optional<Result>>& timings) {
  Report report;
  report.title = fmt::format("rccebench {} {}", title, rcce::version_text);
  report.settings = options.settings(points);
  const auto parameters = parameters_of(points);
  const auto kinds = Kinds::of(points);
  report.table.columns = collective_columns(options.facts(), parameters, kinds);
  std::size_t done = 0;
  std::int64_t wrong = 0;
  std::size_t below = 0;
  std::set<std::string> told; // of the points of one algorithm once
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!timings[i]) continue;
    ++done;
    wrong += timings[i]->wrong_bytes;
    report.table.rows.push_back(collective_row(points[i], *timings[i], parameters, kinds));
    if (timings[i]->statistics != nullptr)
      report.statistics.emplace_back(points[i].run_name(), timings[i]->statistics);
    if (timings[i]->fault) report.notes.push_back(text_of(points[i], *timings[i]->fault));
    if (is_below_limit(points[i], *timings[i])) {
      ++below;
      report.notes.push_back(fmt::format(
          "# wrong: {}: {:.3f} us, and no algorithm can do it in less than {:.3f}: either the algorithm or "
          "the "
          "limit is wrong (--limits terms says what binds, algorithms/LIMITS.md why)",
          points[i].title(), timings[i]->max_us, points[i].backend->limit(points[i]).binding().us));
    }
    if (const std::string& found = timings[i]->found; !found.empty() && told.insert(found).second)
      tell_found(points[i], found, report.notes);
  }
  report.sparklines = sparklines_of(points, timings);
  report.summary["points"] = done;
  report.summary["points_asked_for"] = points.size();
  report.summary["wrong_bytes"] = wrong;
  report.summary["below_limit"] = below;
  const auto refuted = std::ranges::count_if(
      timings, [](const std::optional<Result>& one) { return one && !one->found.empty(); });
  std::string verdict = refuted > 0 ? fmt::format("{} not timed: the algorithm is wrong", refuted)
      : below > 0                   ? fmt::format("{} below their limit", below)
      : options.payload != "moved"  ? "payload: not moved"
      : wrong != 0                  ? fmt::format("{} {}", wrong, options.facts().wrong)
      : kinds.only_cards()          ? "every element of the result compared: correct"
                                    : options.facts().right;
  if (const auto unchecked = std::ranges::count_if(
          timings, [](const std::optional<Result>& one) { return one && !one->checked; });
      unchecked > 0 && options.payload == "moved")
    verdict += fmt::format("; {} points are too large to be compared", unchecked);
  report.notes.push_back(done == points.size()
                             ? fmt::format("# {} points, {}", done, verdict)
                             : fmt::format("# {}: {} of {} points, {}",
                                           interrupted_status() != 0 ? "interrupted" : "a shard", done,
                                           points.size(), verdict));
  return report;
}

Outcome outcome_of(Report report) {
  const int wrong = report.summary["wrong_bytes"] == 0 && report.summary.value("below_limit", 0) == 0 ? 0 : 1;
  return {std::move(report), interrupted_status() != 0 ? interrupted_status() : wrong};
}

} // namespace rccebench
