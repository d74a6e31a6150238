// SPDX-License-Identifier: Apache-2.0
// Numbers in texts that users write: fields of a table, values of a machine file, words of a list.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <string_view>

namespace mesh {

/// True if the whole text is one number that `Number` holds, in decimal digits: "140,5", "70us", "0x10",
/// "inf" and, for whole numbers, "7.9" are not.
template <class Number>
[[nodiscard]] bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  if constexpr (std::floating_point<Number>) return std::isfinite(number);
  return true;
}

} // namespace mesh
