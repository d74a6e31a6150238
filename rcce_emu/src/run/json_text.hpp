// JSON as text, for what the runtime writes itself.
#pragma once

#include <fmt/format.h>
#include <string>
#include <string_view>

namespace rcce::run {

/// A string with its quotes. Bytes that are no UTF-8 are the caller's business.
[[nodiscard]] inline std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      quoted += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      quoted += c;
  }
  return quoted + '"';
}

/// "[a,b]" of the range, each member as `text` writes it.
template <class Range, class Text>
[[nodiscard]] std::string json_list(const Range& range, Text&& text) {
  std::string list = "[";
  for (const auto& one : range) {
    if (list.size() > 1) list += ',';
    list += text(one);
  }
  return list + ']';
}

} // namespace rcce::run
