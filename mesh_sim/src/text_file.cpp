// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/text_file.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"

namespace mesh {

namespace {

/// More than a host file of all cores of the largest machine holds.
constexpr std::size_t largest_bytes = std::size_t{4} << 20;

} // namespace

std::optional<std::string> read_text_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text;
  while (file && text.size() <= largest_bytes) {
    char part[4096];
    file.read(part, sizeof part);
    text.append(part, static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) return std::nullopt;
  if (text.size() > largest_bytes)
    throw UserError(fmt::format("'{}' is larger than {} MB, the limit for a text file; name another file",
                                path, largest_bytes >> 20));
  return text;
}

} // namespace mesh
