// SPDX-License-Identifier: Apache-2.0
// rccebench explore: every interleaving of an algorithm in shared memory, for a few threads; a fault comes
// with the schedule that shows it, which --replay tells step by step.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdexcept>

#include "algorithms/explore/rows.hpp"
#include "command_line/commands.hpp"
#include "lab.hpp"
#include "lab/own_files.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/progress.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench {
namespace {

namespace explore = algorithms::explore;

constexpr int most_threads = 8, most_operations = 100;

struct ExploreOptions {
  CommonOptions common;
  std::string algorithms, threads = "2,3", replay;
  std::vector<std::string> files;
  int operations = 2, states = 20;
};

/// The rows to explore: if there are files of the user's, those alone unless others are named.
std::vector<explore::Row> chosen_rows(const ExploreOptions& options) {
  for (const std::string& file : options.files)
    if (const lab::World world = lab::world_of(file); world != lab::World::memory)
      throw mesh::UserError(
          fmt::format("--with '{}': its algorithms are for {}; explored are those in shared "
                      "memory (algorithms/in_memory/own.hpp)",
                      file, lab::name(world)));
  lab::load_own_files(options.files);
  std::vector<explore::Row> all = explore::own_rows(), chosen;
  if (!options.files.empty() && options.algorithms.empty()) return all;
  all.insert(all.end(), explore::rows().begin(), explore::rows().end());
  if (options.algorithms.empty()) {
    std::ranges::copy_if(all, std::back_inserter(chosen),
                         [](const explore::Row& row) { return !row.mistake; });
    return chosen;
  }
  std::vector<std::string_view> known;
  for (const explore::Row& row : all) known.emplace_back(row.name);
  for (const std::string& name : read_names(options.algorithms, "--algorithms", "", known))
    chosen.push_back(*std::ranges::find(all, name, &explore::Row::name));
  return chosen;
}

Report report_on(const ExploreOptions& options) {
  Report report;
  report.title = fmt::format("rccebench explore {}", rcce::version_text);
  report.settings = {{"operations", fmt::format("{}", options.operations)},
                     {"orders", "sequential consistency; all interleavings of the threads' accesses"}};
  return report;
}

Status replay(const ExploreOptions& options, const explore::Row& row, int threads) {
  const auto schedule = explore::parse_schedule(options.replay, threads);
  if (!schedule)
    throw mesh::UserError(fmt::format(
        "--replay '{}': this is no schedule of {} threads; write threads in the order of "
        "their steps, as in 0*3,1,0 for three steps of thread 0, one of thread 1, one of thread 0",
        options.replay, threads));
  explore::Replay told;
  try {
    told = explore::replay(threads, row.make(options.operations), *schedule);
  } catch (const std::invalid_argument& error) {
    throw mesh::UserError(fmt::format("--replay '{}': {}", options.replay, error.what()));
  }
  Report report = report_on(options);
  report.settings.insert(report.settings.begin(),
                         {{"algorithm", row.name}, {"threads", fmt::format("{}", threads)}});
  report.table.columns = {{"Step", "", 0}, {"Thread", "", 0}, {"Action", "", 0}};
  for (std::size_t i = 0; i < told.steps.size(); ++i)
    report.table.rows.push_back(
        {static_cast<std::int64_t>(i + 1), std::int64_t{told.steps[i].thread}, told.steps[i].action});
  report.notes = {told.fault.empty() ? "# no fault up to here" : "# " + told.fault};
  report.summary = {{"steps", told.steps.size()}, {"fault", told.fault}};
  write(report, options.common.format, options.common.file);
  return told.fault.empty() ? 0 : 1;
}

Status run_explore(const ExploreOptions& options) {
  const auto rows = chosen_rows(options);
  const auto threads = read_numbers(options.threads, "--threads", 1, most_threads, "threads");
  if (!options.replay.empty()) {
    if (rows.size() != 1 || threads.size() != 1)
      throw mesh::UserError(
          "--replay shows one run: name one algorithm (--algorithms) and one number of threads "
          "(--threads)");
    return replay(options, rows.front(), static_cast<int>(threads.front()));
  }
  Report report = report_on(options);
  report.table.columns = {{"Algorithm", "", 0}, {"Threads", "", 0}, {"Operations", "", 0},
                          {"States", "", 0},    {"Steps", "", 0},   {"Longest run", "", 0},
                          {"Right", "", 0}};
  int right = 0, wrong = 0, incomplete = 0;
  explore::Limits limits;
  limits.states = static_cast<std::size_t>(options.states) * 1'000'000;
  mesh::Progress progress(static_cast<double>(rows.size() * threads.size()));
  std::string with;
  for (const std::string& file : options.files) with += " --with " + file;
  for (const explore::Row& one : rows)
    for (const std::int64_t count : threads) {
      const explore::Row* const row = &one;
      limits.symmetric = row->symmetric;
      limits.forgets = row->forgets;
      explore::Result result;
      bool has_room = true;
      try {
        result = explore::search(static_cast<int>(count), row->make(options.operations), limits);
      } catch (const std::length_error&) {
        has_room = false;
      }
      progress.add(1);
      const auto number = [](std::size_t value) { return static_cast<std::int64_t>(value); };
      report.table.rows.push_back({row->name, count, std::int64_t{options.operations}, number(result.states),
                                   number(result.steps), number(result.longest),
                                   result.fault || result.complete ? Cell{!result.fault} : Cell{}});
      ++(result.fault ? wrong : result.complete ? right : incomplete);
      if (result.fault)
        report.notes.push_back(fmt::format("# {}, {} threads: {}\n#   rccebench explore{} --algorithms {} "
                                           "--threads {} --operations {} --replay {}",
                                           row->name, count, result.fault->what, with, row->name, count,
                                           options.operations,
                                           explore::schedule_text(result.fault->schedule)));
      else if (!has_room)
        report.notes.push_back(
            fmt::format("# {}, {} threads: it takes more memory than the explorer has", row->name, count));
      else if (!result.complete)
        report.notes.push_back(
            fmt::format("# {}, {} threads: not all states within {} million; --states raises that", row->name,
                        count, options.states));
    }
  progress.clear();
  report.summary = {{"right", right}, {"wrong", wrong}, {"incomplete", incomplete}};
  write(report, options.common.format, options.common.file);
  return right == static_cast<int>(report.table.rows.size()) ? 0 : 1;
}

} // namespace

