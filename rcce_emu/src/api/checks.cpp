#include "api/checks.hpp"

#include "job_state.hpp"

namespace rcce::api {

check::Side side_of(const Library& library, int rank) {
  Job& job = *library.ue.job;
  return check::side_of(rank >= 0 && rank < job.size() ? job.ue(rank) : library.ue);
}

} // namespace rcce::api
