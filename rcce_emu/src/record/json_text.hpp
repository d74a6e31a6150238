// SPDX-License-Identifier: Apache-2.0
// JSON as text, for what the runtime writes itself.
#pragma once

#include <string>

#include "mesh_sim/observe/statistics.hpp"

namespace rcce::record {

using mesh::json_string; ///< with its quotes

/// "[a,b]" of the range, each member as `text` writes it.
template <class Range, class Text>
[[nodiscard]] std::string json_list(const Range& range, Text&& text) {
  std::string list = "[";
  for (const auto& one : range) {
    if (list.size() > 1) list += ',';
    list += text(one);
  }
  return list + ']';
}

} // namespace rcce::record
