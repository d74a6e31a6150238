// SPDX-License-Identifier: Apache-2.0
// What a publication states, beside what the simulated machine says: statements one by one, the tables and
// figures that they rest on, and how many hold.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "present/report.hpp"
#include "show/recording.hpp"

namespace rccebench::publications {

/// One statement that can be checked.
struct Claim {
  std::string id;        ///< of the publication's list: "7", "F10-02"
  std::string statement; ///< in one line
  Cell published, simulated;
  std::string unit;      ///< of both; empty for ratios, counts and words
  std::string tolerance; ///< when it holds, for people: "15 %", "0.25 to 0.45", "exact"
  bool holds = false;
  bool headline = false; ///< a result that the publication is known for
  bool evidence = true;  ///< false: it follows from what was put in, or repeats another statement
  std::string cause;     ///< of one that fails: "known", which a run shows, "suspected", "unknown"
  std::string reason;    ///< why it fails; what makes it no evidence; otherwise empty
  std::string inputs;    ///< what was put in and decides it: "PRESET:section.name", or words
  std::string where;     ///< in the publication: "table I"
  std::string chosen;    ///< who chose the tolerance: "publication", "us"
};

/// A table or figure of the publication as data.
struct Figure {
  std::string file; ///< "figure-10": name of its CSV file, without ".csv"
  Table table;
  bool in_text = true; ///< otherwise in its file and on the page alone
};

/// A quantity that a statement rests on.
struct Term {
  std::string quantity; ///< with its arguments
  Cell value;
  std::string unit;
};

/// A result that the publication is read for, and what its statements make of it.
struct MainResult {
  std::string text;
  int statements = 0, hold = 0, evidence = 0; ///< `evidence`: so many of the statements are some
  /// All its statements hold; false where it has none.
  [[nodiscard]] bool comes_out() const { return statements > 0 && hold == statements; }
};

/// What repeating a publication's protocol gave.
struct Reproduction {
  std::string publication; ///< author, title, year
  std::string machines;    ///< on which it was repeated: their names, with commas
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<MainResult> results; ///< in their order of importance
  std::vector<Claim> claims;
  std::vector<Figure> figures;
  std::vector<nlohmann::ordered_json> curves; ///< of the HTML page alone, as page/figures.hpp makes them
  std::vector<show::ScheduleRequest>
      schedules; ///< whose rounds the HTML page draws, from a small run of each
  std::vector<std::string> notes;
  bool complete = true;    ///< false: Ctrl-C came first
  std::vector<Term> terms; ///< where one statement alone was asked for: its own
};

struct Count {
  int claims = 0, hold = 0, fail = 0, evidence_hold = 0, evidence_fail = 0;
  int headlines = 0, headlines_hold = 0;
};
[[nodiscard]] Count count(const std::vector<Claim>& claims);

/// One row a claim; main results as the first view, then headlines, then the others, the figures as views,
/// reasons of what fails as notes; in JSON a summary with counts, the main results and, in `by_claim`, id,
/// published, simulated and holds of each.
[[nodiscard]] Report report_of(const std::string& name, const Reproduction& reproduction);

/// The one statement of a reproduction with its terms, a row a term.
[[nodiscard]] Report report_of_statement(const std::string& name, const Reproduction& reproduction);

/// Adds to the report what its HTML page shows: statements, then curves, tables and figures, then rounds.
void add_page(Report& report, const Reproduction& reproduction);

/// Makes the folder if there is none. Throws mesh::UserError when it cannot: before the work, not after.
void make_folder(const std::filesystem::path& folder);
/// One CSV file a figure in that folder; the files' names. Throws mesh::UserError when it cannot be written.
std::vector<std::string> write_figures(const Reproduction& reproduction, const std::filesystem::path& folder);

} // namespace rccebench::publications
