// Ue and the record of which UE a thread is executing.
#include "ue.hpp"

#include "job_state.hpp"
#include "loader/process.hpp"

#if __has_include("api/library.hpp")
#include "api/library.hpp"
#else
namespace rcce::api {
struct Library {};
} // namespace rcce::api
#endif

namespace rcce {

Ue::Ue() = default;
Ue::~Ue() = default;

Ue* current_ue() noexcept {
  Job* job = current_job();
  if (job == nullptr) return nullptr;
  const Core* core = job->engine().current();
  return core == nullptr ? nullptr : job->ue_on(core->id());
}

namespace {
thread_local Job* running_job = nullptr;
} // namespace

Job* current_job() noexcept {
  return running_job;
}

} // namespace rcce
