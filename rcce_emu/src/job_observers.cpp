// SPDX-License-Identifier: Apache-2.0
#include "job_observers.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "engine/engines.hpp"
#include "job_state.hpp"
#include "run/run_figures.hpp"
#include "run/unfinished.hpp"

namespace rcce {
namespace {

/// The latest clock of any core.
Picoseconds end_of(Engine& engine) {
  Picoseconds end = 0;
  for (int core = 0; core < engine.cores(); ++core) end = std::max(end, engine.core(core).now());
  return end;
}

std::vector<mesh::Usage::Life> lives_of(const JobResult& result, int cores) {
  std::vector<mesh::Usage::Life> lives(static_cast<std::size_t>(cores));
  for (const UeResult& ue : result.ues)
    lives[static_cast<std::size_t>(ue.core)] = {0, ue.ended ? ue.end : result.end};
  return lives;
}

/// Whether links, buffers and controllers are simulated.
bool is_contended(const JobOptions& options) {
  constexpr std::string_view contention = "mesh.contention";
  return !options.machine.has(contention) || options.machine.text(contention) != "off";
}

/// Of a load over time that several runs share a page with.
constexpr std::size_t part_bins = 32;

/// Of a trace's counters: 512, fewer where there is much to count.
std::size_t trace_bins(const mesh::Topology& topology) {
  constexpr int most = 512, least = 16, all = 1 << 22;
  const int rows = topology.links() + topology.tiles() + topology.controllers() +
      topology.cores() * mesh::Load::activities;
  return static_cast<std::size_t>(std::clamp(all / rows / 2 * 2, least, most));
}

} // namespace

void OutsideObserver::core_starts(int core, Picoseconds at) {
  const OutsideUe outside;
  inner_.core_starts(core, at);
}
void OutsideObserver::core_ends(int core, Picoseconds at) {
  const OutsideUe outside;
  inner_.core_ends(core, at);
}
void OutsideObserver::switches(int from, int to) {
  const OutsideUe outside;
  inner_.switches(from, to);
}
void OutsideObserver::call_begins(const mesh::Call& call) {
  const OutsideUe outside;
  inner_.call_begins(call);
}
void OutsideObserver::call_ends(const mesh::Call& call) {
  const OutsideUe outside;
  inner_.call_ends(call);
}
void OutsideObserver::message(const mesh::Message& message) {
  const OutsideUe outside;
  inner_.message(message);
}
void OutsideObserver::issued(const mesh::Access& access) {
  const OutsideUe outside;
  inner_.issued(access);
}
void OutsideObserver::acted(const mesh::Access& access) {
  const OutsideUe outside;
  inner_.acted(access);
}
void OutsideObserver::ended(const mesh::Access& access, Picoseconds begin) {
  const OutsideUe outside;
  inner_.ended(access, begin);
}
void OutsideObserver::wait_begins(const mesh::Wait& wait) {
  const OutsideUe outside;
  inner_.wait_begins(wait);
}
void OutsideObserver::wait_ends(const mesh::Wait& wait) {
  const OutsideUe outside;
  inner_.wait_ends(wait);
}
void OutsideObserver::served(const mesh::Service& service) {
  const OutsideUe outside;
  inner_.served(service);
}
void OutsideObserver::touched(const mesh::Touch& touch) {
  const OutsideUe outside;
  inner_.touched(touch);
}
void OutsideObserver::looped(int core, Picoseconds at) {
  const OutsideUe outside;
  inner_.looped(core, at);
}
void OutsideObserver::fact(const mesh::Fact& fact) {
  const OutsideUe outside;
  inner_.fact(fact);
}
void OutsideObserver::unfinished(const mesh::Unfinished& core) {
  const OutsideUe outside;
  inner_.unfinished(core);
}

JobObservers::JobObservers(const JobOptions& options) {
  if (options.digest) all_.add(digest_.emplace());
  if (options.statistics) {
    usage_.emplace(options.machine.cores());
    all_.add_up(usage_->times());
    all_.add_up(usage_->library_times());
  }
  if (options.part) part_.emplace(*options.part, options.machine.cores(), all_);
  if (options.statistics || options.links || options.figures) {
    resource_usage_.emplace(options.machine.parameters().topology());
    all_.add_up(resource_usage_->packets(), resource_usage_->queues());
  }
  if (options.why) watch(path_.emplace(options.machine.cores()));
  if (options.profile) watch(profile_.emplace(options.machine.cores()));
  if (options.matrix || options.figures) watch(matrix_.emplace(options.machine.cores()));
  if (options.figures || (options.matrix && part_)) watch(transfers_.emplace());
  if (options.figures) {
    const mesh::Topology topology = options.machine.parameters().topology();
    const std::size_t bins = run::load_bins(topology);
    watch(load_.emplace(topology, part_ ? std::min(bins, part_bins) : bins));
    watch(timeline_.emplace(topology.cores(), run::most_slices));
    if (part_) watch(served_.emplace());
  }
  if (part_) all_.add(*part_);
  if (options.trace_fd >= 0) {
    trace_file_.emplace(options.trace_fd);
    const mesh::Topology topology = options.machine.parameters().topology();
    if (capabilities_of(options).contended) all_.add(trace_load_.emplace(topology, trace_bins(topology)));
    all_.add(trace_.emplace(all_, [this](std::string_view events) { trace_file_->write(events); }));
  }
  if (options.watch)
    for (mesh::Observer* const one : options.watch(all_)) all_.add(others_.emplace_back(*one));
}

void JobObservers::watch(mesh::Observer& observer) {
  if (part_)
    part_->add(observer);
  else
    all_.add(observer);
}

void JobObservers::begin(Job& job) {
  if (profile_) profile_->begin(job);
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

void JobObservers::close(Job& job, JobResult& result) {
  for (const mesh::Unfinished& core : run::close_unfinished(job, result)) {
    if (usage_) usage_->unfinished(core);
    all_.tell_unfinished(core);
  }
  if (result.outcome == Outcome::finished || (!path_ && !matrix_)) return;
  result.unfinished = run::unfinished_ues(job, result.outcome);
  result.open_messages = run::unfinished_messages(job, result);
}

void JobObservers::report(Job& job, JobResult& result) {
  close(job, result);
  const auto name_of = [&](mesh::ResourceId resource) { return job.engine().name_of(resource); };
  if (digest_) result.digest = digest_->value();
  if (usage_) usage_->report(result.statistics, all_.call_names(), lives_of(result, job.engine().cores()));
  if (job.options().statistics || job.options().machine_statistics)
    job.engine().statistics(result.statistics);
  const Picoseconds end = end_of(job.engine());
  if (job.options().statistics) resource_usage_->report(result.statistics, name_of, end);
  if (served_)
    served_->report(result.links, name_of, part_->end());
  else if (job.options().links || job.options().figures)
    resource_usage_->report(result.links, name_of, end);
  if (job.options().energy) job.engine().energy(result.statistics);
  if (profile_) {
    run::Profile::Report report = profile_->report(all_.call_names());
    result.profile = std::move(report.table);
    result.folded = std::move(report.folded);
  }
  if (path_) result.path = path_->path(all_.call_names(), name_of);
  if (part_) result.part_end = part_->end();
  if (matrix_) result.matrix = pairs(job, result, part_.has_value());
  if (load_) result.figures = figures(job, result);
  if (trace_) {
    if (trace_load_) trace_load(job.engine());
    trace_->end();
    trace_file_->finish();
    result.trace_error = trace_file_->error();
  }
}

/// Messages; with copies also what has been copied from core to core where no message goes.
mesh::Statistics JobObservers::pairs(Job& job, const JobResult& result, bool with_copies) const {
  const auto rank_on = [&](int core) {
    const Ue* const ue = job.ue_on(core);
    return fmt::format("{}", ue == nullptr ? -1 : ue->rank);
  };
  mesh::Statistics pairs;
  matrix_->report(pairs, rank_on);
  if (with_copies) {
    std::set<mesh::Labels> told;
    for (const mesh::Statistic& one : pairs) told.insert(one.labels);
    for (const auto& [cores, bytes] : transfers_->bytes())
      if (const mesh::Labels labels{{"sender", rank_on(cores.first)}, {"receiver", rank_on(cores.second)}};
          !told.contains(labels))
        mesh::Matrix::add_pair(pairs, labels, bytes, 0);
  }
  run::report_unfinished(pairs, result.open_messages);
  return pairs;
}

std::string JobObservers::figures(Job& job, const JobResult& result) const {
  std::vector<UeResult> ues = result.ues;
  if (part_)
    for (UeResult& ue : ues) ue.end = part_->end(ue.core);
  const mesh::Statistics pairs = this->pairs(job, result, true);
  return run::run_figures({job.engine().topology(), *load_, *timeline_, result.links, pairs,
                           all_.call_names(), ues, part_ ? part_->end() : result.end,
                           is_contended(job.options()), job.options().compute != ComputeModel::none,
                           result.unfinished, result.open_messages});
}

void JobObservers::trace_load(const Engine& engine) {
  const mesh::Topology& topology = engine.topology();
  const mesh::TimeBins& bins = trace_load_->bins();
  std::vector<Picoseconds> busy(bins.bins());
  const auto each = [&](mesh::ResourceId::Kind kind, int count) {
    for (int number = 0; number < count; ++number) {
      const mesh::ResourceId id{kind, number};
      const std::size_t row = trace_load_->row_of(id);
      for (std::size_t bin = 0; bin < busy.size(); ++bin) busy[bin] = bins.at(row, bin);
      trace_->load(engine.name_of(id), busy, bins.width());
    }
  };
  each(mesh::ResourceId::Kind::link, topology.links());
  each(mesh::ResourceId::Kind::mpb_port, topology.tiles());
  each(mesh::ResourceId::Kind::controller, topology.controllers());
}

} // namespace rcce
