// SPDX-License-Identifier: Apache-2.0
// The options of a job that say what is recorded of its run (job_options.hpp has all).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mesh {
class Observer;
class Observers;
} // namespace mesh

namespace rcce {

/// The recordings of a run: options of recording_rows() (recordings.hpp) with their values, as {"matrix",
/// "m.csv"} or {"energy", ""}. Without a file, only the JobResult holds the recording. For other names
/// run_job() throws UserError.
using Records = std::map<std::string, std::string, std::less<>>;

/// The part of a run that is recorded. On each core it begins when the call `begins_after` returns, which
/// releases all cores at one instant, and ends when the next call `ends_with` returns. If there are several
/// such parts, `number` chooses one, counted from 0.
struct RecordedPart {
  std::string begins_after; ///< "rcce_sleep_until"
  std::string ends_with;    ///< "rcce_picoseconds"
  int number = 0;
};

/// The recordings of a run, and who watches it.
struct RecordOptions {
  Records records;
  /// The part that `matrix`, `why`, `profile` and `report` cover; empty: the whole run. With a part, the
  /// matrix also has the data that puts and gets copy between cores.
  std::optional<RecordedPart> part;
  /// Returns further observers, which must outlive the job; the argument knows the numbers of calls. Their
  /// allocations do not count as the program's.
  std::function<std::vector<mesh::Observer*>(mesh::Observers& told_by)> watch;
};

} // namespace rcce
