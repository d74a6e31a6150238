// SPDX-License-Identifier: Apache-2.0
// rccebench compare --machine A,B,...: one operation on several machines, each with the algorithms that can
// run there: messages on chips with message buffers, shared memory on machines with coherent caches and on
// this host.
#pragma once

#include "command_line/collective_options.hpp"

namespace rccebench {

/// True if --machine asks for such a sheet: for several machines, for a coherent one, or for "host".
[[nodiscard]] bool is_sheet(const CollectiveOptions& options);

[[nodiscard]] Outcome compare_machines(const CollectiveOptions& options);

} // namespace rccebench
