// SPDX-License-Identifier: Apache-2.0
// One point of a benchmark of collectives, on whatever machine, and what comes back.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab/program.hpp"
#include "lab/row.hpp"
#include "lab/spread.hpp"

namespace mesh {
struct Statistic;
using Statistics = std::vector<Statistic>;
} // namespace mesh

namespace lab {

class Backend;

struct Point {
  std::shared_ptr<const Machine> machine;
  std::string machine_name;               ///< as rows show it
  std::shared_ptr<const Backend> backend; ///< that has the algorithm and runs it
  std::string algorithm = {};             ///< "bcast/cube"
  Generation generation = Generation::rcce20;
  std::string copies = "own";
  int cores = 48; ///< ranks: cores, threads, or nodes of a cluster
  std::int64_t bytes = 0;
  std::map<std::string, std::string> options = {}; ///< by the parameter's name; others have their default
  int root = 0;
  int warm_up = 1, repetitions = 1;
  bool reads = true; ///< between repetitions every core reads its buffer, as a benchmark that checks does
  std::string type = "double", op = "sum"; ///< type and operator of an operation that combines elements
  Spread spread = {};                      ///< when the ranks arrive
  std::uint64_t seed = 1;                  ///< seed of the noise of a cluster
  bool statistics = false;                 ///< come back with the times
  bool fills_mesh = true;    ///< an algorithm that needs a core mesh is told that of the machine
  bool checks = false;       ///< before it is timed (check.hpp)
  bool tells_each = false;   ///< its row has the time of each repetition
  bool timed_singly = false; ///< mesh::cluster::Protocol::timed_singly
  bool moves_payload = true; ///< false: mesh::MessageBuffers::leave_payload(); nothing is filled or compared

  [[nodiscard]] const Row& row() const;
  [[nodiscard]] const Operation& operation() const { return operation_of(row().operation); }
  /// The value of one of the algorithm's parameters: asked for or its default; empty if the algorithm
  /// chooses.
  [[nodiscard]] std::string value(const Parameter& parameter) const;
  /// Elements of the message, where it has some.
  [[nodiscard]] std::int64_t elements() const { return bytes / element_bytes(type); }
  /// Every value that is settled, as the program takes them: "part=4096 fan_out=7"; of how calls are made
  /// only what differs from the defaults.
  [[nodiscard]] std::string options_text() const;
  /// Those that were asked for alone.
  [[nodiscard]] std::string asked_text() const;
  /// Everything that the result depends on, but for defaults: the same for equal points, on every
  /// host.
  [[nodiscard]] std::string key() const;
  /// For people, what it is about: "bcast/cube on 48 cores, 8192 bytes, root 0".
  [[nodiscard]] std::string title() const;
  /// The end of it, what the call is of: "8192 bytes, root 0". Empty for a barrier.
  [[nodiscard]] std::string call_text() const;
  /// As statistics say which run they are of: one word, "scc:bcast/cube:cores=48:bytes=8192:part=4096".
  [[nodiscard]] std::string run_name() const;
};

/// The first wrong byte that one rank has found, counted from the start of its buffer.
struct Fault {
  enum class Against : std::uint8_t {
    wanted,
    other_order, ///< the result after arrivals in another order
    rank_0       ///< rank 0's result of the same call
  };
  int rank = 0, repetition = 0;
  std::int64_t wrong = 0, first = 0;
  std::int64_t of_operand = 0;       ///< wrong bytes in the rank's own operand, which must not change
  Against against = Against::wanted; ///< the bytes differ from this
};

/// "rank 3 has 4096 wrong bytes, the first of them byte 4096"
[[nodiscard]] std::string text_of(const Fault& fault, const Operation& operation, int root);

/// The times of the fastest repetition or, if the ranks' arrivals are spread, the average of all: from the
/// arrival of the last rank (the common release if they are not spread) to each rank's end, over the ranks;
/// below 0 for a rank that ended before. The last rank's is the operation's time. In wall-clock time: the
/// median of several series.
struct Result {
  bool wall_clock = false; ///< the host's
  bool of_ranks = true;    ///< else of the operation as a whole alone
  double min_us = 0, avg_us = 0, max_us = 0;
  double lower_us = 0, upper_us = 0; ///< quartiles, in wall-clock time
  double spent_us = 0; ///< sum over the ranks of what each spent between its own arrival and its end
  double mean_us = 0;  ///< mean of the operation's time over all repetitions
  int fastest = 0;     ///< number of that repetition
  int last_rank = -1;  ///< who was last in it, the lowest of several; -1: not told
  /// The median of the ranks' ends (of an even number of ranks the lower one); below 0 too: see last_rank.
  double median_us = 0;
  std::vector<double> repetitions_us;     ///< time of each, where there are several; not on the host
  std::int64_t simulated_repetitions = 0; ///< repetitions that were simulated; the others equal the first
  std::uint64_t digest = 0;               ///< digest of every message's arrival, on clusters
  bool checked = true;                    ///< false: the vectors are too large to be combined, or not moved
  std::int64_t wrong_bytes = 0;
  std::string found;      ///< by the check: what is wrong; then nothing has been timed, and times are 0
  bool explored = false;  ///< every interleaving of a few threads is right
  bool counted = false;   ///< the check's counted calls in a row were carried out (check.hpp)
  bool undelayed = false; ///< the check's delays took too long (check.hpp)
  std::string printed; ///< by algorithms of the user's files, to standard output and then to standard error
  std::optional<Fault> fault; ///< fault of the lowest rank in the first repetition that went wrong
  std::shared_ptr<const mesh::Statistics> statistics; ///< statistics of the whole run, if asked for
  double host_us = 0; ///< processor time of the host per operation, start and warm-up included
};

/// The result of a point whose check has found that fault.
[[nodiscard]] Result refuted(std::string found);

/// As results are stored, without statistics: members that have their default are left out.
void to_json(nlohmann::json& json, const Result& result);
/// Throws nlohmann::json::exception.
void from_json(const nlohmann::json& json, Result& result);

/// Sums up what the ranks of a point have done.
class Summary {
 public:
  /// Picoseconds from the release: when the rank arrived and when it was done.
  void add(int repetition, int rank, std::int64_t arrived, std::int64_t done);
  [[nodiscard]] std::size_t repetitions() const { return of_.size(); }
  /// `average`: over the repetitions, each of which has arrivals of its own.
  void write(Result& to, bool average) const;

 private:
  struct Repetition {
    std::int64_t least = INT64_MAX, most = INT64_MIN, sum = 0;
    int last = -1;                               ///< who ended at `most`
    std::int64_t last_arrival = 0, arrivals = 0; ///< the latest, and the sum
    std::vector<std::int64_t> ends;              ///< of all ranks
  };
  std::map<int, Repetition> of_;
};

/// Processor time of this thread in seconds.
[[nodiscard]] double thread_seconds();

/// A choice of `auto`.
struct Choice {
  std::string algorithm;
  std::map<std::string, std::string> options;
};

} // namespace lab
