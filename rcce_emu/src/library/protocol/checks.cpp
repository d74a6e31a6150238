// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/checks.hpp"

#include "engine/ue/job_state.hpp"
#include "watch/check/checker.hpp"

namespace rcce::protocol {

check::Findings* findings_of(const Library& library) {
  check::Checker* const checker = library.ue.job->checker();
  return checker == nullptr ? nullptr : &checker->findings();
}

check::Side side_of(const Library& library, int rank) {
  Job& job = *library.ue.job;
  return check::side_of(rank >= 0 && rank < job.size() ? job.ue(rank) : library.ue);
}

} // namespace rcce::protocol
