#include "job_observers.hpp"

#include <fmt/format.h>

#include "engine/engines.hpp"
#include "job_state.hpp"

namespace rcce {
namespace {

mesh::Statistics links_of(const Engine& engine) {
  mesh::Statistics all;
  engine.statistics(all);
  std::erase_if(all, [](const mesh::Statistic& one) {
    const auto of = [&](std::string_view family) { return one.name.starts_with(family); };
    return !of("link.") && !of("mpb_port.") && !of("controller.");
  });
  return all;
}

} // namespace

JobObservers::JobObservers(const JobOptions& options) {
  if (options.digest) all_.add(digest_.emplace());
  if (options.statistics) all_.add(usage_.emplace(options.machine.cores()));
  if (options.matrix) all_.add(matrix_.emplace());
  if (options.why) all_.add(path_.emplace(options.machine.cores()));
  if (options.trace_fd >= 0) {
    trace_file_.emplace(options.trace_fd);
    all_.add(trace_.emplace(all_, [this](std::string_view events) { trace_file_->write(events); }));
  }
}

void JobObservers::begin(Job& job) {
  if (!trace_) return;
  const mesh::Topology& topology = job.engine().topology();
  std::vector<mesh::TracedCore> cores;
  for (int rank = 0; rank < job.size(); ++rank) {
    const int core = job.ue(rank).core->id(), tile = job.engine().tile_of(core);
    const mesh::TileId place{tile};
    cores.push_back({core, tile, fmt::format("rank {} (core {:02})", rank, core),
                     fmt::format("tile ({},{})", topology.x(place), topology.y(place))});
  }
  trace_->begin(cores, !capabilities_of(job.options()).wall_clock);
}

void JobObservers::report(Job& job, JobResult& result) {
  const auto rank_on = [&](int core) {
    const Ue* const ue = job.ue_on(core);
    return fmt::format("{}", ue == nullptr ? -1 : ue->rank);
  };
  if (digest_) result.digest = digest_->value();
  if (usage_) usage_->report(result.statistics, all_.call_names());
  if (job.options().statistics || job.options().machine_statistics)
    job.engine().statistics(result.statistics);
  if (job.options().links) result.links = links_of(job.engine());
  if (job.options().energy) job.engine().energy(result.statistics);
  if (matrix_) matrix_->report(result.matrix, rank_on);
  if (path_)
    result.path = path_->path(all_.call_names(),
                              [&](mesh::ResourceId resource) { return job.engine().name_of(resource); });
  if (trace_) {
    trace_->end();
    trace_file_->finish();
    result.trace_error = trace_file_->error();
  }
}

} // namespace rcce
