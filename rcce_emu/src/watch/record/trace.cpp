// SPDX-License-Identifier: Apache-2.0
// `--trace`: a timeline, written as the run goes.
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "engine/ue/engines.hpp"
#include "engine/ue/job_state.hpp"
#include "mesh_sim/observe/critical_path.hpp"
#include "mesh_sim/observe/load.hpp"
#include "mesh_sim/observe/trace.hpp"
#include "mesh_sim/observe/trace_file.hpp"
#include "mesh_sim/output_file.hpp"
#include "mesh_sim/parts/topology.hpp"
#include "watch/record/recorded_run.hpp"
#include "watch/record/rows.hpp"

namespace rcce::record {
namespace {

constexpr RecordingOption trace_options[] = {
    {.names = "trace",
     .value = "FILE",
     .help = "timeline of calls, copies, waits and messages, as JSON that Perfetto (ui.perfetto.dev) opens; "
             "-: to stdout, and the program's output to stderr",
     .bench_help =
         "its timeline by rank, from the common release until each rank is done, as JSON that Perfetto "
         "(ui.perfetto.dev) opens, to the file",
     .of_one_run = true}};

std::size_t counter_bins(const mesh::Topology& topology) {
  return mesh::Trace::load_bins(static_cast<std::size_t>(topology.links() + topology.tiles() +
                                                         topology.controllers() +
                                                         topology.cores() * mesh::Load::activities));
}

class TraceRecording final : public Recording {
 public:
  explicit TraceRecording(const JobOptions& job) : Recording(trace_row), file_(value_of(job, "trace")) {}
  ~TraceRecording() override {
    if (fd_ < 0) return;
    close(fd_);
    drop_empty();
  }
  TraceRecording(const TraceRecording&) = delete;
  TraceRecording& operator=(const TraceRecording&) = delete;

  void prepare(const JobOptions& job, JobResult (*)(const JobOptions&)) override {
    const int opened = mesh::open_output(file_);
    fd_ = opened < 0 ? -1 : far_from_the_programs(opened);
    if (fd_ < 0) mesh::throw_unwritten("--trace", file_, errno);
    close(opened);
    if (file_ == mesh::standard_output) lend_standard_output(job);
  }

  void begin(RecordedRun& run) override {
    written_.emplace(fd_);
    const Capabilities can = capabilities_of(run.options());
    const mesh::Topology topology = run.options().machine.parameters().topology();
    if (can.contended) run.hear_part(load_.emplace(topology, counter_bins(topology)));
    run.hear_part(
        trace_.emplace(run.observers(), [this](std::string_view events) { written_->write(events); }));
    trace_->begin(traced_cores(run.job()), !can.wall_clock);
    with_path_ = run.options().recording.records.contains("why");
    if (with_path_) run.critical_path().keep_stays();
  }

  void end(RecordedRun& run, JobResult&) override {
    if (load_) add_load(run.job().engine());
    if (with_path_) trace_->critical_path(run.path().stays);
    trace_->end();
    written_->finish();
    drop_empty();
  }

  void write() const override {
    if (written_->error() != 0)
      mesh::throw_unwritten("--trace", file_, written_->error(),
                            is_regular() ? "; its last line says where it is cut" : "");
  }

 private:
  static std::vector<mesh::TracedCore> traced_cores(Job& job) {
    const mesh::Topology& topology = job.engine().topology();
    std::vector<mesh::TracedCore> cores;
    for (int rank = 0; rank < job.size(); ++rank) {
      const int core = job.ue(rank).core->id(), tile = job.engine().tile_of(core);
      const mesh::TileId place{tile};
      cores.push_back({core, tile, fmt::format("rank {} (core {:02})", rank, core),
                       fmt::format("tile ({},{})", topology.x(place), topology.y(place))});
    }
    return cores;
  }

  /// Its counters, after the run.
  void add_load(const Engine& engine) {
    const mesh::Topology& topology = engine.topology();
    const mesh::TimeBins& bins = load_->bins();
    std::vector<Picoseconds> busy(bins.bins());
    const auto each = [&](mesh::ResourceId::Kind kind, int count) {
      for (int number = 0; number < count; ++number) {
        const mesh::ResourceId id{kind, number};
        const std::size_t row = load_->row_of(id);
        for (std::size_t bin = 0; bin < busy.size(); ++bin) busy[bin] = bins.at(row, bin);
        trace_->load(engine.name_of(id), busy, bins.width());
      }
    };
    each(mesh::ResourceId::Kind::link, topology.links());
    each(mesh::ResourceId::Kind::mpb_port, topology.tiles());
    each(mesh::ResourceId::Kind::controller, topology.controllers());
  }

  /// Nothing could be written, or the run has not begun.
  void drop_empty() const {
    std::error_code ignored;
    if (is_regular() && std::filesystem::is_empty(file_, ignored)) std::filesystem::remove(file_, ignored);
  }
  [[nodiscard]] bool is_regular() const {
    std::error_code ignored;
    return std::filesystem::is_regular_file(file_, ignored);
  }

  std::string file_;
  int fd_ = -1;
  bool with_path_ = false; ///< with --why
  std::optional<mesh::TraceFile> written_;
  std::optional<mesh::Trace> trace_;
  std::optional<mesh::Load> load_;
};

} // namespace

constinit const RecordingRow trace_row{"trace", trace_options, make<TraceRecording>};

} // namespace rcce::record
