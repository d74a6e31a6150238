// SPDX-License-Identifier: Apache-2.0
// Text with expressions and phrases in braces.
#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "publications/expression.hpp"

namespace rccebench::publications {
namespace {

/// `NAME argument|argument`: its phrases, with their arguments in place.
Sentence phrase(std::string_view call, const Names& names, const std::vector<std::string>& variables) {
  const std::size_t blank = std::min(call.find(' '), call.size());
  const std::string name(call.substr(0, blank));
  call.remove_prefix(std::min(blank + 1, call.size()));
  std::vector<std::string> arguments;
  while (!call.empty()) {
    const std::size_t bar = std::min(call.find('|'), call.size());
    arguments.emplace_back(call.substr(0, bar));
    call.remove_prefix(std::min(bar + 1, call.size()));
  }
  const auto filled = [&](std::string text) {
    for (std::size_t i = 0; i < arguments.size(); ++i)
      for (std::size_t at = 0; (at = text.find(fmt::format("${}", i + 1), at)) != std::string::npos;
           at += arguments[i].size())
        text.replace(at, 2, arguments[i]);
    return text;
  };
  std::vector<std::pair<Expression, Sentence>> choices;
  for (const Phrase& one : names.phrases(name))
    choices.emplace_back(one.condition.empty() ? Expression()
                                               : parse(filled(one.condition), names, variables),
                         parse_sentence(filled(one.text), names, variables));
  if (choices.empty()) throw mesh::UserError(fmt::format("there is no phrase '@{}'", name));
  return [choices = std::move(choices)](Names& known, const Bindings& bound) {
    for (const auto& [condition, sentence] : choices)
      if (!condition || condition(known, bound).number != 0) return sentence(known, bound);
    return std::string();
  };
}

/// `expression:decimals`; without decimals a number has as many as it needs.
Sentence placeholder(std::string_view inner, const Names& names, const std::vector<std::string>& variables) {
  if (inner.starts_with("@")) return phrase(inner.substr(1), names, variables);
  int decimals = -1;
  bool sign = false;
  const std::size_t colon = inner.rfind(':');
  if (colon != std::string_view::npos && inner.back() >= '0' && inner.back() <= '9') {
    const std::string_view format = inner.substr(colon + 1);
    sign = format.front() == '+';
    if (format.size() == (sign ? 2U : 1U)) {
      decimals = inner.back() - '0';
      inner = inner.substr(0, colon);
    }
  }
  return [value = parse(inner, names, variables), decimals, sign](Names& known, const Bindings& bound) {
    const Value found = value(known, bound);
    if (!found.printed.empty() || found.is_word) return found.printed;
    if (!found.known()) return std::string("-");
    if (decimals < 0) return found.text();
    return sign ? fmt::format("{:+4.{}f}", found.number, decimals)
                : fmt::format("{:.{}f}", found.number, decimals);
  };
}

} // namespace

Sentence parse_sentence(std::string_view text, const Names& names,
                        const std::vector<std::string>& variables) {
  std::vector<Sentence> parts;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('{'), text.size());
    if (open > 0)
      parts.emplace_back(
          [words = std::string(text.substr(0, open))](Names&, const Bindings&) { return words; });
    text.remove_prefix(open);
    if (text.empty()) break;
    const std::size_t close = text.find('}');
    if (close == std::string_view::npos) throw mesh::UserError(fmt::format("'{}': '}}' is missing", text));
    parts.push_back(placeholder(text.substr(1, close - 1), names, variables));
    text.remove_prefix(close + 1);
  }
  return [parts = std::move(parts)](Names& known, const Bindings& bound) {
    std::string all;
    for (const Sentence& part : parts) all += part(known, bound);
    return all;
  };
}

} // namespace rccebench::publications
