// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/fixed_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace mesh {

// Here alone: {fmt} compiles all of its formatting for whoever writes to other places than strings and files.
std::size_t format_into(std::span<char> to, fmt::string_view format, fmt::format_args values) {
  return std::min(fmt::vformat_to_n(to.data(), to.size(), format, values).size, to.size());
}

} // namespace mesh
