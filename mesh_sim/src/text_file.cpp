// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/text_file.hpp"

#include <cstddef>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"

namespace mesh {

namespace {

/// Editors of other systems write a byte order mark at the beginning, and a carriage return before each end
/// of line.
void take_out_marks(std::string& text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  std::size_t kept = 0;
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] != '\r' || at + 1 == text.size() || text[at + 1] != '\n') text[kept++] = text[at];
  text.resize(kept);
}

} // namespace

std::optional<std::string> read_text_file(const std::string& path, std::size_t largest_bytes) {
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
  take_out_marks(text);
  return text;
}

} // namespace mesh
