// SPDX-License-Identifier: Apache-2.0
// The options that the benchmarks of collectives share, and the points they ask for.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "collective.hpp"
#include "commands.hpp"
#include "records.hpp"

namespace rccebench {

struct CollectiveOptions {
  std::string operation = "bcast";
  std::shared_ptr<const Catalogue> catalogue;
  CommonOptions common;
  RecordOptions records; ///< of commands on one operation
  std::string sizes, cores = "48", algorithms, rcce = "2.0", copies = "own";
  std::vector<std::string> files; ///< --with
  std::map<std::string, std::string>
      asked; ///< lists of values, by the parameter's name; empty: not asked for
  int root = 0, warm_up = -1, repetitions = 1; ///< warm_up -1: what the steady state needs
  std::string type = "double", op = "sum", spread = "none";
  int seed = 1;
  unsigned jobs = 0;
  bool no_check = false;

  /// Adds what every command on collectives has; `sizes` and `cores` hold the defaults. Options of the
  /// algorithms follow from the table, and so from the `words` of the command line where files of the user's
  /// are named.
  void add_to(Command& command, const std::vector<std::string>& words);
  /// Adds --operation, for commands that serve all of them; after add_to.
  void add_operation_to(Command& command);

  /// One point for each algorithm, core count, size and combination of values, in this order, on one machine.
  [[nodiscard]] std::vector<Collective> points() const;
  /// The same on each machine that --set asks for; elsewhere that has one value of each.
  [[nodiscard]] std::vector<Collective> swept_points() const;
  [[nodiscard]] std::vector<Collective> points_on(Machine machine) const;
  [[nodiscard]] std::vector<Collective> points_on(const std::shared_ptr<const Machine>& machine,
                                                  const std::string& name,
                                                  const std::vector<std::int64_t>& core_counts) const;

  [[nodiscard]] const Operation& facts() const { return catalogue->operation(operation); }
  [[nodiscard]] int actual_warm_up() const;
  [[nodiscard]] std::vector<std::string> chosen_algorithms() const;
  /// What the run was asked to do, for the head of its report.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> settings(const std::string& machine) const;

 private:
  [[nodiscard]] std::vector<Parameter> parameters() const;
};

/// Whether the command line names the option: "--cores 5" or "--cores=5".
[[nodiscard]] bool is_given(const std::vector<std::string>& words, const std::string& option);

/// Rows, settings, verdict, statistics and curves in text of what was measured.
[[nodiscard]] Report collective_report(const std::string& title, const CollectiveOptions& options,
                                       const std::vector<Collective>& points,
                                       const std::vector<std::optional<Timing>>& timings);
/// With the status that it means: of an interruption, or 1 when bytes were wrong.
[[nodiscard]] Outcome outcome_of(Report report);

} // namespace rccebench
