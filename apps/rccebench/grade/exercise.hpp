// SPDX-License-Identifier: Apache-2.0
// An exercise of the course, as the file exercise.json of its folder describes it (apps/course/README.md says
// what may stand there): what is compiled together with a student's file, what is run, what it is measured
// against.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rccebench::grade {

/// The program of a trial that makes the check that every algorithm of `--with` goes through.
inline constexpr const char* check_program = "check";

/// One run of a program that contains the student's file.
struct Trial {
  std::string program; ///< "checker", "collective" or check_program
  std::string row;     ///< whose it is, the student's or one to compare with: "bcast/mine", "bcast/cube"
  bool yours = true;
  bool timed = false; ///< stands in the table of times
  int cores = 1;
  std::int64_t bytes = 0;
  bool has_bytes = false, has_root = false;
  int root = 0;
  std::vector<std::string> arguments;
  int explored_runs = 0; ///< other timings that it is repeated under; 0: it is run once
  std::string check;     ///< rules of rccerun --check for one run more; empty: none

  [[nodiscard]] std::string where() const; ///< "5 cores, 8192 bytes, root 3"
};

/// A time that is not to be exceeded: that of another row, in the same place.
struct Goal {
  std::string row;
  int cores = 1;
  std::int64_t bytes = 0;
};

struct Exercise {
  std::string name, title;
  std::filesystem::path folder;
  bool of_course = false;         ///< else it is somebody's own
  std::string file;               ///< the one to begin with, in the folder
  std::vector<std::string> flags; ///< options of rccecc
  std::string wrong;              ///< description of a wrong rank if bytes do not show it: "left too early"
  std::string unseen;             ///< a question that no trial can answer: "whether ..."
  std::vector<std::string> forbidden; ///< functions that a solution may not use
  std::vector<Trial> trials;
  std::optional<Goal> goal;
};

/// Names of all exercises, in the course's order.
[[nodiscard]] std::vector<std::string> exercise_names();

/// By its name, or a folder of one's own that holds an exercise.json. Throws mesh::UserError with the nearest
/// name, or with the place in the file.
[[nodiscard]] Exercise read_exercise(const std::string& name_or_folder);

/// The name behind "rockcreek exercise:" in a student's file; empty where there is none.
[[nodiscard]] std::string exercise_of(const std::filesystem::path& file);

} // namespace rccebench::grade
