// Who watches a job, by its options.
#pragma once

#include <optional>

#include "mesh_sim/observe/critical_path.hpp"
#include "mesh_sim/observe/digest.hpp"
#include "mesh_sim/observe/load.hpp"
#include "mesh_sim/observe/matrix.hpp"
#include "mesh_sim/observe/resource_usage.hpp"
#include "mesh_sim/observe/timeline.hpp"
#include "mesh_sim/observe/trace.hpp"
#include "mesh_sim/observe/usage.hpp"
#include "rcce_emu/job.hpp"
#include "run/profile.hpp"
#include "run/trace_file.hpp"

namespace rcce {

class Job;

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
  /// Its counters, after the run.
  void trace_load(const Engine& engine);

  std::optional<mesh::Digest> digest_;
  std::optional<mesh::Usage> usage_;
  std::optional<mesh::ResourceUsage> resource_usage_;
  std::optional<mesh::Matrix> matrix_;
  std::optional<mesh::CriticalPath> path_;
  std::optional<run::Profile> profile_;
  std::optional<mesh::Load> load_;
  std::optional<mesh::Timeline> timeline_;
  std::optional<run::TraceFile> trace_file_;
  std::optional<mesh::Trace> trace_;
  std::optional<mesh::Load> trace_load_;
  mesh::Observers all_;
};

} // namespace rcce
