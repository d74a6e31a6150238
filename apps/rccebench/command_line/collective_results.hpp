// SPDX-License-Identifier: Apache-2.0
// What the benchmarks of collectives print of their points: columns, rows, verdicts and the report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command_line/collective_options.hpp"

namespace rccebench {

/// The kinds of columns that a table of points has.
struct Kinds {
  bool simulated = true, wall_clock = false, messages = true;
  bool cards = false;
  bool spread = false;           ///< arrivals are
  bool limits = false;           ///< true if the limit of some points is known
  bool several_machines = false; ///< true if the machines differ

  bool ranks = false; ///< simulated times are of each rank
  /// Asked for: bytes of one rank's block, and the bandwidth of the bus.
  bool per_rank = false, bus = false;
  bool last = false; ///< asked for: how far behind the others the last rank was

  [[nodiscard]] bool only_cards() const { return cards && !ranks && !wall_clock; }
  [[nodiscard]] static Kinds of(const std::vector<Point>& points);
  [[nodiscard]] static Kinds of(const std::vector<Point>& points, const CollectiveOptions& options);
};
[[nodiscard]] bool is_by_messages(const Point& point);
[[nodiscard]] bool is_on_cards(const std::shared_ptr<const Backend>& backend);

/// The distribution of the repetitions' times, in microseconds; 0 if they are unknown.
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

/// Two times that differ by less tell nothing of two algorithms: what the model leaves open is more.
inline constexpr double least_margin_percent = 0.5;

/// Faults that checks have found, each once for an algorithm on a machine, with all numbers of ranks.
class FoundFaults {
 public:
  explicit FoundFaults(bool names_machines) : names_machines_(names_machines) {}

  void add(const Point& point, const std::string& found);
  /// A line for each, and below it some of the runtime's words to it.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  struct One {
    const Point& point; ///< the first of them
    std::string found;
    std::vector<int> ranks;
  };

  bool names_machines_;
  std::vector<One> all_;
};

/// True if the time is less than the limit that no algorithm can undercut.
[[nodiscard]] bool is_below_limit(const Point& point, const Result& result);
/// True if the point counts: nothing is wrong, and the time is possible.
[[nodiscard]] bool is_right(const Point& point, const Result& result);
/// That as a cell, empty where nothing has been looked at.
[[nodiscard]] Cell correctness_of(const Point& point, const Result& result);
/// "ok", "wrong", "below limit", or "-" where nothing has been looked at.
[[nodiscard]] std::string check_text(const Point& point, const Result& result);

/// Size by time in MiB/s; empty where nothing was timed.
[[nodiscard]] Cell bandwidth_of(const Point& point, const Result& result);
/// That, times what of the data has to pass the link of one rank, as nccl-tests define their "busbw"; empty
/// for an operation that they do not have.
[[nodiscard]] Cell bus_bandwidth_of(const Point& point, const Result& result);
/// That factor with n for the ranks: "2 (n - 1) / n".
[[nodiscard]] std::string_view bus_factor_text(const Operation& operation);

/// The rank that ended last, the lowest of several; empty where that is not told.
[[nodiscard]] Cell last_rank_of(const Result& result);
/// Time from the median rank's end to the last rank's, in microseconds; empty likewise.
[[nodiscard]] Cell last_behind_median(const Result& result);

/// The limit that no algorithm can undercut, and its share of a time: two cells, empty if it is unknown.
[[nodiscard]] std::vector<Cell> limit_cells(const Point& point, double us);
/// Their columns.
void add_limit_columns(Table& table, int digits = 3);
/// With --limits terms: a table of all reasons.
void add_limit_terms(Report& report, const CollectiveOptions& options, const std::vector<Point>& points);

/// Rows, settings, verdict and statistics of what was measured.
[[nodiscard]] Report collective_report(const std::string& title, const CollectiveOptions& options,
                                       const std::vector<Point>& points,
                                       const std::vector<std::optional<Result>>& timings);
/// With the status that it means: of an interruption, or 1 when bytes were wrong.
[[nodiscard]] Outcome outcome_of(Report report);

} // namespace rccebench
