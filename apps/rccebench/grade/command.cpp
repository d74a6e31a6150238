// SPDX-License-Identifier: Apache-2.0
// rccebench grade: a student's file, and whether it solves its exercise.
#include <atomic>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/collective_results.hpp"
#include "command_line/commands.hpp"
#include "grade/mark.hpp"
#include "lab.hpp"
#include "lab/check.hpp"
#include "lab/compiled_programs.hpp"
#include "lab/messages.hpp"
#include "mesh_sim/counted.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/observe/statistics.hpp"
#include "mesh_sim/output_file.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench {
namespace {

namespace fs = std::filesystem;
using grade::Exercise;
using grade::Mark;
using grade::Trial;
using Marks = std::vector<std::optional<Mark>>;

struct GradeOptions {
  CommonOptions common;
  std::string file, exercise, start, program;
  unsigned jobs = 0;
};

constexpr int status_wrong = 1, status_slow = 3; // 2: a wrong command line

std::string known_exercises() {
  return fmt::format("{}", fmt::join(grade::exercise_names(), ", "));
}

/// Puts the file to begin with into the present folder.
Status start(const std::string& name) {
  const Exercise exercise = grade::read_exercise(name);
  std::error_code error;
  if (fs::exists(fs::symlink_status(exercise.file, error)))
    throw mesh::UserError(
        fmt::format("--start {}: '{}' is there already; move it away first", name, exercise.file));
  fs::copy_file(exercise.folder / exercise.file, exercise.file, error);
  if (error) {
    std::error_code ignored;
    fs::remove(exercise.file, ignored); // what of it fitted on the disk would count as begun
    throw mesh::UserError(fmt::format("--start {}: '{}' cannot be written: {}; go to a folder of your own",
                                      name, exercise.file, error.message()));
  }
  fmt::print("{}: {}; what to do stands in {}\n", exercise.file, exercise.title,
             (exercise.folder / "README.md").string());
  return 0;
}

Exercise exercise_for(const GradeOptions& options) {
  if (options.file.empty())
    throw CommandMistake("grade",
                         fmt::format("no file to grade; name one, or begin an exercise with --start NAME: {}",
                                     known_exercises()));
  std::error_code ignored;
  if (!fs::is_regular_file(options.file, ignored))
    throw mesh::UserError(
        fmt::format("'{}': there is no such file; rccebench grade --start NAME makes one to begin "
                    "with: {}",
                    options.file, known_exercises()));
  const std::string name = options.exercise.empty() ? grade::exercise_of(options.file) : options.exercise;
  if (name.empty())
    throw mesh::UserError(
        fmt::format("'{}' does not say which exercise it is for; write 'rockcreek exercise: NAME' "
                    "into a comment or give --exercise NAME: {}",
                    options.file, known_exercises()));
  return grade::read_exercise(name);
}

/// The student's file, as it is linked into each program.
fs::path object_of(const Exercise& exercise, const std::string& file) {
  std::vector<std::string> words{command_path("rccecc").string(), "-O2", "-g", "-c", file};
  for (const std::string& flag : exercise.flags)
    if (!flag.starts_with("-l")) words.push_back(flag);
  return compile(words, "student.o", fmt::format("'{}'", file));
}

/// Each program that the trials name, the student's code in it.
grade::Programs programs_for(const Exercise& exercise, const std::string& file, const fs::path& object) {
  const std::string collective = "collective";
  // As it is built with this command, unless the exercise wants another variant of the library.
  const bool as_built =
      std::ranges::all_of(exercise.flags, [](const std::string& flag) { return flag.starts_with("-l"); });
  grade::Programs programs;
  for (const Trial& trial : exercise.trials) {
    if (programs.contains(trial.program) || trial.program == grade::check_program) continue;
    const fs::path main = trial.program != collective ? exercise.folder / "checker.c"
        : as_built ? fs::path(program_path(collective, Generation::rcce20).string() + ".o")
                   : program_source(collective);
    std::vector<std::string> words{command_path("rccecc").string(),
                                   "-O2",
                                   "-g",
                                   "-I" + program_source(collective).parent_path().string(),
                                   "-I" + course_path("").string(),
                                   object.string(),
                                   main.string()};
    words.insert(words.end(), exercise.flags.begin(), exercise.flags.end());
    if (trial.program == collective) words.emplace_back("-lrockcreek_algorithms");
    programs[trial.program] = compile(words, trial.program, fmt::format("'{}'", file));
  }
  return programs;
}

/// A row of the library's by its symbol, the list of them, or what finds either by name while it runs: the
/// library's functions need no name in the file then.
bool is_row_of_library(const std::string& name) {
  return name.starts_with("rockcreek_row_") || name == "__start_rockcreek_rows" ||
      name == "__stop_rockcreek_rows" || name == "dlsym" || name == "dlvsym";
}

/// Functions of the library's that it names: those of RCCE are needed to prepare, these never.
std::set<std::string> names_in(const fs::path& object) {
  const fs::path names = object.parent_path() / "student.names";
  if (run_into({"nm", "--undefined-only", "--format=posix", object.string()}, names) != 0)
    throw mesh::UserError(fmt::format("grade needs nm, of the package binutils: {}", text_of_file(names)));
  std::set<std::string> found;
  std::istringstream lines(text_of_file(names));
  for (std::string name, rest; lines >> name && std::getline(lines, rest);)
    if (name.starts_with("rockcreek_") || is_row_of_library(name)) found.insert(name);
  return found;
}

/// Calls that the student's algorithm makes where its time counts.
std::set<std::string> calls_of(const Point& point) {
  const Output output = lab::messages_of(point, "\"forbidden\"").recorded(point, {{"profile", {}}}, 0);
  std::set<std::string> found;
  for (const mesh::Statistic& one : output.result.table("profile"))
    for (const auto& [name, value] : one.labels)
      if (name == "call") found.insert(value);
  return found;
}

/// Throws where the solution uses what it may not.
void refuse_forbidden(const Exercise& exercise, const std::string& file, const std::set<std::string>& used) {
  if (used.contains("rockcreek_job_data"))
    throw mesh::UserError(
        fmt::format("'{}' uses rockcreek_job_data, by which checkers hand over results", file));
  const bool without_library = std::ranges::any_of(
      exercise.forbidden, [](const std::string& name) { return name.starts_with("rockcreek_"); });
  for (const std::string& name : used)
    if (std::ranges::count(exercise.forbidden, name) > 0 || (without_library && is_row_of_library(name)))
      throw mesh::UserError(fmt::format("'{}' uses {}, and a solution of '{}' may not use {}{}: it is what "
                                        "the exercise is about",
                                        file, name, exercise.name, fmt::join(exercise.forbidden, ", "),
                                        without_library ? " or a row of the library's" : ""));
}

/// The check that every algorithm of `--with` goes through.
Mark check(Point point, const Trial& trial) {
  point.algorithm = trial.row;
  point.cores = trial.cores;
  point.bytes = 64;
  const std::string found = lab::checked(point).found;
  const std::size_t line = std::min(found.find('\n'), found.size());
  Mark mark;
  mark.fault = found.substr(0, line);
  mark.report = found.substr(std::min(line + 1, found.size()));
  return mark;
}

/// A student's row that is faster than any algorithm can be: as rccebench bcast says "below limit".
std::string below_limit(Point point, const Trial& trial, const Mark& mark) {
  point.algorithm = trial.row;
  point.cores = trial.cores;
  point.bytes = trial.bytes;
  point.root = trial.root;
  Result result;
  result.max_us = mark.us.value_or(0);
  if (!trial.yours || !trial.timed || trial.row.empty() || !mark.us || !is_below_limit(point, result))
    return {};
  return fmt::format("{:.3f} us, and no algorithm can do it in less than {:.3f}: it takes its data past the "
                     "machine, for example through a pointer to another UE's memory",
                     *mark.us, point.backend->limit(point).binding().us);
}

/// The student's row where the goal is, if there is one of both.
std::optional<Point> goal_of(const Exercise& exercise, const std::shared_ptr<const Machine>& machine,
                             const std::string& file) {
  const auto row = std::ranges::find(exercise.trials, grade::check_program, &Trial::program);
  if (row == exercise.trials.end()) return {};
  const grade::Goal goal = exercise.goal.value_or(grade::Goal{row->row, row->cores, 0});
  const auto backend = backend_of(*machine, {file});
  const auto names = backend->names_of(row->row.substr(0, row->row.find('/')));
  if (std::ranges::count(names, std::string_view(row->row)) == 0)
    throw mesh::UserError(
        fmt::format("'{}' has no algorithm '{}', which exercise '{}' measures; keep the name that it has in "
                    "the file to begin with",
                    file, row->row, exercise.name));
  return Point{.machine = machine,
               .machine_name = machine->config.name(),
               .backend = backend,
               .algorithm = row->row,
               .cores = goal.cores,
               .bytes = goal.bytes};
}

std::string time_title(const Exercise& exercise) {
  return fmt::format("{}: simulated time until the last rank is done", exercise.name);
}

std::string digest_text(std::uint64_t digest) {
  return fmt::format("{:016x}", digest);
}

Table all_trials(const Exercise& exercise, const Marks& marks) {
  Table table;
  table.columns = {{"exercise", "", 0}, {"row", "", 0},   {"cores", "", 0},
                   {"bytes", "", 0},    {"root", "", 0},  {"simulated_us", "", 3},
                   {"correct", "", 0},  {"fault", "", 0}, {"digest", "", 0}};
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (!marks[i]) continue;
    const Trial& trial = exercise.trials[i];
    const Mark& mark = *marks[i];
    if (mark.skipped) continue;
    table.rows.push_back(
        {exercise.name, trial.row, std::int64_t{trial.cores}, trial.has_bytes ? Cell{trial.bytes} : Cell{},
         trial.has_root ? Cell{std::int64_t{trial.root}} : Cell{}, mark.us ? Cell{*mark.us} : Cell{},
         mark.fault.empty(), mark.fault, trial.explored_runs > 0 ? Cell{} : Cell{digest_text(mark.digest)}});
  }
  return table;
}

