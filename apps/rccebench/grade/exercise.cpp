// SPDX-License-Identifier: Apache-2.0
#include "grade/exercise.hpp"

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <set>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "lab.hpp"
#include "lab/compiled_programs.hpp"
#include "mesh_sim/counted.hpp"
#include "mesh_sim/errors.hpp"

namespace rccebench::grade {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A member that nobody reads is a slip, by which a wrong solution may pass.
void know_members(const Json& of, const char* what, std::initializer_list<std::string_view> known) {
  if (!of.is_object()) throw mesh::UserError(fmt::format("{} is no object", what));
  for (const auto& [name, value] : of.items())
    if (std::ranges::find(known, name) == known.end())
      throw mesh::UserError(
          fmt::format("{} has no member \"{}\"; there are {}", what, name, fmt::join(known, ", ")));
}

/// `kind`: what the member has to be, for messages.
template <class T>
T member(const Json& of, const char* name, const char* kind) {
  if (!of.contains(name)) throw mesh::UserError(fmt::format("\"{}\" is missing; it is {}", name, kind));
  try {
    return of.at(name).get<T>();
  } catch (const Json::exception&) {
    throw mesh::UserError(fmt::format("\"{}\" has to be {}", name, kind));
  }
}
template <class T>
T member(const Json& of, const char* name, const char* kind, T otherwise) {
  return of.contains(name) ? member<T>(of, name, kind) : otherwise;
}

constexpr const char *a_text = "text", *texts = "a list of texts", *number = "a number",
                     *numbers = "a list of numbers", *truth = "true or false";

/// Throws for "{byts}".
void check_places(std::string_view arguments) {
  for (std::size_t at = arguments.find('{'); at != std::string_view::npos; at = arguments.find('{', at + 1)) {
    const std::string_view place = arguments.substr(at, arguments.find('}', at) - at + 1);
    if (place != "{row}" && place != "{cores}" && place != "{bytes}" && place != "{root}")
      throw mesh::UserError(
          fmt::format("\"arguments\" has '{}'; there are {{row}}, {{bytes}}, {{root}}, {{cores}}", place));
  }
}

/// "mine {bytes} {root}" with the trial's values, cut into words.
std::vector<std::string> words_of(std::string text, const Trial& trial) {
  const auto put = [&text](std::string_view name, const std::string& value) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + value.size()))
      text.replace(at, name.size(), value);
  };
  put("{row}", trial.row);
  put("{cores}", fmt::format("{}", trial.cores));
  put("{bytes}", fmt::format("{}", trial.bytes));
  put("{root}", fmt::format("{}", trial.root));
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

int root_named(const std::string& word, int cores) {
  if (word == "first") return 0;
  if (word == "middle") return cores / 2;
  if (word == "last") return cores - 1;
  throw mesh::UserError(fmt::format("\"roots\" has '{}'; use first, middle or last", word));
}

/// All trials of one entry of the list: each of its cores with each size, root and row.
void add_trials(std::vector<Trial>& trials, const Json& entry) {
  know_members(
      entry, "an entry of \"trials\"",
      {"program", "cores", "bytes", "roots", "rows", "arguments", "timed", "explored_runs", "check"});
  const auto rows = member(entry, "rows", texts, std::vector<std::string>{"yours"});
  const auto sizes = member(entry, "bytes", numbers, std::vector<std::int64_t>{0});
  const auto roots = member(entry, "roots", texts, std::vector<std::string>{"first"});
  const auto program = member<std::string>(entry, "program", a_text, "checker");
  if (program != "checker" && program != "collective")
    throw mesh::UserError(fmt::format("\"program\" is '{}'; use checker or collective", program));
  const auto arguments = member<std::string>(entry, "arguments", a_text, "");
  check_places(arguments);
  const std::size_t before = trials.size();
  for (const int cores : member<std::vector<int>>(entry, "cores", numbers))
    for (const std::int64_t bytes : sizes)
      for (const std::string& root : roots)
        for (const std::string& row : rows) {
          Trial trial;
          trial.program = program;
          trial.row = row;
          trial.yours = row == rows.front();
          trial.timed = member(entry, "timed", truth, rows.size() > 1);
          trial.cores = cores;
          trial.bytes = bytes;
          trial.has_bytes = entry.contains("bytes");
          trial.has_root = entry.contains("roots");
          trial.root = root_named(root, cores);
          trial.explored_runs = member(entry, "explored_runs", number, 0);
          trial.check = member<std::string>(entry, "check", a_text, "");
          trial.arguments = words_of(arguments, trial);
          trials.push_back(std::move(trial));
        }
  if (trials.size() == before)
    throw mesh::UserError("an entry of \"trials\" has an empty list, so nothing is tried");
}

