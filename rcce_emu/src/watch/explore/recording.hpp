// SPDX-License-Identifier: Apache-2.0
// How the process that compares runs tells each of them what to record.
#pragma once

#include <string>
#include <string_view>

#include "rcce_emu/environment.hpp"
#include "rcce_emu/interference_options.hpp"

namespace rcce::explore {

/// Environment variable of the program that runs.
inline constexpr const char* recording_variable = environment::recording.name;

[[nodiscard]] std::string recording_text(const ExploredRun& recording);
[[nodiscard]] ExploredRun parse_recording(std::string_view text);

} // namespace rcce::explore
