// SPDX-License-Identifier: Apache-2.0
// Values of --parameter NAME=VALUE.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace rccebench::show {

/// Reads the words of one algorithm, which has the parameters `known`. Throws mesh::UserError with the
/// nearest name.
[[nodiscard]] std::map<std::string, std::string> read_parameters(const std::vector<std::string>& words,
                                                                 const std::string& algorithm,
                                                                 const std::vector<std::string>& known);

/// "4,4,3": whole numbers from `least` to `most`, equal ones too. Throws mesh::UserError that begins with
/// `option`.
[[nodiscard]] std::vector<int> read_list(const std::string& text, const std::string& option,
                                         std::int64_t least, std::int64_t most);

} // namespace rccebench::show
