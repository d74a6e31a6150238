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
  std::vector<std::shared_ptr<const Backend>> backends; ///< back ends of the machines, each once
  CommonOptions common;
  RecordOptions records; ///< recordings, for commands on one operation
  static constexpr const char *usual_generation = "2.0", *usual_copies = "own";
  std::string sizes, cores = "48", algorithms, rcce = usual_generation, copies = usual_copies,
                     payload = "moved";
  std::vector<std::string> files; ///< --with
  std::map<std::string, std::string>
      asked; ///< lists of values, by the parameter's name; empty: not asked for
  int root = 0, warm_up = -1, repetitions = 1; ///< warm_up -1: what the steady state needs
  std::string type = "double", op = "sum", spread = "none";
  int seed = 1;
  unsigned jobs = 0;
  bool no_check = false, sensitivity = false;
  std::string limits = "column";  ///< or "terms"
  std::string elements;           ///< in place of sizes; empty: not asked for
  bool per_rank = false;          ///< sizes are of one rank's block, where the operation has blocks
  bool last = false;              ///< tables say how far behind the others the last rank was
  std::string bandwidth = "size"; ///< or "bus": as nccl-tests count it, too
  /// These options are given.
  bool some_cores = false, some_sizes = false, some_repetitions = false, some_operation = false;
  bool with_automatic = true; ///< for `compare`: measures the choice of `auto` too

  /// Adds what every command on collectives has; `sizes` and `cores` hold the defaults. Options of the
  /// algorithms follow from the machines, the operation and the files of the user's that are asked for.
  void add_to(Command& command);
  /// Adds --operation, for commands that serve all of them; after add_to.
  void add_operation_to(Command& command);
  /// Adds --per-rank, for commands whose rows may have other sizes on other numbers of cores.
  void add_per_rank_to(Command& command);
  /// Adds --bandwidth and --last, for commands with a table of all points.
  void add_columns_to(Command& command);

  /// One point for each algorithm, core count, size and combination of values, in this order, on one machine.
  [[nodiscard]] std::vector<Point> points() const;
  /// The same on each machine that --set asks for; elsewhere that has one value of each.
  [[nodiscard]] std::vector<Point> swept_points() const;
  [[nodiscard]] std::vector<Point> points_on(Machine machine) const;
  /// Throws UserError where options are of messages by RCCE and no point has any.
  void refuse_without_messages(const std::vector<Point>& points) const;
  [[nodiscard]] std::vector<Point> points_on(const std::shared_ptr<const Machine>& machine,
                                             const std::string& name,
                                             const std::vector<std::int64_t>& core_counts) const;

  [[nodiscard]] const Operation& facts() const { return operation_of(operation); }
  [[nodiscard]] std::string element_type() const; ///< int, long, float or double
  /// Bytes; one 0 where the operation has no message.
  [[nodiscard]] std::vector<std::int64_t> message_sizes() const;
  /// The chosen algorithms of one of the back ends, or of all. Throws mesh::UserError for a name that none of
  /// them has.
  [[nodiscard]] std::vector<std::string> chosen_algorithms(const Backend* of = nullptr) const;
  /// The settings of the run, for the head of its report.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>>
  settings(const std::vector<Point>& points) const;
  /// True if one of the machines has an algorithm of the operation on network cards.
  [[nodiscard]] bool runs_on_cards() const;

 private:
  [[nodiscard]] std::vector<Parameter> parameters() const;
};

} // namespace rccebench
