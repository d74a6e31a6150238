// SPDX-License-Identifier: Apache-2.0
// JSON out of files that anybody may have written or damaged.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mesh_sim/errors.hpp"

namespace lab {

/// Throws mesh::UserError, whose text stands behind the file's name: "is no JSON (byte 7)". What is nested
/// deeper than results are is none of them, and would take all of the stack. Of a member that an object has
/// twice only one value would count.
template <class Json = nlohmann::json>
[[nodiscard]] Json read_json(std::string_view text) {
  static constexpr int deepest = 64;
  std::vector<std::set<std::string>> members; // of the objects that are open
  try {
    using Event = typename Json::parse_event_t;
    return Json::parse(text, [&members](int depth, Event event, Json& parsed) {
      if (depth > deepest) throw mesh::UserError(fmt::format("is nested deeper than {} levels", deepest));
      if (event == Event::object_start) members.emplace_back();
      if (event == Event::object_end) members.pop_back();
      if (event == Event::key && !members.back().insert(parsed.template get<std::string>()).second)
        throw mesh::UserError(fmt::format("has an object with two members {}", parsed.dump()));
      return true;
    });
  } catch (const typename Json::parse_error& error) {
    throw mesh::UserError(fmt::format("is no JSON (byte {})", error.byte));
  } catch (const typename Json::exception&) {
    throw mesh::UserError("has a number that is out of range");
  }
}

} // namespace lab
