// SPDX-License-Identifier: Apache-2.0
// `--statistics`, `--energy`: what cores, calls, links, buffers and controllers did.
#include <fmt/format.h>
#include <vector>

#include "engine/ue/engines.hpp"
#include "engine/ue/job_state.hpp"
#include "mesh_sim/observe/lock_usage.hpp"
#include "mesh_sim/observe/resource_usage.hpp"
#include "mesh_sim/observe/statistics.hpp"
#include "mesh_sim/observe/usage.hpp"
#include "mesh_sim/output_file.hpp"
#include "watch/record/recorded_run.hpp"
#include "watch/record/rows.hpp"

namespace rcce::record {
namespace {

constexpr RecordingOption statistics_options[] = {
    {.names = "statistics stats",
     .value = "[=FILE]",
     .help = "what cores, calls, links, buffers and controllers did, the busiest first. Without FILE a table "
             "on stderr. FILE ending in .csv or .json has that format, else a table",
     .of_one_run = true},
    {.names = "statistics-format",
     .value = "table|csv|json",
     .help = "format of the statistics, whatever FILE ends in",
     .of_one_run = true},
    {.names = "energy", .help = "energy by voltage domain, on stderr, or among the statistics"}};

std::vector<mesh::Usage::Life> lives_of(const JobResult& result, int cores) {
  std::vector<mesh::Usage::Life> lives(static_cast<std::size_t>(cores));
  for (const UeResult& ue : result.ues)
    lives[static_cast<std::size_t>(ue.core)] = {0, ue.ended ? ue.end : result.end};
  return lives;
}

class StatisticsRecording final : public Recording {
 public:
  explicit StatisticsRecording(const JobOptions& job)
      : Recording(statistics_row),
        file_(value_of(job, "statistics")),
        format_(mesh::statistics_format(file_)),
        energy_(job.recording.records.contains("energy")) {
    if (job.recording.records.contains("statistics") || job.recording.records.contains("statistics-format")) {
      need_contended(job, "--statistics");
      uses_ = true;
    }
    if (energy_)
      need(job, capabilities_of(job).contended, "--energy",
           "there is no simulated time that all cores share");
    if (const std::string format = value_of(job, "statistics-format"); !format.empty())
      format_ = mesh::statistics_format("." + format);
  }

  void begin(RecordedRun& run) override {
    if (!uses_) return;
    (void)run.usage();
    (void)run.locks();
    resources_ = &run.resources();
  }
  void end(RecordedRun& run, JobResult& result) override {
    Engine& engine = run.job().engine();
    if (uses_) {
      run.usage().report(table_, run.observers().call_names(), lives_of(result, engine.cores()));
      add_own_code(run.options(), result);
      engine.statistics(table_);
      run.usage().report_distances(table_);
      run.locks().report(table_, run.end());
      resources_->report(
          table_, [&](mesh::ResourceId one) { return run.name_of(one); }, run.end());
    }
    if (energy_) engine.energy(table_);
  }
  void write() const override {
    if (!table_.empty()) mesh::write_text("--statistics", file_, mesh::write_statistics(table_, format_));
  }

 private:
  void add_own_code(const JobOptions& job, const JobResult& result) {
    if (!counts(job.library.compute)) return;
    for (const UeResult& ue : result.ues) {
      const auto add = [&](const mesh::StatisticKind& kind, Picoseconds time) {
        mesh::add(table_, kind, {{"core", fmt::format("{}", ue.core)}}, mesh::microseconds(time));
      };
      add(mesh::core_own_code, ue.computed);
      if (ue.l2 < 0) continue;
      add(mesh::core_own_code_l2, ue.l2);
      add(mesh::core_own_code_memory, ue.memory - ue.l2);
    }
  }

  std::string file_;
  mesh::StatisticsFormat format_;
  bool energy_;
  bool uses_ = false; ///< false: energy alone
  const mesh::ResourceUsage* resources_ = nullptr;
};

/// The statistics that the machine counts anyway. Takes no host time.
class MachineStatistics final : public Recording {
 public:
  explicit MachineStatistics(const JobOptions& job) : Recording(machine_statistics_row) {
    need_contended(job, "--statistics");
  }
  void begin(RecordedRun&) override {}
  void end(RecordedRun& run, JobResult&) override { run.job().engine().statistics(table_); }
};

} // namespace

constinit const RecordingRow statistics_row{"statistics", statistics_options, make<StatisticsRecording>};
constinit const RecordingRow machine_statistics_row{"machine-statistics", {}, make<MachineStatistics>};

} // namespace rcce::record