/// A goal that no timed trial is of can never be reached.
void check_goal(const Exercise& exercise) {
  const Goal& goal = *exercise.goal;
  const auto is_there = [&](const Trial& trial) {
    return trial.timed && trial.row == goal.row && trial.cores == goal.cores && trial.bytes == goal.bytes;
  };
  if (std::ranges::none_of(exercise.trials, is_there))
    throw mesh::UserError(fmt::format("\"goal\": no timed trial is of '{}' on {} cores with {} bytes",
                                      goal.row, goal.cores, goal.bytes));
}

/// The student's algorithm is one as any other: on each number of cores it goes through the same check.
void add_checks(std::vector<Trial>& trials) {
  std::set<std::pair<std::string, int>> checked;
  for (const Trial& trial : trials)
    if (trial.yours && trial.program == "collective") checked.emplace(trial.row, trial.cores);
  for (const auto& [row, cores] : checked) {
    Trial& trial = trials.emplace_back();
    trial.program = check_program;
    trial.row = row;
    trial.yours = false;
    trial.cores = cores;
  }
}

Exercise parse(const fs::path& folder) {
  const Json json = Json::parse(text_of_file(folder / "exercise.json"));
  know_members(json, "the exercise",
               {"title", "file", "flags", "wrong", "unseen", "forbidden", "trials", "goal"});
  Exercise exercise;
  exercise.folder = folder;
  exercise.name = folder.filename().string();
  exercise.title = member<std::string>(json, "title", a_text);
  exercise.file = member<std::string>(json, "file", a_text);
  exercise.flags = member(json, "flags", texts, std::vector<std::string>{});
  exercise.wrong = member<std::string>(json, "wrong", a_text, "");
  exercise.unseen = member<std::string>(json, "unseen", a_text, "");
  exercise.forbidden = member(json, "forbidden", texts, std::vector<std::string>{});
  for (const Json& entry : member<std::vector<Json>>(json, "trials", "a list"))
    add_trials(exercise.trials, entry);
  if (exercise.trials.empty()) throw mesh::UserError("\"trials\" is empty, so nothing is tried");
  add_checks(exercise.trials);
  if (json.contains("goal")) {
    const Json& goal = json.at("goal");
    know_members(goal, "\"goal\"", {"row", "cores", "bytes"});
    exercise.goal = Goal{member<std::string>(goal, "row", a_text), member<int>(goal, "cores", number),
                         member(goal, "bytes", number, std::int64_t{0})};
    check_goal(exercise);
  }
  return exercise;
}

} // namespace

std::string Trial::where() const {
  std::string text = mesh::counted(cores, "core");
  if (has_bytes) text += ", " + mesh::counted(bytes, "byte");
  if (has_root) text += fmt::format(", root {}", root);
  return text;
}

std::vector<std::string> exercise_names() {
  std::ifstream in(course_path("exercises"));
  std::vector<std::string> names;
  for (std::string name; in >> name;) names.push_back(name);
  return names;
}

Exercise read_exercise(const std::string& name_or_folder) {
  const std::vector<std::string> names = exercise_names();
  fs::path folder = fs::path(name_or_folder).lexically_normal();
  std::error_code ignored;
  const bool own = fs::is_regular_file(folder / "exercise.json", ignored);
  if (!own) {
    if (fs::is_directory(folder, ignored))
      throw mesh::UserError(fmt::format("--exercise '{}': there is no exercise.json in this folder; "
                                        "apps/course/README.md says what stands there",
                                        name_or_folder));
    const std::vector<std::string_view> known(names.begin(), names.end());
    const auto found = read_names(name_or_folder, "exercise", "", known);
    folder = course_path(found.front());
  }
  if (!folder.has_filename()) folder = folder.parent_path();
  try {
    Exercise exercise = parse(folder);
    exercise.of_course = !own;
    return exercise;
  } catch (const std::exception& error) {
    throw mesh::UserError(fmt::format("{}: {}; apps/course/README.md says what may stand there",
                                      (folder / "exercise.json").string(), error.what()));
  }
}

std::string exercise_of(const fs::path& file) {
  constexpr std::string_view mark = "rockcreek exercise:";
  const std::string text = text_of_file(file);
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return {};
  std::istringstream in(text.substr(at + mark.size(), 200));
  std::string name;
  in >> name;
  return name;
}

} // namespace rccebench::grade
