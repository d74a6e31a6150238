// SPDX-License-Identifier: Apache-2.0
#include "watch/explore/perturbation.hpp"

#include <charconv>
#include <fmt/format.h>

namespace rcce::explore {
namespace {

/// Takes a number and, unless it is 0, the separator behind it from the front of the text.
template <class Number>
bool take(std::string_view& text, Number& number, char separator) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (separator == 0) return true;
  if (!text.starts_with(separator)) return false;
  text.remove_prefix(1);
  return true;
}

} // namespace

std::optional<Perturbation> parse_perturbation(std::string_view text) {
  Perturbation result;
  std::string_view rest = text;
  if (take(rest, result.seed, 0) && rest.empty()) return result;
  result.seed = 0;
  for (rest = text;;) {
    mesh::Hold& order = result.orders.emplace_back();
    if (!take(rest, order.core, '.') || !take(rest, order.access, ':') || !take(rest, order.other, '.') ||
        !take(rest, order.other_access, 0) || order.core < 0 || order.other < 0)
      return std::nullopt;
    if (rest.empty()) return result;
    if (!rest.starts_with(',')) return std::nullopt;
    rest.remove_prefix(1);
  }
}

std::string perturbation_text(const Perturbation& perturbation) {
  if (perturbation.orders.empty()) return fmt::format("{}", perturbation.seed);
  std::string text;
  for (const mesh::Hold& order : perturbation.orders)
    text += fmt::format("{}{}.{}:{}.{}", text.empty() ? "" : ",", order.core, order.access, order.other,
                        order.other_access);
  return text;
}

} // namespace rcce::explore
