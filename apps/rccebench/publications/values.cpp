// SPDX-License-Identifier: Apache-2.0
// Values, lists of them, and loops over lists.
#include <algorithm>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/read_number.hpp"
#include "publications/expression.hpp"

namespace rccebench::publications {

std::string Value::text() const {
  return is_word ? word : fmt::format("{}", number);
}

bool is_one_of(const Value& value, const Value& alternatives) {
  if (!alternatives.is_word) return value == alternatives;
  const std::string between = " or ";
  std::string_view rest = alternatives.printed;
  for (;;) {
    const std::size_t end = rest.find(between);
    if (rest.substr(0, end) == value.printed) return true;
    if (end == std::string_view::npos) return false;
    rest.remove_prefix(end + between.size());
  }
}

List list_of(const std::string& text) {
  List all;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string item = text.substr(at, end - at);
    at = end + 1;
    if (item.empty()) continue;
    double first = 0, last = 0, step = 1;
    const std::size_t dots = item.find(".."), colon = item.find(':');
    if (dots != std::string::npos && mesh::read_number(item.substr(0, dots), first)) {
      if (!mesh::read_number(item.substr(dots + 2, colon - dots - 2), last) ||
          (colon != std::string::npos && !mesh::read_number(item.substr(colon + 1), step)))
        throw mesh::UserError(fmt::format("'{}' is no range of numbers", item));
      for (double number = first; number <= last; number += step) all.push_back(Value::of(number));
      continue;
    }
    const std::size_t equals = item.find('=');
    Value& value = all.emplace_back(Value::of(item.substr(0, equals)));
    if (mesh::read_number(value.word, first)) value = Value::of(first);
    if (equals == std::string::npos) continue;
    value.printed = item.substr(equals + 1);
    std::replace(value.printed.begin(), value.printed.end(), '_', ' ');
  }
  return all;
}

void Loops::each(Names& names, const Bindings& outer,
                 const std::function<void(const Bindings&)>& body) const {
  const std::function<void(std::size_t, Bindings)> down = [&](std::size_t depth, Bindings bound) {
    if (depth == variables.size()) {
      if (!condition || condition(names, bound).number != 0) body(bound);
      return;
    }
    for (const Value& item : lists[depth](names)) {
      bound[variables[depth]] = item;
      down(depth + 1, bound);
    }
  };
  down(0, outer);
}

} // namespace rccebench::publications
