// SPDX-License-Identifier: Apache-2.0
// JSON out of files that anybody may have written or damaged.
#pragma once

#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mesh_sim/errors.hpp"

namespace lab {

/// Throws mesh::UserError, whose text stands behind the file's name: "is no JSON (byte 7)". What is nested
/// deeper than results are is none of them, and would take all of the stack.
template <class Json = nlohmann::json>
[[nodiscard]] Json read_json(std::string_view text) {
  static constexpr int deepest = 64;
  try {
    return Json::parse(text, [](int depth, typename Json::parse_event_t, Json&) {
      if (depth > deepest) throw mesh::UserError(fmt::format("is nested deeper than {} levels", deepest));
      return true;
    });
  } catch (const typename Json::parse_error& error) {
    throw mesh::UserError(fmt::format("is no JSON (byte {})", error.byte));
  } catch (const typename Json::exception&) {
    throw mesh::UserError("has a number that is out of range");
  }
}

} // namespace lab
