// SPDX-License-Identifier: Apache-2.0
// RCCE_acquire_lock and RCCE_release_lock: the test-and-set register of a rank's core.
#pragma once

#include "library/protocol/library.hpp"

namespace rcce::protocol {

/// Returns when the caller has the register of rank `id`.
void acquire_lock(Library& library, int id);
void release_lock(Library& library, int id);

} // namespace rcce::protocol
