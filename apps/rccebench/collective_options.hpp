// The options that the benchmarks of collectives share, and the points they ask for.
#pragma once

#include <string>
#include <vector>

#include "collective.hpp"
#include "commands.hpp"

namespace rccebench {

struct CollectiveOptions {
  explicit CollectiveOptions(algorithms::Operation what) : operation(what) {}

  algorithms::Operation operation;
  CommonOptions common;
  std::string sizes, cores = "48", algorithms, part_bytes, pipe_bytes, line_order, rcce = "2.0",
                     copies = "own";
  int root = 0, fan_out = 0, stages = 0, warm_up = -1,
      repetitions = 1; ///< warm_up -1: what the steady state needs
  unsigned jobs = 0;
  bool no_check = false;

  /// Adds what every command on collectives has. `sizes` and `cores` hold the defaults.
  void add_to(Command& command);

  /// One point for each algorithm, core count, size and part or pipe size, in this order, on one machine; the
  /// part sizes only where the algorithm cuts.
  [[nodiscard]] std::vector<Collective> points() const;
  [[nodiscard]] std::vector<Collective> points_on(const std::shared_ptr<const Machine>& machine,
                                                  const std::string& name,
                                                  const std::vector<std::int64_t>& core_counts) const;

  [[nodiscard]] int actual_warm_up() const;
  [[nodiscard]] std::vector<std::string> chosen_algorithms() const;
  /// What the run was asked to do, for the head of its report.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> settings(const std::string& machine) const;
};

/// The names of an operation's algorithms in the table's order.
[[nodiscard]] std::vector<std::string_view> names_of(algorithms::Operation operation);

/// Rows, settings and verdict of what was measured. Writes it, and returns the command's status: 1 when bytes
/// were wrong.
[[nodiscard]] Report collective_report(const std::string& title, const CollectiveOptions& options,
                                       const std::vector<Collective>& points,
                                       const std::vector<std::optional<Timing>>& timings);
[[nodiscard]] Status finish(Report report, const CommonOptions& common);

} // namespace rccebench
