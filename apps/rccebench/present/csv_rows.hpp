// SPDX-License-Identifier: Apache-2.0
// Rows of the data files that are installed beside rccebench.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace rccebench {

/// Fields of one line of CSV; a field in double quotes may hold commas, and "" stands for one quote.
[[nodiscard]] std::vector<std::string> fields_of(const std::string& line);

/// A field of a row by its column's name.
using Fields = std::function<const std::string&(const char* column)>;

/// Calls `read` for each row of a CSV file whose first line names its columns; lines that begin with '#' are
/// left out. Throws mesh::UserError "FILE line N: ..." for what it cannot read: a column that is not there, a
/// number that is none (std::logic_error from `read`), what `read` refuses (mesh::UserError).
void read_rows(const std::filesystem::path& file, const std::function<void(const Fields&)>& read);

} // namespace rccebench