void add_explore(CommandLine& line, Status& status) {
  auto options = std::make_shared<ExploreOptions>();
  Command command = line.add_command(
      "explore",
      "runs algorithms in shared memory under every interleaving of the accesses of a few threads");
  std::vector<std::string> mistakes;
  for (const explore::Row& row : explore::rows())
    if (row.mistake) mistakes.push_back(row.name);
  command
      .option("--algorithms", options->algorithms,
              fmt::format("names, separated by commas (default: all that are right). Algorithms with a known "
                          "mistake, which must be found: {}",
                          fmt::join(mistakes, ", ")))
      .not_blank();
  command.option("--with", options->files,
                 "source of an algorithm in shared memory of your own; may be repeated. Without --algorithms "
                 "only those are explored");
  command.option("--threads", options->threads, "numbers of threads").with_default_in_help();
  command.option("--operations", options->operations, "operations one after another")
      .between(1, most_operations)
      .with_default_in_help();
  command.option("--states", options->states, "millions of states after which a search gives up")
      .between(1, 1000)
      .with_default_in_help();
  command.option("--replay", options->replay, "print the steps of this schedule, which was found for a fault")
      .not_blank();
  options->common.add_output_to(command);
  command.when_chosen([options, &status] { status = run_explore(*options); });
}

} // namespace rccebench
