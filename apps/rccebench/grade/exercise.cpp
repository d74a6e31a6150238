// SPDX-License-Identifier: Apache-2.0
#include "grade/exercise.hpp"

#include <fstream>
#include <set>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "lab.hpp"
#include "lab/compiled_programs.hpp"
#include "mesh_sim/errors.hpp"

namespace rccebench::grade {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

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
  const auto rows = entry.value("rows", std::vector<std::string>{"yours"});
  const auto sizes = entry.value("bytes", std::vector<std::int64_t>{0});
  const auto roots = entry.value("roots", std::vector<std::string>{"first"});
  for (const int cores : entry.at("cores").get<std::vector<int>>())
    for (const std::int64_t bytes : sizes)
      for (const std::string& root : roots)
        for (const std::string& row : rows) {
          Trial trial;
          trial.program = entry.value("program", "checker");
          trial.row = row;
          trial.yours = row == rows.front();
          trial.timed = entry.value("timed", rows.size() > 1);
          trial.cores = cores;
          trial.bytes = bytes;
          trial.has_bytes = entry.contains("bytes");
          trial.has_root = entry.contains("roots");
          trial.root = root_named(root, cores);
          trial.explored_runs = entry.value("explored_runs", 0);
          trial.arguments = words_of(entry.value("arguments", ""), trial);
          trials.push_back(std::move(trial));
        }
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
  Exercise exercise;
  exercise.folder = folder;
  exercise.name = folder.filename().string();
  exercise.title = json.at("title");
  exercise.file = json.at("file");
  exercise.flags = json.value("flags", std::vector<std::string>{});
  exercise.wrong = json.value("wrong", "");
  exercise.forbidden = json.value("forbidden", std::vector<std::string>{});
  for (const Json& entry : json.at("trials")) add_trials(exercise.trials, entry);
  add_checks(exercise.trials);
  if (json.contains("goal")) {
    const Json& goal = json.at("goal");
    exercise.goal = Goal{goal.at("row"), goal.at("cores"), goal.value("bytes", std::int64_t{0})};
  }
  return exercise;
}

} // namespace

std::string Trial::where() const {
  std::string text = fmt::format("{} {}", cores, cores == 1 ? "core" : "cores");
  if (has_bytes) text += fmt::format(", {} bytes", bytes);
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
