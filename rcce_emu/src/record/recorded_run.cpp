// SPDX-License-Identifier: Apache-2.0
#include "record/recorded_run.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "run/unfinished.hpp"
#include "ue/job_state.hpp"

namespace rcce::record {

RecordedRun::RecordedRun(const JobOptions& options) : options_(options) {
  for (const RecordingRow* const row : recording_rows())
    if (asks_for(options.recording.records, *row)) recordings_.push_back(row->make(options));
}

void RecordedRun::prepare(JobResult (*run)(const JobOptions&)) {
  for (const auto& one : recordings_) one->prepare(options_, run);
}

void RecordedRun::begin(Job& job) {
  job_ = &job;
  if (options_.recording.part) part_.emplace(*options_.recording.part, options_.machine.cores(), all_);
  for (const auto& one : recordings_) one->begin(*this);
  if (part_) all_.add(*part_);
  if (options_.recording.watch)
    for (mesh::Observer* const one : options_.recording.watch(all_)) all_.add(others_.emplace_back(*one));
}

void RecordedRun::stopped(Outcome outcome) {
  for (const auto& one : recordings_) one->stopped(*this, outcome);
}

void RecordedRun::end(JobResult& result) {
  close(result);
  if (part_) result.part_end = part_->end();
  for (const auto& one : recordings_) one->end(*this, result);
  result.recordings = std::move(recordings_);
}

void RecordedRun::close(JobResult& result) {
  for (const mesh::Unfinished& core : run::close_unfinished(*job_, result)) all_.tell_unfinished(core);
  if (result.outcome == Outcome::finished || recordings_.empty()) return;
  result.unfinished = run::unfinished_ues(*job_, result.outcome);
  result.open_messages = run::unfinished_messages(*job_, result);
}

void RecordedRun::hear_part(mesh::Observer& observer) {
  if (part_)
    part_->add(observer);
  else
    all_.add(observer);
}

mesh::ResourceUsage& RecordedRun::resources() {
  if (!resources_) {
    resources_.emplace(options_.machine.parameters().topology());
    all_.add_up(resources_->packets(), resources_->queues());
  }
  return *resources_;
}

void RecordedRun::count_pairs(bool with_copies) {
  if (!messages_) hear_part(messages_.emplace(options_.machine.cores()));
  if (with_copies && !copies_) hear_part(copies_.emplace());
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
