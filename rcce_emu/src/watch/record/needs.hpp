// SPDX-License-Identifier: Apache-2.0
// What a job has to be like to be run, or recorded, as it is asked for.
#pragma once

#include <string_view>

namespace rcce {
struct JobOptions; // rcce_emu/job_options.hpp
}

namespace rcce::record {

/// Throws UserError unless it is so: an engine without that cannot record this.
void need(const JobOptions& job, bool possible, std::string_view option, std::string_view why_not);
/// Links, buffers and controllers are simulated, or it throws UserError.
void need_contended(const JobOptions& job, std::string_view option);

} // namespace rcce::record
