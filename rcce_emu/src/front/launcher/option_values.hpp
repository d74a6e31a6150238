// SPDX-License-Identifier: Apache-2.0
// Values of options, read from their words. All throw UserError "OPTION 'VALUE': why", whose end says what is
// allowed.
#pragma once

#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_sim/errors.hpp"

namespace rcce {

[[noreturn]] void fail(std::string_view option, std::string_view value, std::string_view why);

/// `written` is the number's part of the value.
template <typename Number>
Number number(std::string_view option, std::string_view value, std::string_view written,
              std::string_view allowed) {
  Number result{};
  const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), result);
  if (error != std::errc() || end != written.data() + written.size())
    fail(option, value, fmt::format("not a number; {}", allowed));
  return result;
}

/// A number above 0, `most` at most. inf and nan are numbers to from_chars().
double positive(std::string_view option, std::string_view value, std::string_view written, double most,
                std::string_view allowed);

/// "16M", "16MB", "16MiB": powers of 1024.
[[nodiscard]] std::size_t size(std::string_view option, std::string_view value, std::size_t least = 0);

template <typename Value>
Value choice(std::string_view option, std::string_view value,
             std::span<const std::pair<std::string_view, Value>> choices) {
  std::vector<std::string_view> names;
  for (const auto& [name, result] : choices) {
    if (name == value) return result;
    names.push_back(name);
  }
  const std::string_view near = mesh::nearest(value, names);
  fail(option, value,
       fmt::format("takes {}{}", fmt::join(names, ", "),
                   near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}
template <typename Value>
Value choice(std::string_view option, std::string_view value,
             std::initializer_list<std::pair<std::string_view, Value>> choices) {
  return choice<Value>(option, value, std::span(choices.begin(), choices.size()));
}

} // namespace rcce
