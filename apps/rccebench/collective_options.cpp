// SPDX-License-Identifier: Apache-2.0
#include "collective_options.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lists.hpp"
#include "mesh_sim/errors.hpp"
#include "rcce_emu/version.hpp"
#include "sweep.hpp"

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

/// The values of a parameter in a list, each as the program takes it.
std::vector<std::string> read_values(const Parameter& parameter, const std::string& text) {
  std::vector<std::string> values;
  if (parameter.words.empty()) {
    for (const auto number :
         read_numbers(text, parameter.option(), parameter.least, parameter.most, parameter.unit))
      values.push_back(std::to_string(number));
    return values;
  }
  const std::vector<std::string_view> known(parameter.words.begin(), parameter.words.end());
  return read_names(text, parameter.option(), "", known);
}

/// Every combination of a value for each parameter; the last one changes first.
std::vector<std::map<std::string, std::string>>
combinations(const Algorithm& row, const std::map<std::string, std::string>& asked) {
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
std::string text_of(const Collective& point, const Fault& fault) {
  std::string text = fmt::format("# wrong: {} on {} cores", point.algorithm, point.cores);
  if (point.operation().has_message) text += fmt::format(", {} bytes", point.bytes);
  if (point.operation().has_root) text += fmt::format(", root {}", point.root);
  text += fmt::format(": rank {}", fault.rank);
  if (!point.operation().has_message) return text + " left before the last one came";
  const bool only_root = point.operation().has_root && point.operation().combines;
  if (fault.of_operand == fault.wrong)
    text += " has its own operand changed:";
  else if (only_root && fault.rank != point.root)
    text += " is not the root and its target was written:";
  else
    text += " has";
  return text + fmt::format(" {} wrong bytes, the first of them byte {}", fault.wrong, fault.first);
}

/// Time by size, or where all have one size by number of cores: a line for each algorithm with its
/// parameters, and for each machine and number of cores where there are several.
Sparklines sparklines_of(const std::vector<Collective>& points,
                         const std::vector<std::optional<Timing>>& timings) {
  std::set<std::int64_t> sizes, cores;
  std::set<std::string> machines;
  for (const Collective& point : points) {
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
    const Collective& point = points[i];
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

std::vector<Parameter> CollectiveOptions::parameters() const {
  std::vector<Parameter> all;
  for (const Algorithm* row : catalogue->algorithms_of(operation))
    for (const Parameter& one : row->parameters) {
      const std::string help = fmt::format("{} ({})", one.help, row->name);
      const auto known =
          std::find_if(all.begin(), all.end(), [&](const Parameter& p) { return p.name == one.name; });
      if (known == all.end()) {
        all.push_back(one);
        all.back().help = help;
      } else {
        known->help += "; " + help;
      }
    }
  return all;
}

void CollectiveOptions::add_operation_to(Command& command) {
  std::vector<std::string> names;
  for (const Operation& one : catalogue->operations()) names.push_back(one.name);
  const std::string help = fmt::format("what to compare algorithms of: {}", fmt::join(names, ", "));
  command.option("--operation", operation, help).one_of(std::move(names)).with_default_in_help();
}

void CollectiveOptions::add_to(Command& command, const std::vector<std::string>& words) {
  for (const std::string& word : values_of(words, "--operation")) operation = word;
  const auto generations = values_of(words, "--rcce");
  catalogue = Catalogue::with(values_of(words, "--with"),
                              generation_of(generations.empty() ? rcce : generations.back()));
  const auto known = catalogue->names_of(operation);
  if (known.empty()) return; // a wrong --operation, which is then refused
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
      "a C or C++ source with an algorithm of your own, which takes part as the others do; repeatable");
  command.option("--cores", cores, "numbers of cores, the first ones of the chip or of -f: 12,48 or 2-48:2")
      .with_default_in_help();
  if (what.has_message)
    command.option("--sizes", sizes, "bytes: 8192,190000 or 32-65536:x4").with_default_in_help();
  if (what.has_root)
    command.option("--root", root, "rank of the root")
        .between(0, static_cast<int>(most_program_cores) - 1)
        .with_default_in_help();
  for (const Parameter& parameter : parameters())
    command.option(parameter.option(), asked[parameter.name],
                   parameter.words.empty()
                       ? fmt::format("{}: 4,8 or 2-8:2", parameter.help)
                       : fmt::format("{}: {}", parameter.help, fmt::join(parameter.words, ", ")));
  if (what.has_message)
    command.flag("--no-check", no_check,
                 "no core reads its buffer between repetitions: lines that were never read stay uncached "
                 "(bytes are compared all the same, outside the simulation)");
  if (what.combines) {
    command.option("--type", type, "of the elements: int, long, float or double")
        .one_of({"int", "long", "float", "double"})
        .with_default_in_help();
    command.option("--op", op, "operator: sum, min, max or prod")
        .one_of({"sum", "min", "max", "prod"})
        .with_default_in_help();
  }
  command
      .option("--spread", spread,
              "how much later than the common release each core arrives: none, uniform:MAX or "
              "beta:MAX,MEAN,SD in us, or "
              "a file with the us of all ranks on each line, one line per repetition; times are then from "
              "the last "
              "arrival, on the average of the repetitions")
      .with_default_in_help();
  command.option("--seed", seed, "of --spread: another number, other arrivals")
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
      .option(
          "--warm-up", warm_up,
          "repetitions before the timed ones (default: 0, for an operation that finds its buffer read takes "
          "as long the first time as every other; otherwise 1)")
      .between(0, 60);
  command.option("--repetitions", repetitions, "timed repetitions; the fastest counts")
      .between(1, 100000)
      .with_default_in_help();
  command.option("--jobs", jobs, "points simulated side by side (default: one per processor)")
      .between(1, most_jobs);
}

int CollectiveOptions::actual_warm_up() const {
  if (warm_up >= 0) return warm_up;
  // A reduction has memory of its own, which is not in the caches the first time.
  return facts().has_message && !facts().combines && !no_check ? 0 : 1;
}

std::vector<std::string> CollectiveOptions::chosen_algorithms() const {
  const auto known = catalogue->names_of(operation);
  if (algorithms.empty()) return {known.begin(), known.end()};
  return read_names(algorithms, "--algorithms", operation + "/", known);
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
std::vector<std::int64_t> read_cores(const std::string& text) {
  const auto counts = read_numbers(text, "--cores", 1, std::numeric_limits<int>::max(), "cores");
  const auto most = *std::max_element(counts.begin(), counts.end());
  if (most > most_program_cores)
    throw mesh::UserError(fmt::format("--cores '{}': {} cores are out of range 1..{}; rccebench cost --cores "
                                      "takes up to 10000",
                                      text, most, most_program_cores));
  return counts;
}

} // namespace

std::vector<Collective> CollectiveOptions::points_on(const std::shared_ptr<const Machine>& machine,
                                                     const std::string& name,
                                                     const std::vector<std::int64_t>& core_counts) const {
  const auto lengths = facts().has_message ? read_sizes(sizes, 0) : std::vector<std::int64_t>{0};
  const auto available = machine->config.cores();
  for (const auto count : core_counts) {
    if (count > available)
      throw mesh::UserError(fmt::format("--cores '{}': {} cores are out of range 1..{} of machine '{}'{}",
                                        cores, count, available, name,
                                        larger_mesh(machine->config, static_cast<int>(count))));
    if (root >= count)
      throw mesh::UserError(
          fmt::format("--root {}: out of range 0..{} of the ranks on {} cores", root, count - 1, count));
    (void)machine->first_cores(static_cast<int>(count)); // a host file with fewer is told of before any run
  }
  const auto names = chosen_algorithms();
  for (const auto& [parameter, text] : asked)
    if (!text.empty() && std::none_of(names.begin(), names.end(), [&](const std::string& one) {
          return catalogue->algorithm(one).parameter(parameter) != nullptr;
        }))
      throw mesh::UserError(
          fmt::format("option {} '{}': none of {} has it", parameter, text, fmt::join(names, ", ")));
  if (facts().combines)
    for (const auto bytes : lengths)
      if (bytes % element_bytes(type) != 0)
        throw mesh::UserError(
            fmt::format("--sizes '{}': {} bytes are no whole number of elements of type {}, which "
                        "have {} bytes",
                        sizes, bytes, type, element_bytes(type)));
  const Spread arrivals(spread, static_cast<std::uint64_t>(seed));
  std::vector<Collective> points;
  for (const std::string& algorithm : names)
    for (const auto count : core_counts)
      for (const auto bytes : lengths)
        for (const auto& values : combinations(catalogue->algorithm(algorithm), asked))
          points.push_back({.machine = machine,
                            .machine_name = name,
                            .catalogue = catalogue,
                            .algorithm = algorithm,
                            .generation = generation_of(rcce),
                            .copies = copies,
                            .cores = static_cast<int>(count),
                            .bytes = bytes,
                            .options = values,
                            .root = root,
                            .warm_up = actual_warm_up(),
                            .repetitions = repetitions,
                            .reads = !no_check,
                            .type = type,
                            .op = op,
                            .spread = arrivals,
                            .statistics = common.statistics});
  return points;
}

std::vector<Collective> CollectiveOptions::points_on(Machine one) const {
  const auto machine = std::make_shared<const Machine>(std::move(one));
  return points_on(machine, machine->config.name(), read_cores(cores));
}

std::vector<Collective> CollectiveOptions::points() const {
  return points_on(open_machine(common));
}

std::vector<Collective> CollectiveOptions::swept_points() const {
  std::vector<Collective> points;
  for (const CommonOptions& one : each_machine(common))
    for (Collective& point : points_on(open_machine(one))) points.push_back(std::move(point));
  return points;
}

std::vector<std::pair<std::string, std::string>>
CollectiveOptions::settings(const std::string& machine) const {
  const std::string own = copies != "own" ? copies
      : rcce == "1.0"                     ? "plain, the generation's own"
                                          : "prefetching, the generation's own";
  std::vector<std::pair<std::string, std::string>> lines{
      {"machine",
       common.host_file.empty() ? machine : fmt::format("{}; cores as in {}", machine, common.host_file)},
      {"library", fmt::format("RCCE {}, copies {}", rcce, own)}};
  if (!files.empty()) lines.emplace_back("with", fmt::format("{}", fmt::join(files, ", ")));
  if (facts().has_root) lines.emplace_back("root", fmt::format("rank {}", root));
  if (facts().has_message)
    lines.emplace_back("buffers",
                       no_check ? "never read: what is written only stays uncached"
                                : "every core reads its own between repetitions");
  if (facts().combines) lines.emplace_back("elements", fmt::format("{}, {}", type, op));
  const Spread arrivals(spread, static_cast<std::uint64_t>(seed));
  const bool spread_out = !arrivals.is_none();
  if (spread_out) lines.emplace_back("arrivals", arrivals.description());
  lines.emplace_back("repetitions",
                     fmt::format("{} after {} to warm up; {}", repetitions, actual_warm_up(),
                                 spread_out ? "their average counts" : "the fastest counts"));
  lines.emplace_back("time",
                     fmt::format("simulated, from {} to each rank's end; the last rank's is the operation's",
                                 spread_out ? "the last arrival" : "one release of all"));
  return lines;
}

Report collective_report(const std::string& title, const CollectiveOptions& options,
                         const std::vector<Collective>& points,
                         const std::vector<std::optional<Timing>>& timings) {
  Report report;
  report.title = fmt::format("rccebench {} {}", title, rcce::version_text);
  report.settings = options.settings(points.empty() ? "-" : points.front().machine->description());
  const auto parameters = parameters_of(points);
  report.table.columns =
      collective_columns(options.facts(), parameters, !points.empty() && !points.front().spread.is_none());
  std::size_t done = 0;
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!timings[i]) continue;
    ++done;
    wrong += timings[i]->wrong_bytes;
    report.table.rows.push_back(collective_row(points[i], *timings[i], parameters));
    if (!timings[i]->statistics.empty())
      report.statistics.emplace_back(points[i].run_name(), timings[i]->statistics);
    if (timings[i]->fault) report.notes.push_back(text_of(points[i], *timings[i]->fault));
  }
  report.sparklines = sparklines_of(points, timings);
  report.summary["points"] = done;
  report.summary["points_asked_for"] = points.size();
  report.summary["wrong_bytes"] = wrong;
  const std::string verdict =
      wrong != 0 ? fmt::format("{} {}", wrong, options.facts().wrong) : options.facts().right;
  report.notes.push_back(done == points.size() ? fmt::format("# {} points, {}", done, verdict)
                                               : fmt::format("# interrupted: {} of {} points, {}", done,
                                                             points.size(), verdict));
  return report;
}

Outcome outcome_of(Report report) {
  const int wrong = report.summary["wrong_bytes"] == 0 ? 0 : 1;
  return {std::move(report), interrupted_status() != 0 ? interrupted_status() : wrong};
}

} // namespace rccebench
