// SPDX-License-Identifier: Apache-2.0
// The options that the benchmarks of collectives share, and the points they ask for.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "command_line/commands.hpp"
#include "command_line/records.hpp"
#include "lab.hpp"
#include "lab/messages.hpp"

namespace rccebench {

struct CollectiveOptions {
  std::string operation = "bcast";
  std::vector<std::shared_ptr<const Backend>> backends; ///< of the machines, each once
  CommonOptions common;
  RecordOptions records; ///< of commands on one operation
  std::string sizes, cores = "48", algorithms, rcce = "2.0", copies = "own", payload = "moved";
  std::vector<std::string> files; ///< --with
  std::map<std::string, std::string>
      asked; ///< lists of values, by the parameter's name; empty: not asked for
  int root = 0, warm_up = -1, repetitions = 1; ///< warm_up -1: what the steady state needs
  std::string type = "double", op = "sum", spread = "none";
  int seed = 1;
  unsigned jobs = 0;
  bool no_check = false, sensitivity = false;
  std::string limits = "column";                     ///< or "terms"
  std::string elements;                              ///< in place of sizes; empty: not asked for
  bool some_cores = false, some_repetitions = false; ///< --cores, --repetitions are given
  bool with_automatic = true;                        ///< of `compare`: what `auto` takes is measured too

  /// Adds what every command on collectives has; `sizes` and `cores` hold the defaults. Options of the
  /// algorithms follow from the table, and so from the `words` of the command line where files of the user's
  /// are named.
  void add_to(Command& command, const std::vector<std::string>& words);
  /// Adds --operation, for commands that serve all of them; after add_to.
  void add_operation_to(Command& command);

  /// One point for each algorithm, core count, size and combination of values, in this order, on one machine.
  [[nodiscard]] std::vector<Point> points() const;
  /// The same on each machine that --set asks for; elsewhere that has one value of each.
  [[nodiscard]] std::vector<Point> swept_points() const;
  [[nodiscard]] std::vector<Point> points_on(Machine machine) const;
  [[nodiscard]] std::vector<Point> points_on(const std::shared_ptr<const Machine>& machine,
                                             const std::string& name,
                                             const std::vector<std::int64_t>& core_counts) const;

  [[nodiscard]] const Operation& facts() const { return operation_of(operation); }
  [[nodiscard]] std::string element_type() const; ///< int, long, float or double
  /// Bytes; one 0 where the operation has no message.
  [[nodiscard]] std::vector<std::int64_t> message_sizes() const;
  /// Of one of the backends, or of all. Throws mesh::UserError for a name that none of them has.
  [[nodiscard]] std::vector<std::string> chosen_algorithms(const Backend* of = nullptr) const;
  /// What the run was asked to do, for the head of its report.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>>
  settings(const std::vector<Point>& points) const;
  /// Whether one of the machines has an algorithm of the operation on network cards.
  [[nodiscard]] bool runs_on_cards() const;

 private:
  [[nodiscard]] std::vector<Parameter> parameters() const;
};

/// What a table of points has columns for.
struct Kinds {
  bool simulated = true, wall_clock = false, messages = true;
  bool cards = false;
  bool spread = false;           ///< arrivals are
  bool limits = false;           ///< of some points it is known
  bool several_machines = false; ///< of different sorts

  bool ranks = false; ///< simulated times are of each rank

  [[nodiscard]] bool only_cards() const { return cards && !ranks && !wall_clock; }
  [[nodiscard]] static Kinds of(const std::vector<Point>& points);
};
[[nodiscard]] bool is_by_messages(const Point& point);
[[nodiscard]] bool is_on_cards(const std::shared_ptr<const Backend>& backend);

/// Of the repetitions' times, in microseconds; 0 where they are not told.
struct Distribution {
  double deviation = 0, least = 0, most = 0;
};
[[nodiscard]] Distribution distribution_of(const Result& result);

/// The columns that every command has, and a row of them. `parameters` are those that get a column each: of
/// all algorithms in the table, by name.
[[nodiscard]] std::vector<Parameter> parameters_of(const std::vector<Point>& points);
[[nodiscard]] std::vector<Column> collective_columns(const Operation& operation,
                                                     const std::vector<Parameter>& parameters,
                                                     const Kinds& kinds = {});
[[nodiscard]] std::vector<Cell> collective_row(const Point& what, const Result& timing,
                                               const std::vector<Parameter>& parameters,
                                               const Kinds& kinds = {});

/// Whether the command line names the option: "--cores 5" or "--cores=5".
[[nodiscard]] bool is_given(const std::vector<std::string>& words, const std::string& option);

/// Two times that differ by less tell nothing of two algorithms: what the model leaves open is more.
inline constexpr double least_margin_percent = 0.5;

/// Adds what a check has found, and below it some lines of the runtime's words to it.
void tell_found(const Point& point, const std::string& found, std::vector<std::string>& notes);

/// Whether the time is less than what no algorithm can undercut.
[[nodiscard]] bool is_below_limit(const Point& point, const Result& result);
/// Whether the point counts: nothing is wrong, and the time can be true.
[[nodiscard]] bool is_right(const Point& point, const Result& result);
/// That as a cell, empty where nothing has been looked at.
[[nodiscard]] Cell correctness_of(const Point& point, const Result& result);
/// "ok", "wrong", "below limit", or "-" where nothing has been looked at.
[[nodiscard]] std::string check_text(const Point& point, const Result& result);

/// Size by time in MiB/s; empty where nothing was timed.
[[nodiscard]] Cell bandwidth_of(const Point& point, const Result& result);
/// The rank that ended last, the lowest of several; empty where that is not told.
[[nodiscard]] Cell last_rank_of(const Result& result);

/// What no algorithm can undercut, and how far of that a time is: two cells, empty where nothing is known.
[[nodiscard]] std::vector<Cell> limit_cells(const Point& point, double us);
/// Their columns.
void add_limit_columns(Table& table, int digits = 3);
/// With --limits terms: a table of all reasons.
void add_limit_terms(Report& report, const CollectiveOptions& options, const std::vector<Point>& points);

/// Rows, settings, verdict, statistics and curves in text of what was measured.
[[nodiscard]] Report collective_report(const std::string& title, const CollectiveOptions& options,
                                       const std::vector<Point>& points,
                                       const std::vector<std::optional<Result>>& timings);
/// With the status that it means: of an interruption, or 1 when bytes were wrong.
[[nodiscard]] Outcome outcome_of(Report report);

} // namespace rccebench
