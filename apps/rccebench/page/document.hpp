// SPDX-License-Identifier: Apache-2.0
// The HTML report of a command: its settings, its figures, its tables and its notes in one page.
#pragma once

#include <string>

#include "present/report.hpp"

namespace rccebench::page {

/// The page: the report's figures, or where it has none those that its views or its table show by themselves.
[[nodiscard]] std::string text_of(const Report& report);
/// Adds a figure behind all others.
void add_figure(Report& report, nlohmann::ordered_json figure);

/// Writes the page to `file`. Throws mesh::UserError where it cannot be written.
void write(const Report& report, const std::string& file);

} // namespace rccebench::page
