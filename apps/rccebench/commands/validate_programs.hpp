// SPDX-License-Identifier: Apache-2.0
// rccebench validate --programs DIR: whole programs beside what was published of them on the chip.
#pragma once

#include <string>

#include "lab.hpp"
#include "present/report.hpp"

namespace rccebench {

/// The programs of data/programs.csv that lie in the folder, built by rccecc (with --memory, or no run with
/// caches), by each model of the program's own code. Throws UserError where none does.
[[nodiscard]] Report validate_programs(const Machine& machine, const std::string& folder);

} // namespace rccebench
