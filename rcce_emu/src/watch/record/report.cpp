// SPDX-License-Identifier: Apache-2.0
// `--report`: the run as an HTML page.
#include <algorithm>
#include <cerrno>
#include <optional>
#include <unistd.h>

#include "engine/ue/engines.hpp"
#include "engine/ue/job_state.hpp"
#include "mesh_sim/observe/critical_path.hpp"
#include "mesh_sim/observe/load.hpp"
#include "mesh_sim/observe/lock_usage.hpp"
#include "mesh_sim/observe/resource_usage.hpp"
#include "mesh_sim/observe/served.hpp"
#include "mesh_sim/observe/statistics.hpp"
#include "mesh_sim/observe/timeline.hpp"
#include "mesh_sim/observe/usage.hpp"
#include "mesh_sim/output_file.hpp"
#include "mesh_sim/parts/topology.hpp"
#include "rcce_emu/report_page.hpp"
#include "watch/record/recorded_run.hpp"
#include "watch/record/report_document.hpp"
#include "watch/record/rows.hpp"
#include "watch/record/run_figures.hpp"

namespace rcce::record {
namespace {

constexpr RecordingOption report_options[] = {
    {.names = "report",
     .value = "FILE",
     .help = "the run as a self-contained HTML page: the die with its load over time, who sends to whom, "
             "what each core does, a timeline; -: to stdout, and the program's output to stderr",
     .of_one_run = true}};

/// Bins of a load over time on a page that several runs share.
constexpr std::size_t part_bins = 32;

/// True if links, buffers and controllers are contended for.
bool is_contended(const JobOptions& job) {
  constexpr std::string_view contention = "mesh.contention";
  return !job.machine.has(contention) || job.machine.text(contention) != "off";
}

class ReportRecording final : public Recording {
 public:
  explicit ReportRecording(const JobOptions& job) : Recording(report_row), file_(value_of(job, "report")) {
    need_contended(job, "--report");
  }
  ~ReportRecording() override {
    if (page_fd_ >= 0) close(page_fd_);
  }
  ReportRecording(const ReportRecording&) = delete;
  ReportRecording& operator=(const ReportRecording&) = delete;

  void prepare(const JobOptions& job, JobResult (*)(const JobOptions&)) override {
    if (file_ != mesh::standard_output || job.output.sink) return;
    page_fd_ = far_from_the_programs(STDOUT_FILENO);
    if (page_fd_ < 0) mesh::throw_unwritten("--report", file_, errno);
    lend_standard_output(job);
  }

  void begin(RecordedRun& run) override {
    const mesh::Topology topology = run.options().machine.parameters().topology();
    resources_ = &run.resources();
    run.count_pairs(true);
    (void)run.locks();
    if (run.part() == nullptr) (void)run.usage();
    const std::size_t bins = load_bins(topology);
    run.hear_part(load_.emplace(topology, run.part() != nullptr ? std::min(bins, part_bins) : bins));
    run.hear_part(timeline_.emplace(topology.cores(), most_slices));
    run.critical_path().keep_stays();
    if (run.part() != nullptr) run.hear_part(served_.emplace());
  }

  void end(RecordedRun& run, JobResult& result) override {
    const mesh::MeasuredPart* const part = run.part();
    const auto name_of = [&](mesh::ResourceId one) { return run.name_of(one); };
    mesh::Statistics links;
    if (part != nullptr)
      served_->report(links, name_of, part->end());
    else
      resources_->report(links, name_of, run.end());
    std::vector<UeResult> ues = result.ues;
    if (part != nullptr)
      for (UeResult& ue : ues) ue.end = part->end(ue.core);
    const JobOptions& job = run.options();
    const mesh::Statistics pairs = run.pairs(result, true);
    text_ = run_figures({run.job().engine().topology(), *load_, *timeline_, links, pairs,
                         run.observers().call_names(), ues, part != nullptr ? part->end() : result.end,
                         is_contended(job), job.library.compute != ComputeModel::none, result.unfinished,
                         result.open_messages,
                         part != nullptr ? std::span<const mesh::AccessTimes>() : run.usage().times(),
                         run.locks().locks(part != nullptr ? part->end() : run.end()), run.path().stays});
    if (!file_.empty())
      page_ = report_page(report_title(job),
                          report_document({job, result, run.pairs(result, part != nullptr), links, text_}));
  }

  void write() const override {
    if (file_.empty()) return;
    if (page_fd_ >= 0) dup2(page_fd_, STDOUT_FILENO);
    mesh::write_output("--report", file_, page_);
  }

 private:
  std::string file_, page_;
  int page_fd_ = -1; ///< the former standard output, if the page goes there
  const mesh::ResourceUsage* resources_ = nullptr;
  std::optional<mesh::Load> load_;
  std::optional<mesh::Timeline> timeline_;
  std::optional<mesh::Served> served_;
};

} // namespace

constinit const RecordingRow report_row{"report", report_options, make<ReportRecording>};

} // namespace rcce::record
