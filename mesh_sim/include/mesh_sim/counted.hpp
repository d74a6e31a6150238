// SPDX-License-Identifier: Apache-2.0
// Numbers of things in sentences.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace mesh {

/// "1 point", "2 points".
[[nodiscard]] inline std::string counted(std::integral auto number, std::string_view what) {
  return std::to_string(number).append(" ").append(what).append(number == 1 ? "" : "s");
}

} // namespace mesh