/// The student's time of the place where trial `i` is.
const Mark* yours_beside(const Exercise& exercise, const Marks& marks, std::size_t i) {
  const Trial& one = exercise.trials[i];
  for (std::size_t j = 0; j < marks.size(); ++j) {
    const Trial& other = exercise.trials[j];
    if (marks[j] && other.yours && other.timed && other.cores == one.cores && other.bytes == one.bytes &&
        other.root == one.root)
      return &*marks[j];
  }
  return nullptr;
}

Table times(const Exercise& exercise, const Marks& marks) {
  Table table;
  table.title = time_title(exercise);
  table.columns = {{"Row", "", 0},    {"Cores", "", 0},     {"Size", "bytes", 0},
                   {"Time", "us", 3}, {"Of yours", "%", 1}, {"Check", "", 0}};
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const Trial& trial = exercise.trials[i];
    if (!marks[i] || marks[i]->skipped || !trial.timed) continue;
    const Mark* yours = yours_beside(exercise, marks, i);
    const auto& us = marks[i]->us;
    const bool comparable = us && !trial.yours && yours != nullptr && yours->us && *yours->us > 0;
    table.rows.push_back({trial.row, std::int64_t{trial.cores}, trial.has_bytes ? Cell{trial.bytes} : Cell{},
                          us ? Cell{*us} : Cell{}, comparable ? Cell{*us / *yours->us * 100} : Cell{},
                          std::string(marks[i]->fault.empty() ? "ok" : "wrong")});
  }
  return table;
}

