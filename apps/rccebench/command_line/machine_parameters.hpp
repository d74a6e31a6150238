// SPDX-License-Identifier: Apache-2.0
// The parameters of a command's machines, as the foot of its HTML report lists them.
#pragma once

#include "command_line/common_options.hpp"
#include "page/figures.hpp"

namespace rccebench {

/// The parameters of the machine that the options name, with their settings; of several machines A,B,... all,
/// each name behind that of its machine. This host has none.
[[nodiscard]] page::Json machine_parameters(const CommonOptions& options);

} // namespace rccebench
