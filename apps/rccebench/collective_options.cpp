#include "collective_options.hpp"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lists.hpp"
#include "mesh_sim/errors.hpp"
#include "rcce_emu/version.hpp"
#include "sweep.hpp"

namespace rccebench {
namespace {

using algorithms::Operation;

/// A list of part sizes, or just the default, which is 0.
std::vector<std::int64_t> sizes_or_default(const std::string& text, const char* option, bool applies) {
  if (!applies || text.empty()) return {0};
  return read_numbers(text, option, 1, std::int64_t{1} << 30, "bytes");
}

} // namespace

std::vector<std::string_view> names_of(Operation operation) {
  std::vector<std::string_view> names;
  for (const algorithms::Algorithm& entry : algorithms::table())
    if (entry.operation == operation) names.push_back(entry.name);
  return names;
}

void CollectiveOptions::add_to(Command& command) {
  const bool bcast = operation == Operation::bcast;
  common.add_to(command);
  command.option("--algorithms", algorithms,
                 fmt::format("names, as {} (default: all): {}", bcast ? "cube,dopl" : "linear,tree",
                             fmt::join(names_of(operation), ", ")));
  command.option("--cores", cores, "numbers of cores, the first ones of the chip: 12,48 or 2-48:2")
      .with_default_in_help();
  if (bcast) {
    command.option("--sizes", sizes, "bytes: 8192,190000 or 32-65536:x4").with_default_in_help();
    command.option("--root", root, "rank of the root")
        .between(0, static_cast<int>(most_program_cores) - 1)
        .with_default_in_help();
    command.option("--part-bytes", part_bytes, "part sizes (default: each algorithm's own)");
    command.option("--pipe-bytes", pipe_bytes, "sizes of a piece inside a part, where there are such");
    command.option("--line-order", line_order, "order of a line (bcast/dopl): ring, folded or neighbour")
        .one_of({"ring", "folded", "neighbour"});
    command
        .option("--stages", stages,
                "MPBs that hold the message on its way (bcast/staged_pull), one per rank at most")
        .between(1, static_cast<int>(most_program_cores));
    command.flag("--no-check", no_check,
                 "no core reads its buffer between repetitions: lines that were never read stay uncached "
                 "(bytes are compared all the same, outside the simulation)");
  }
  command
      .option("--fan-out", fan_out,
              bcast ? "children of a node (bcast/oc_tree)"
                    : "children of a node (barrier/tree, barrier/atomic_counter), partners of a round "
                      "(barrier/dissemination)")
      .between(1, 64);
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
          "repetitions before the timed ones (default: 0, for a broadcast that finds its buffer read takes "
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
  return operation == Operation::bcast && !no_check ? 0 : 1;
}

std::vector<std::string> CollectiveOptions::chosen_algorithms() const {
  const auto known = names_of(operation);
  if (algorithms.empty()) return {known.begin(), known.end()};
  return read_names(algorithms, "--algorithms", operation == Operation::bcast ? "bcast/" : "barrier/", known);
}

std::vector<Collective> CollectiveOptions::points_on(const std::shared_ptr<const Machine>& machine,
                                                     const std::string& name,
                                                     const std::vector<std::int64_t>& core_counts) const {
  const auto lengths = operation == Operation::bcast ? read_sizes(sizes, 0) : std::vector<std::int64_t>{0};
  const auto available = machine->config.cores();
  for (const auto count : core_counts) {
    if (count > available)
      throw mesh::UserError(fmt::format("--cores '{}': {} cores are out of range 1..{} of machine '{}'",
                                        cores, count, available, name));
    if (root >= count)
      throw mesh::UserError(
          fmt::format("--root {}: out of range 0..{} of the ranks on {} cores", root, count - 1, count));
  }
  std::vector<Collective> points;
  for (const std::string& algorithm : chosen_algorithms()) {
    const algorithms::Algorithm& entry = *algorithms::find(algorithm);
    for (const auto count : core_counts)
      for (const auto bytes : lengths)
        for (const auto part : sizes_or_default(part_bytes, "--part-bytes", entry.part_bytes > 0))
          for (const auto pipe : sizes_or_default(pipe_bytes, "--pipe-bytes", entry.pipe_bytes > 0))
            points.push_back({.machine = machine,
                              .machine_name = name,
                              .operation = operation,
                              .algorithm = algorithm,
                              .generation = generation_of(rcce),
                              .copies = copies,
                              .cores = static_cast<int>(count),
                              .bytes = bytes,
                              .part_bytes = part,
                              .pipe_bytes = pipe,
                              .fan_out = fan_out,
                              .stages = stages,
                              .line_order = line_order,
                              .root = root,
                              .warm_up = actual_warm_up(),
                              .repetitions = repetitions,
                              .reads = !no_check});
  }
  return points;
}

std::vector<Collective> CollectiveOptions::points() const {
  std::vector<Collective> points;
  for (Machine& one : open_machines(common)) {
    const auto machine = std::make_shared<const Machine>(std::move(one));
    for (Collective& point : points_on(machine, machine->config.name(),
                                       read_numbers(cores, "--cores", 1, most_program_cores, "cores")))
      points.push_back(std::move(point));
  }
  return points;
}

std::vector<std::pair<std::string, std::string>>
CollectiveOptions::settings(const std::string& machine) const {
  const std::string own = copies != "own" ? copies
      : rcce == "1.0"                     ? "plain, the generation's own"
                                          : "prefetching, the generation's own";
  std::vector<std::pair<std::string, std::string>> lines{
      {"machine", machine}, {"library", fmt::format("RCCE {}, copies {}", rcce, own)}};
  if (operation == Operation::bcast) {
    lines.emplace_back("root", fmt::format("rank {}", root));
    lines.emplace_back("buffers",
                       no_check ? "never read: what is written only stays uncached"
                                : "every core reads its own between repetitions");
  }
  lines.emplace_back(
      "repetitions",
      fmt::format("{} after {} to warm up; the fastest counts", repetitions, actual_warm_up()));
  lines.emplace_back(
      "time", "simulated, from one release of all to each rank's end; the last rank's is the operation's");
  return lines;
}

Report collective_report(const std::string& title, const CollectiveOptions& options,
                         const std::vector<Collective>& points,
                         const std::vector<std::optional<Timing>>& timings) {
  Report report;
  report.title = fmt::format("rccebench {} {}", title, rcce::version_text);
  report.settings = options.settings(points.empty() ? "-" : points.front().machine->description());
  report.table.columns = collective_columns();
  std::size_t done = 0;
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!timings[i]) continue;
    ++done;
    wrong += timings[i]->wrong_bytes;
    report.table.rows.push_back(collective_row(points[i], *timings[i]));
  }
  report.summary["points"] = done;
  report.summary["points_asked_for"] = points.size();
  report.summary["wrong_bytes"] = wrong;
  const std::string verdict = wrong != 0
      ? fmt::format("{} {}", wrong,
                    options.operation == Operation::bcast ? "bytes arrived wrong" : "ranks left too early")
      : options.operation == Operation::bcast ? "every byte compared on every rank: correct"
                                              : "no rank left before the last one came: correct";
  report.notes.push_back(done == points.size() ? fmt::format("# {} points, {}", done, verdict)
                                               : fmt::format("# interrupted: {} of {} points, {}", done,
                                                             points.size(), verdict));
  return report;
}

Status finish(Report report, const CommonOptions& common) {
  write(report, common.format, common.file);
  if (interrupted_status() != 0) return interrupted_status();
  return report.summary["wrong_bytes"] == 0 ? 0 : 1;
}

} // namespace rccebench
