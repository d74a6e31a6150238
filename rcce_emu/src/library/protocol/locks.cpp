// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/locks.hpp"

#include "engine/ue/job_state.hpp"
#include "library/protocol/call.hpp"

namespace rcce::protocol {

void acquire_lock(Library& library, int id) {
  const int core = library.core_of(id);
  const WaitsFor waiting(library, "lock", id);
  library.ue.job->note_host_order(Job::HostOrder::locks);
  library.core.lock_acquire(core);
  library.note_lock(core, true);
}

void release_lock(Library& library, int id) {
  const int core = library.core_of(id);
  library.note_lock(core, false);
  library.core.lock_release(core);
}

} // namespace rcce::protocol
