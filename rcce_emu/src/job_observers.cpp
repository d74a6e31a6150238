#include "job_observers.hpp"

#include <fmt/format.h>

#include "job_state.hpp"

namespace rcce {

JobObservers::JobObservers(const JobOptions& options) {
  if (options.digest) all_.add(digest_.emplace());
  if (options.statistics) all_.add(usage_.emplace(options.machine.cores()));
  if (options.matrix) all_.add(matrix_.emplace());
}

void JobObservers::report(Job& job, JobResult& result) const {
  const auto rank_on = [&](int core) {
    const Ue* const ue = job.ue_on(core);
    return fmt::format("{}", ue == nullptr ? -1 : ue->rank);
  };
  if (digest_) result.digest = digest_->value();
  if (usage_) usage_->report(result.statistics, all_.call_names());
  if (job.options().statistics || job.options().machine_statistics)
    job.engine().statistics(result.statistics);
  if (job.options().energy) job.engine().energy(result.statistics);
  if (matrix_) matrix_->report(result.matrix, rank_on);
}

} // namespace rcce
