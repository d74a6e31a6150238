// SPDX-License-Identifier: Apache-2.0
// The judge of publications: a Python program (judge/) that reads the tables, asks for measurements and says
// which statements hold. It is a process beside this one; both speak JSON, an object a line.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "present/report.hpp"
#include "publications/measurement.hpp"

namespace rccebench::publications {

/// The publication to be judged, and how.
struct Case {
  std::string name;                          ///< name of the publication
  std::filesystem::path folder;              ///< with its tables, beside that of the judge
  std::string statement = {};                ///< one alone, with the quantities that it rests on; empty: all
  Json lists = Json::object();               ///< in place of those in NAME.py: fewer repetitions, one machine
  std::vector<std::string> leave_out = {};   ///< figures and curves whose file or title begins so
  std::vector<std::string> substitutes = {}; ///< "PRESET=FILE", as --with has them
  Json options = Json::object();             ///< for NAME.py: parameters that the command line changes
  bool keeps = false;                        ///< after Ctrl-C it is judged by what is known by then
};

/// A table or figure of the publication as data.
struct Figure {
  std::string file; ///< "figure-10": name of its CSV file, without ".csv"
  Table table;
};

struct Judgement {
  Report report; ///< without title
  std::vector<Figure> figures;
  std::vector<std::pair<std::string, std::string>> settings; ///< settings of the figures' files
  std::string machines;                                      ///< that it was repeated on, with commas
  int evidence_fail = 0;                                     ///< statements that are evidence and fail
  std::vector<std::string> inputs;                           ///< inputs of each statement
  bool complete = true;                                      ///< false: Ctrl-C came first
  Json page;                                                 ///< contents of add_page()
};

/// Throws mesh::UserError for what the judge refuses, Unfinished after Ctrl-C and in a shard, and
/// std::runtime_error where the judge itself ends early.
[[nodiscard]] Judgement judge(const Case& what, Measurer& measurer);

/// Adds to the report what its HTML page shows: statements, then curves, tables and figures, then rounds.
void add_page(Report& report, const Judgement& judgement);

/// Makes the folder if there is none. Throws mesh::UserError when it cannot: before the work, not after.
void make_folder(const std::filesystem::path& folder);
/// One CSV file a figure in that folder; the files' names. Throws mesh::UserError when it cannot be written.
std::vector<std::string> write_figures(const Judgement& judgement, const std::filesystem::path& folder);

} // namespace rccebench::publications