/// Below the runtime's words to it, cut after some lines.
void tell(std::vector<std::string>& notes, const Trial& trial, const Mark& mark) {
  constexpr int most_lines = 20;
  notes.push_back(fmt::format("# wrong: {} on {}: {}", trial.row, trial.where(), mark.fault));
  std::istringstream report(mark.report);
  int lines = 0;
  for (std::string line; lines < most_lines && std::getline(report, line); ++lines)
    notes.push_back("#   " + line);
}

struct Verdict {
  int wrong = 0;
  bool reached = false;                      ///< all is right, and the goal met, where there is one
  std::uint64_t digest = 0xcbf29ce484222325; ///< over those of the student's runs, by FNV-1a
};

/// A goal is met by a time that is not longer, in picoseconds.
bool judge_goal(const Exercise& exercise, const Marks& marks, std::vector<std::string>& notes) {
  if (!exercise.goal) return true;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const Trial& trial = exercise.trials[i];
    const grade::Goal& goal = *exercise.goal;
    if (!trial.timed || trial.row != goal.row || trial.cores != goal.cores || trial.bytes != goal.bytes)
      continue;
    const Mark* yours = yours_beside(exercise, marks, i);
    if (!marks[i] || !marks[i]->us || yours == nullptr || !yours->us) break;
    const bool reached = *yours->us <= *marks[i]->us;
    notes.push_back(fmt::format("# goal: no longer than {} on {}, {:.3f} us: {} with {:.3f} us", goal.row,
                                trial.where(), *marks[i]->us, reached ? "reached" : "not reached",
                                *yours->us));
    return reached;
  }
  return false;
}

Verdict judge(const Exercise& exercise, const Marks& marks, std::vector<std::string>& notes) {
  Verdict verdict;
  std::size_t done = 0, skipped = 0;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (!marks[i]) continue;
    ++done;
    const Trial& trial = exercise.trials[i];
    if (marks[i]->skipped) {
      ++skipped;
      continue;
    }
    if (!marks[i]->fault.empty() && verdict.wrong++ == 0) tell(notes, trial, *marks[i]);
    if (trial.yours) verdict.digest = (verdict.digest ^ marks[i]->digest) * 0x100000001b3;
  }
  const auto trials = marks.size();
  verdict.reached = verdict.wrong == 0 && done == trials && judge_goal(exercise, marks, notes);
  const std::string wrong_ones = fmt::format("{} of {} {}", verdict.wrong, mesh::counted(trials, "trial"),
                                             verdict.wrong == 1 ? "is" : "are");
  const std::string result = done < trials
      ? fmt::format("{} of {} trials have been run, {} are wrong: no verdict", done, trials, verdict.wrong)
      : skipped > 0 ? fmt::format("{} wrong; {} were not run, because one does not end", wrong_ones, skipped)
      : verdict.wrong > 0 ? wrong_ones + " wrong"
      : !verdict.reached  ? fmt::format("{}, all right; not yet fast enough", mesh::counted(trials, "trial"))
                          : fmt::format("{}: correct{}{}", mesh::counted(trials, "trial"),
                                       exercise.unseen.empty() ? "" : "; not seen: ", exercise.unseen);
  notes.push_back(fmt::format("# {}; digest {}", result, digest_text(verdict.digest)));
  return verdict;
}

