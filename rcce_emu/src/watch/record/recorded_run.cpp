// SPDX-License-Identifier: Apache-2.0
#include "watch/record/recorded_run.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "engine/ue/engines.hpp"
#include "engine/ue/job_state.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/observe/critical_path.hpp"
#include "mesh_sim/observe/lock_usage.hpp"
#include "mesh_sim/observe/matrix.hpp"
#include "mesh_sim/observe/resource_usage.hpp"
#include "mesh_sim/observe/statistics.hpp"
#include "mesh_sim/observe/transfers.hpp"
#include "mesh_sim/observe/usage.hpp"
#include "mesh_sim/output_file.hpp"
#include "mesh_sim/parts/topology.hpp"
#include "process/run/unfinished.hpp"
#include "rcce_emu/job_options.hpp"
#include "rcce_emu/launched.hpp"
#include "watch/record/recording.hpp"

namespace rcce::record {
namespace {

/// Options of which no recording is asked for, and no detail said, are a caller's mistake: nobody would miss
/// the recording before its table is empty.
void check_names(const Records& records) {
  for (const auto& [name, value] : records) {
    const auto is_named = [&name = name](const RecordingOption& option) {
      return option.names.substr(0, option.names.find(' ')) == name;
    };
    const auto has_name = [&](const RecordingRow* row) {
      return row->name == name || std::ranges::any_of(row->options, is_named);
    };
    if (std::ranges::any_of(recording_rows(), has_name)) continue;
    std::string names;
    for (const RecordingRow* const row : recording_rows())
      names += (names.empty() ? "" : ", ") + std::string(row->name);
    throw mesh::UserError(fmt::format("there is no recording '{}'; there are {}", name, names));
  }
}

} // namespace

RecordedRun::RecordedRun(const JobOptions& options)
    : options_(options),
      by_processes_(!capabilities_of(options).one_address_space),
      elsewhere_(by_processes_ && launched().rank > 0) {
  check_names(options.recording.records);
  for (const RecordingRow* const row : recording_rows())
    if (asks_for(options.recording.records, *row)) recordings_.push_back(row->make(options));
}

RecordedRun::~RecordedRun() = default;

void RecordedRun::prepare(JobResult (*run)(const JobOptions&)) {
  if (!by_processes_)
    for (const auto& one : recordings_) one->prepare(options_, run);
}

/// Rank 0 of several processes opens its files once all have seen that there are none, and are there to be
/// ended where one cannot be opened.
void RecordedRun::prepare_processes() {
  if (!elsewhere_)
    for (const auto& one : recordings_) one->prepare(options_, nullptr);
  else if (value_of(options_, "trace") == mesh::standard_output)
    lend_standard_output(options_); // as rank 0 does
}

void RecordedRun::begin(Job& job) {
  job_ = &job;
  if (by_processes_) prepare_processes();
  if (const auto& part = options_.recording.part)
    part_.emplace(part->begins_after, part->ends_with, part->number, options_.machine.cores(), all_);
  if (counts(options_.library.compute) && capabilities_of(options_).contended) (void)usage();
  for (const auto& one : recordings_) one->begin(*this);
  if (critical_path_) hear_part(*critical_path_); // what it wants to hear depends on who has asked for it
  if (part_) all_.add(*part_);
  if (replayed_.wanted() != mesh::no_events) all_.add(log_.emplace(all_));
  if (options_.recording.watch)
    for (mesh::Observer* const one : options_.recording.watch(all_)) all_.add(others_.emplace_back(*one));
}

void RecordedRun::stopped(Outcome outcome) {
  for (const auto& one : recordings_) one->stopped(*this, outcome);
}

void RecordedRun::end(JobResult& result) {
  if (by_processes_) exchange(result);
  if (elsewhere_) return recordings_.clear();
  close(result);
  if (usage_)
    for (UeResult& ue : result.ues) ue.waited = usage_->times()[static_cast<std::size_t>(ue.core)].waiting;
  if (part_) result.part_end = part_->end();
  for (const auto& one : recordings_) one->end(*this, result);
  result.recordings = std::move(recordings_);
}

void RecordedRun::exchange(JobResult& result) {
  bool whole = true;
  const auto gather = [&](std::string own) {
    std::vector<std::string> parts = job_->engine().gather(std::move(own));
    whole = whole && static_cast<int>(parts.size()) == job_->size();
    return parts;
  };
  if (log_) {
    const std::vector<std::string> logs = gather(log_->bytes());
    log_->replay(logs, replayed_);
  }
  for (const auto& one : recordings_) {
    const std::vector<std::string> parts = gather(one->part(*this));
    for (std::size_t rank = 1; rank < parts.size(); ++rank) one->take(*this, parts[rank]);
  }
  if (!whole && !elsewhere_)
    result.report +=
        "rccerun: the recordings hold rank 0 only, because other ranks did not reach the end of the run\n";
}

void RecordedRun::close(JobResult& result) {
  for (const mesh::Unfinished& core : run::close_unfinished(*job_, result)) {
    all_.tell_unfinished(core);
    replayed_.tell_unfinished(core);
    if (usage_) usage_->unfinished(core);
  }
  if (result.outcome == Outcome::finished || recordings_.empty()) return;
  result.unfinished = run::unfinished_ues(*job_, result.outcome);
  result.open_messages = run::unfinished_messages(*job_, result);
}

void RecordedRun::hear_part(mesh::Observer& observer) {
  if (part_)
    part_->add(observer);
  else
    hear(observer);
}

void RecordedRun::hear_here(mesh::Observer& observer) {
  if (part_)
    part_->add(observer);
  else
    all_.add(observer);
}

mesh::ResourceUsage& RecordedRun::resources() {
  if (!resources_) {
    resources_ = std::make_unique<mesh::ResourceUsage>(options_.machine.parameters().topology());
    all_.add_up(resources_->packets(), resources_->queues());
  }
  return *resources_;
}

mesh::Usage& RecordedRun::usage() {
  if (!usage_) {
    usage_ = std::make_unique<mesh::Usage>(options_.machine.cores(), distance());
    all_.add_up(usage_->times());
    all_.add_up(usage_->library_times());
  }
  return *usage_;
}

mesh::LockUsage& RecordedRun::locks() {
  if (!locks_) hear_part(*(locks_ = std::make_unique<mesh::LockUsage>(job_->engine().cores())));
  return *locks_;
}

mesh::CriticalPath& RecordedRun::critical_path() {
  if (!critical_path_) critical_path_ = std::make_unique<mesh::CriticalPath>(options_.machine.cores());
  return *critical_path_;
}

const mesh::Path& RecordedRun::path() {
  if (!path_)
    path_ = std::make_unique<const mesh::Path>(critical_path_->path(
        all_.call_names(), [this](mesh::ResourceId resource) { return name_of(resource); }));
  return *path_;
}

std::function<int(int, int)> RecordedRun::distance() const {
  return [&engine = job_->engine()](int from, int to) {
    return engine.topology().hops(mesh::TileId{engine.tile_of(from)}, mesh::TileId{engine.tile_of(to)});
  };
}

void RecordedRun::count_pairs(bool with_copies) {
  if (!messages_) hear_part(*(messages_ = std::make_unique<mesh::Matrix>(options_.machine.cores())));
  if (with_copies && !copies_) hear_part(*(copies_ = std::make_unique<mesh::Transfers>()));
}

mesh::Statistics RecordedRun::pairs(const JobResult& result, bool with_copies) const {
  const auto rank_on = [&](int core) {
    const Ue* const ue = job_->ue_on(core);
    return fmt::format("{}", ue == nullptr ? -1 : ue->rank);
  };
  mesh::Statistics pairs;
  messages_->report(pairs, rank_on);
  if (with_copies) {
    std::set<mesh::Labels> told;
    for (const mesh::Statistic& one : pairs) told.insert(one.labels);
    for (const auto& [cores, bytes] : copies_->bytes())
      if (const mesh::Labels labels{{"sender", rank_on(cores.first)}, {"receiver", rank_on(cores.second)}};
          !told.contains(labels))
        mesh::Matrix::add_pair(pairs, labels, bytes, 0);
  }
  run::report_unfinished(pairs, result.open_messages);
  return pairs;
}

std::string RecordedRun::name_of(mesh::ResourceId resource) const {
  return job_->engine().name_of(resource);
}

Picoseconds RecordedRun::end() const {
  Picoseconds end = 0;
  for (int core = 0; core < job_->engine().cores(); ++core)
    end = std::max(end, job_->engine().core(core).now());
  return end;
}

} // namespace rcce::record
