// SPDX-License-Identifier: Apache-2.0
// What commands read as JSON: a file, or standard input.
#pragma once

#include <string>

#include <fmt/format.h>

#include "lab/json_text.hpp"
#include "mesh_sim/text_file.hpp"

namespace rccebench {

/// "-" is standard input. Throws mesh::UserError, which names the command, for what is no JSON.
template <class Json>
[[nodiscard]] Json json_input(const std::string& command, const std::string& file) {
  constexpr std::size_t largest_bytes = std::size_t{256} << 20;
  const auto text = mesh::read_text_file(file == "-" ? "/dev/stdin" : file, largest_bytes);
  if (!text) throw mesh::UserError(fmt::format("{} '{}': cannot be read", command, file));
  try {
    return lab::read_json<Json>(*text);
  } catch (const mesh::UserError& error) {
    throw mesh::UserError(fmt::format("{} '{}' {}; write an array of objects", command, file, error.what()));
  }
}

} // namespace rccebench
