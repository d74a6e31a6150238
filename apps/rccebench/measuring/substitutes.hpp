// SPDX-License-Identifier: Apache-2.0
// Machine files in the place of presets: a study's measurements on a machine that its reader has changed.
#pragma once

#include <string>

namespace rccebench::measuring {

/// The machine to load for a preset: its name, or the file that stands in its place.
[[nodiscard]] std::string machine_file(const std::string& preset);

/// From now on that file in the place of a preset; an empty one: the preset again. Not while anything is
/// measured.
void substitute_machine(const std::string& preset, const std::string& file);

} // namespace rccebench::measuring
