// SPDX-License-Identifier: Apache-2.0
// The HTML report: one page that holds its data, its programs and its charts' library, and asks for nothing
// else. What the data are is written in rcce_emu/report/README.md.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mesh {
struct Parameter;
using ParameterTable = std::vector<Parameter>;
} // namespace mesh

namespace rcce {

/// Throws UserError, which begins with the option that asks for a report, where this build cannot write one:
/// the charts' library was not there when it was configured.
void check_report_page(std::string_view option);

/// A command line, as a shell takes it.
[[nodiscard]] std::string shell_text(std::span<const std::string> words);

/// A machine's parameters as the document has them: a list of [name, value, unit, source], all words.
[[nodiscard]] std::string parameters_json(const mesh::ParameterTable& table);

/// The page. `document` is JSON, of schema rockcreek-report; `title` is text. The same bytes for the same
/// document.
[[nodiscard]] std::string report_page(std::string_view title, std::string_view document);

} // namespace rcce
