// SPDX-License-Identifier: Apache-2.0
// Who watches a job, by its options.
#pragma once

#include <deque>
#include <optional>

#include "mesh_sim/observe/critical_path.hpp"
#include "mesh_sim/observe/digest.hpp"
#include "mesh_sim/observe/load.hpp"
#include "mesh_sim/observe/matrix.hpp"
#include "mesh_sim/observe/resource_usage.hpp"
#include "mesh_sim/observe/served.hpp"
#include "mesh_sim/observe/timeline.hpp"
#include "mesh_sim/observe/trace.hpp"
#include "mesh_sim/observe/transfers.hpp"
#include "mesh_sim/observe/usage.hpp"
#include "rcce_emu/job.hpp"
#include "run/measured_part.hpp"
#include "run/profile.hpp"
#include "run/trace_file.hpp"

namespace rcce {

class Job;

/// An observer of whoever runs the job: what it allocates while a UE runs is none of that UE's memory.
class OutsideObserver final : public mesh::Observer {
 public:
  explicit OutsideObserver(mesh::Observer& inner) : inner_(inner) {}

  [[nodiscard]] mesh::Told wants() const override { return inner_.wants(); }
  void core_starts(int core, Picoseconds at) override;
  void core_ends(int core, Picoseconds at) override;
  void switches(int from, int to) override;
  void call_begins(const mesh::Call& call) override;
  void call_ends(const mesh::Call& call) override;
  void message(const mesh::Message& message) override;
  void issued(const mesh::Access& access) override;
  void acted(const mesh::Access& access) override;
  void ended(const mesh::Access& access, Picoseconds begin) override;
  void wait_begins(const mesh::Wait& wait) override;
  void wait_ends(const mesh::Wait& wait) override;
  void served(const mesh::Service& service) override;
  void touched(const mesh::Touch& touch) override;
  void looped(int core, Picoseconds at) override;
  void fact(const mesh::Fact& fact) override;
  void unfinished(const mesh::Unfinished& core) override;

 private:
  mesh::Observer& inner_;
};

class JobObservers {
 public:
  explicit JobObservers(const JobOptions& options);
  JobObservers(const JobObservers&) = delete;
  JobObservers& operator=(const JobObservers&) = delete;

  [[nodiscard]] mesh::Observers& all() noexcept { return all_; }
  /// Before the run, once its cores are known.
  void begin(Job& job);
  /// After the run: puts what they have seen into the result.
  void report(Job& job, JobResult& result);

 private:
  /// After the run: what it has left unfinished lasts until its end.
  void close(Job& job, JobResult& result);
  /// In the whole run, or in the part that is asked for.
  void watch(mesh::Observer& observer);
  [[nodiscard]] mesh::Statistics pairs(Job& job, const JobResult& result, bool with_copies) const;
  [[nodiscard]] std::string figures(Job& job, const JobResult& result) const;
  /// Its counters, after the run.
  void trace_load(const Engine& engine);

  std::optional<mesh::Digest> digest_;
  /// Those below that tell of a part of the run hear of it from there.
  std::optional<run::MeasuredPart> part_;
  std::optional<mesh::Usage> usage_;
  std::optional<mesh::ResourceUsage> resource_usage_;
  std::optional<mesh::Matrix> matrix_;
  std::optional<mesh::Transfers> transfers_;
  std::optional<mesh::Served> served_;
  std::optional<mesh::CriticalPath> path_;
  std::optional<run::Profile> profile_;
  std::optional<mesh::Load> load_;
  std::optional<mesh::Timeline> timeline_;
  std::optional<run::TraceFile> trace_file_;
  std::optional<mesh::Trace> trace_;
  std::optional<mesh::Load> trace_load_;
  std::deque<OutsideObserver> others_;
  mesh::Observers all_;
};

} // namespace rcce
