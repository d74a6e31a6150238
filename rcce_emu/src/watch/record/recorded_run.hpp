// SPDX-License-Identifier: Apache-2.0
// A run with its recordings: makes those that the options ask for, leads them through the run, and holds what
// several of them share.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "mesh_sim/observe/measured_part.hpp"
#include "mesh_sim/observe/observers.hpp"
#include "rcce_emu/job_result.hpp"
#include "watch/record/event_log.hpp"
#include "watch/record/outside_observer.hpp"

namespace mesh {
class CriticalPath;
class LockUsage;
class Matrix;
class ResourceUsage;
class Transfers;
class Usage;
struct Path;
} // namespace mesh

namespace rcce {
class Job;
struct JobOptions; // rcce_emu/job_options.hpp
} // namespace rcce

namespace rcce::record {

class RecordedRun {
 public:
  /// Throws UserError where the run cannot be recorded as it is asked for.
  explicit RecordedRun(const JobOptions& options);
  ~RecordedRun();
  RecordedRun(const RecordedRun&) = delete;
  RecordedRun& operator=(const RecordedRun&) = delete;

  // As Recording has them.
  void prepare(JobResult (*run)(const JobOptions&));
  void begin(Job& job);
  void stopped(Outcome outcome);
  void end(JobResult& result);

  [[nodiscard]] mesh::Observers& observers() noexcept { return all_; }
  [[nodiscard]] const mesh::Observers& observers() const noexcept { return all_; }

  // For the recordings, from begin() on:
  [[nodiscard]] Job& job() noexcept { return *job_; }
  [[nodiscard]] const JobOptions& options() const noexcept { return options_; }
  /// Hears of the whole run: where each UE has a process, of all UEs once the run is over, by calls and
  /// messages alone.
  void hear(mesh::Observer& observer) { (by_processes_ ? replayed_ : all_).add(observer); }
  /// Hears of the whole run, or of the part that the options name.
  void hear_part(mesh::Observer& observer);
  /// The same for what has to hear while the UE is in its call: of those of this process.
  void hear_here(mesh::Observer& observer);
  /// That part; null: all of the run.
  [[nodiscard]] const mesh::MeasuredPart* part() const noexcept { return part_ ? &*part_ : nullptr; }
  /// Counts links, buffers and controllers, once for all who ask before the run.
  [[nodiscard]] mesh::ResourceUsage& resources();
  /// The cores' use of time, counted once for all who ask before the run.
  mesh::Usage& usage();
  /// Who holds the locks and who waits for them, of the whole run or of that part, once for all who ask
  /// before it.
  mesh::LockUsage& locks();
  /// The critical path of the whole run or of that part, found once for all who ask before it.
  mesh::CriticalPath& critical_path();
  /// Links between two cores.
  [[nodiscard]] std::function<int(int, int)> distance() const;
  /// Counts messages between pairs, and copies where no message goes, of that part. Before the run.
  void count_pairs(bool with_copies);

  // In end():
  [[nodiscard]] mesh::Statistics pairs(const JobResult& result, bool with_copies) const;
  /// The path of critical_path(), which somebody has asked for.
  [[nodiscard]] const mesh::Path& path();
  [[nodiscard]] std::string name_of(mesh::ResourceId resource) const;
  /// The latest clock of any core.
  [[nodiscard]] Picoseconds end() const;

 private:
  void prepare_processes();
  /// At rank 0 the recordings hear of the other processes' UEs; elsewhere their part is over.
  void exchange(JobResult& result);
  /// Closes unfinished operations at the end of the run.
  void close(JobResult& result);

  const JobOptions& options_;
  const bool by_processes_; ///< each UE has one
  const bool elsewhere_;    ///< that of rank 0 is another
  std::vector<std::shared_ptr<Recording>> recordings_;
  Job* job_ = nullptr;
  std::optional<mesh::MeasuredPart> part_;
  // Those that somebody has asked for.
  std::unique_ptr<mesh::ResourceUsage> resources_;
  std::unique_ptr<mesh::Usage> usage_;
  std::unique_ptr<mesh::LockUsage> locks_;
  std::unique_ptr<mesh::CriticalPath> critical_path_;
  std::unique_ptr<const mesh::Path> path_; ///< once it has been read
  std::unique_ptr<mesh::Matrix> messages_;
  std::unique_ptr<mesh::Transfers> copies_;
  std::deque<OutsideObserver> others_;
  mesh::Observers all_;
  mesh::Observers replayed_;    ///< who hears of all processes' UEs after the run
  std::optional<EventLog> log_; ///< the events of this process for those observers
};

} // namespace rcce::record