/// Copies a program to where it is wanted, to be run there.
void keep(const fs::path& program, const std::string& file) {
  mesh::write_output("--program", file, text_of_file(program));
  constexpr auto executable = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) fs::permissions(file, executable, fs::perm_options::add, ignored);
}

Status run_grade(const GradeOptions& options) {
  if (!options.start.empty()) return start(options.start);
  const Exercise exercise = exercise_for(options);
  const auto machine = std::make_shared<const Machine>(open_machine(options.common));
  mesh::check_offers(machine->config, mesh::Capability::message_buffers);
  const fs::path object = object_of(exercise, options.file);
  refuse_forbidden(exercise, options.file, names_in(object));
  const std::optional<Point> goal = goal_of(exercise, machine, options.file);
  const auto programs = std::make_shared<const grade::Programs>(programs_for(exercise, options.file, object));
  if (!options.program.empty()) keep(programs->begin()->second, options.program);
  const auto shared = std::make_shared<const Exercise>(exercise);
  const auto endless = std::make_shared<std::atomic<bool>>(false);
  const Marks marks = sweep<Mark, Trial>(
      exercise.trials, options.jobs,
      [](const Trial& trial) {
        return (static_cast<double>(trial.bytes) + 1000) * trial.cores * (1 + trial.explored_runs);
      },
      [machine, goal, programs, shared, endless](const Trial& trial) {
        Mark mark;
        mark.skipped = *endless;
        if (mark.skipped) return mark;
        mark = trial.program == grade::check_program ? check(*goal, trial)
                                                     : grade::mark_of(*machine, *programs, *shared, trial);
        if (goal && mark.fault.empty()) mark.fault = below_limit(*goal, trial, mark);
        if (mark.endless) *endless = true;
        return mark;
      });
  // One that is wrong may not even end.
  const bool all_right = std::ranges::all_of(
      marks, [](const std::optional<Mark>& mark) { return mark && !mark->skipped && mark->fault.empty(); });
  if (goal && all_right && !exercise.forbidden.empty())
    refuse_forbidden(exercise, options.file, calls_of(*goal));
  Report report;
  report.title = fmt::format("rccebench grade {}", rcce::version_text);
  report.settings = {{"machine", machine->description()},
                     {"exercise", fmt::format("{}: {}", exercise.name, exercise.title)},
                     {"file", options.file}};
  report.table = all_trials(exercise, marks);
  report.views = {times(exercise, marks)};
  const Verdict verdict = judge(exercise, marks, report.notes);
  report.summary = {
      {"wrong", verdict.wrong}, {"goal_reached", verdict.reached}, {"digest", digest_text(verdict.digest)}};
  write(report, options.common.format, options.common.file);
  if (interrupted_status() != 0) return interrupted_status();
  return verdict.wrong > 0 ? status_wrong : verdict.reached ? 0 : status_slow;
}

} // namespace

void add_grade(CommandLine& line, Status& status) {
  auto options = std::make_shared<GradeOptions>();
  Command command = line.add_command(
      "grade", "marks an exercise of the course: is the solution right, and is it fast enough?");
  command.option("file", options->file, "C or C++ source with the solution of an exercise");
  command
      .option(
          "--exercise", options->exercise,
          fmt::format("{}, or a folder with an exercise.json (default: what the file names behind 'rockcreek "
                      "exercise:')",
                      known_exercises()))
      .not_blank();
  command
      .option("--start", options->start,
              "put the file that this exercise begins with into the current folder, and end")
      .not_blank();
  command
      .option("--program", options->program,
              "write the graded program (the file with its checker) to this file, for rccerun with all its "
              "options")
      .writable();
  options->common.add_to(command, mesh::Capability::message_buffers, CommonOptions::Values::one);
  command.option("--jobs", options->jobs, "trials simulated side by side (default: one per processor)")
      .between(1, most_jobs);
  command.when_chosen([options, &status] { status = run_grade(*options); });
}

} // namespace rccebench
