// SPDX-License-Identifier: Apache-2.0
// The record of which UE a thread is executing.
#include "ue/ue.hpp"

#include "ue/job_state.hpp"

namespace rcce {

namespace {

// Initial-exec: the C library's names ask for them at every call, and the runtime is always loaded at start.
[[gnu::tls_model("initial-exec")]] thread_local Job* running_job = nullptr;
[[gnu::tls_model("initial-exec")]] thread_local Ue* running_ue = nullptr;

} // namespace

Ue* current_ue() noexcept {
  return running_ue;
}
Job* current_job() noexcept {
  return running_job;
}

void set_current(Job* job, Ue* ue) noexcept {
  running_job = job;
  running_ue = ue;
}

} // namespace rcce
