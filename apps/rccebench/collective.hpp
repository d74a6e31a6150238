// SPDX-License-Identifier: Apache-2.0
// One point of a benchmark of collectives: what is run on the simulated cores (programs/collective.c) and
// what comes back.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrival.hpp"
#include "catalogue.hpp"
#include "report.hpp"
#include "ue_program.hpp"

namespace rccebench {

/// What the program for large meshes is compiled for (CMakeLists.txt).
inline constexpr std::int64_t most_program_cores = 2048;

struct Collective {
  std::shared_ptr<const Machine> machine;
  std::string machine_name; ///< as rows show it
  std::shared_ptr<const Catalogue> catalogue = Catalogue::standard();
  std::string algorithm; ///< "bcast/cube"
  Generation generation = Generation::rcce20;
  std::string copies = "own";
  int cores = 48;
  std::int64_t bytes = 0;
  std::map<std::string, std::string> options =
      {}; ///< by the parameter's name; others have their standard value
  int root = 0;
  int warm_up = 1, repetitions = 1;
  bool reads = true; ///< between repetitions every core reads its buffer, as a benchmark that checks does
  std::string type = "double", op = "sum"; ///< of the elements that an operation combines
  Spread spread = {};                      ///< when the ranks arrive
  bool statistics = false;                 ///< come back with the times
  bool fills_mesh = true; ///< an algorithm that needs a core mesh is told that of the machine

  [[nodiscard]] const Algorithm& row() const { return catalogue->algorithm(algorithm); }
  [[nodiscard]] const Operation& operation() const { return catalogue->operation(row().operation); }
  /// Of one of the algorithm's parameters: asked for or its standard; empty where the algorithm chooses.
  [[nodiscard]] std::string value(const Parameter& parameter) const;
  /// Elements of the message, where it has some.
  [[nodiscard]] std::int64_t elements() const;
  /// Every value that is settled, as the program takes them: "part=4096 fan_out=7".
  [[nodiscard]] std::string options_text() const;
  /// Those that were asked for alone.
  [[nodiscard]] std::string asked_text() const;
  /// As statistics say which run they are of: one word, "scc:bcast/cube:cores=48:bytes=8192:part=4096".
  [[nodiscard]] std::string run_name() const;
  /// A guess of the host time, for the order of a sweep.
  [[nodiscard]] double weight() const;
};

/// The first wrong byte that one rank has found, counted from the start of its buffer.
struct Fault {
  int rank = 0, repetition = 0;
  std::int64_t wrong = 0, first = 0;
  std::int64_t of_operand = 0; ///< of the wrong ones those in the rank's own operand, which is to stay
};

/// Of the repetition that was fastest, or, where the ranks' arrivals are spread, on the average of all: times
/// from the arrival of the last rank, the common release where they are not spread, to each rank's end, over
/// the ranks; below 0 for a rank that was done before. The last rank's is the operation's time.
struct Timing {
  double min_us = 0, avg_us = 0, max_us = 0;
  double spent_us = 0; ///< sum over the ranks of what each spent between its own arrival and its end
  double mean_us = 0;  ///< of the operation's time over all repetitions
  int fastest = 0;     ///< number of that repetition
  std::int64_t wrong_bytes = 0;
  std::optional<Fault> fault;  ///< of the lowest rank in the first repetition that went wrong
  mesh::Statistics statistics; ///< of the whole run, where they are asked for
  double host_us = 0;          ///< processor time of the host per operation, start and warm-up included
};

/// `watch` as rcce::JobOptions has it.
[[nodiscard]] Timing measure(const Collective& what,
                             const std::function<std::vector<mesh::Observer*>(mesh::Observers&)>& watch = {});
/// The same run with what it records: matrix, path and profile of the repetition of that number alone, from
/// the common release until each rank is done.
[[nodiscard]] Output recorded(const Collective& what, const Recorded& records, int repetition);

/// The figures of an HTML report that show that repetition: die, each core's time, who sends data to whom.
[[nodiscard]] nlohmann::ordered_json recorded_figures(const Collective& what, int repetition);

/// Measures all, side by side; empty where Ctrl-C came first.
[[nodiscard]] std::vector<std::optional<Timing>> measure_all(const std::vector<Collective>& points,
                                                             unsigned threads);

/// What `auto` takes on such a machine and number of cores, by size; nothing for a size where it takes none.
struct Choice {
  std::string algorithm;
  std::map<std::string, std::string> options;
};
[[nodiscard]] std::map<std::int64_t, Choice> choices(const Collective& like,
                                                     const std::vector<std::int64_t>& sizes);

/// Bytes of an element of one of RCCE's types.
[[nodiscard]] std::int64_t element_bytes(const std::string& type);

/// The columns that every command has, and a row of them. `parameters` are those that get a column each: of
/// all algorithms in the table, by name. `spread`: arrivals are.
[[nodiscard]] std::vector<Parameter> parameters_of(const std::vector<Collective>& points);
[[nodiscard]] std::vector<Column>
collective_columns(const Operation& operation, const std::vector<Parameter>& parameters, bool spread = false);
[[nodiscard]] std::vector<Cell> collective_row(const Collective& what, const Timing& timing,
                                               const std::vector<Parameter>& parameters);

} // namespace rccebench
