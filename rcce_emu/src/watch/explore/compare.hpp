// SPDX-License-Identifier: Apache-2.0
// What two runs of a program have to have in common: the status of the job and of each UE, each UE's standard
// output, the contents of shared memory at the end and, with the low-level interface, of the message-passing
// buffers.
#pragma once

#include <string>

#include "watch/explore/record.hpp"

namespace rcce::explore {

/// Empty where they agree; else what differs first, told as the other run's. `name` names that run.
///
/// Times are another in every run. So in what a UE prints after it has asked for the time numbers with a
/// fraction or an exponent may differ, and where any UE has asked for it the contents of memory may.
[[nodiscard]] std::string difference(const RunRecord& run, const RunRecord& other, const std::string& name);

} // namespace rcce::explore
