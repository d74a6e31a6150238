// One point of a benchmark of collectives: what is run on the simulated cores (programs/collective.c) and
// what comes back.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/table.hpp"
#include "report.hpp"
#include "ue_program.hpp"

namespace rccebench {

/// What the program for large meshes is compiled for (CMakeLists.txt).
inline constexpr std::int64_t most_program_cores = 2048;

struct Collective {
  std::shared_ptr<const Machine> machine;
  std::string machine_name; ///< as rows show it
  algorithms::Operation operation = algorithms::Operation::bcast;
  std::string algorithm; ///< "bcast/cube"
  Generation generation = Generation::rcce20;
  std::string copies = "own";
  int cores = 48;
  std::int64_t bytes = 0;
  std::int64_t part_bytes = 0, pipe_bytes = 0; ///< 0: the algorithm's default
  int fan_out = 0, stages = 0;                 ///< 0: the algorithm's default
  std::string line_order = {};                 ///< empty: the algorithm's default
  int root = 0;
  int warm_up = 1, repetitions = 1;
  bool reads = true; ///< between repetitions every core reads its buffer, as a benchmark that checks does

  /// What the algorithm cuts by: asked for or its default; 0 where it cuts nothing.
  [[nodiscard]] std::int64_t actual_part_bytes() const;
  [[nodiscard]] std::int64_t actual_pipe_bytes() const;
  /// The same machine and operation as the model of predictions takes them.
  [[nodiscard]] algorithms::Platform platform() const;
  [[nodiscard]] algorithms::Call call() const;
  /// The model's closed-form prediction, if the algorithm has one.
  [[nodiscard]] std::optional<double> predicted_us() const;
  /// A guess of the host time, for the order of a sweep.
  [[nodiscard]] double weight() const;
};

/// Of the repetition that was fastest: times from the common release to each rank's end, over the ranks. The
/// last rank's is the operation's time.
struct Timing {
  double min_us = 0, avg_us = 0, max_us = 0;
  double mean_us = 0; ///< of the operation's time over all repetitions
  std::int64_t wrong_bytes = 0;
  double host_us = 0; ///< processor time of the host per operation, start and warm-up included
};

[[nodiscard]] Timing measure(const Collective& what);

/// Measures all, side by side; empty where Ctrl-C came first.
[[nodiscard]] std::vector<std::optional<Timing>> measure_all(const std::vector<Collective>& points,
                                                             unsigned threads);

/// The columns that every command has, and a row of them.
[[nodiscard]] std::vector<Column> collective_columns();
[[nodiscard]] std::vector<Cell> collective_row(const Collective& what, const Timing& timing);

} // namespace rccebench
