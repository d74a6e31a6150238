// SPDX-License-Identifier: Apache-2.0
#include "core/options.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <deque>
#include <fstream>
#include <string_view>

#include "core/table.hpp"

namespace algorithms {
namespace {

/// "1..8", "ring, folded, neighbour".
std::string allowed(const rockcreek_parameter& parameter) {
  if (parameter.words == nullptr)
    return std::to_string(parameter.least) + ".." + std::to_string(parameter.most);
  std::string text;
  for (const char c : std::string_view(parameter.words)) text += c == ' ' ? ", " : std::string(1, c);
  if (parameter.or_file != 0) text += ", or a file that can be read";
  return text;
}

std::string unit_of(const rockcreek_parameter& parameter) {
  return parameter.unit != nullptr ? std::string(" ") + parameter.unit : "";
}

/// Paths that options have named: value -1 is the first one.
std::deque<std::string>& files() {
  static std::deque<std::string> all; // one per UE, as every variable of a program
  return all;
}

/// Position of a word among words; -1: it is none.
long long position(std::string_view words, std::string_view word) {
  for (long long at = 0; !words.empty(); ++at) {
    const std::string_view one = words.substr(0, words.find(' '));
    if (one == word) return at;
    words.remove_prefix(std::min(words.size(), one.size() + 1));
  }
  return -1;
}

/// Reads one value; false where it is not allowed.
bool read_value(const rockcreek_parameter& parameter, std::string_view text, long long& value) {
  if (parameter.words != nullptr) {
    value = position(parameter.words, text);
    if (value >= 0 || parameter.or_file == 0 || text.empty()) return value >= 0;
    const auto known = std::find(files().begin(), files().end(), text);
    value = -1 - (known - files().begin());
    if (known != files().end()) return true;
    files().emplace_back(text);
    if (std::ifstream(files().back()).good()) return true;
    files().pop_back();
    return false;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value >= parameter.least &&
      value <= parameter.most;
}

/// Options look like a list with commas to many.
std::string separator_hint(std::string_view word) {
  return word.find(',') == std::string_view::npos ? "" : "; options are separated by blanks, not by commas";
}

std::string unknown(const rockcreek_algorithm& row, std::string_view name) {
  std::string names;
  Nearest nearest(name);
  for (const rockcreek_parameter& parameter : parameters_of(row)) {
    nearest.offer(parameter.name);
    names += (names.empty() ? "" : ", ") + std::string(parameter.name);
  }
  return "'" + std::string(row.name) + "' has no option '" + std::string(name) + "'" +
      nearest.before(names.empty() ? "it takes none" : "it takes " + names) + separator_hint(name);
}

} // namespace

const char* text_of(const rockcreek_parameter& parameter, long long value) {
  if (parameter.words == nullptr) return nullptr;
  if (value < 0) {
    const auto index = static_cast<std::size_t>(-1 - value);
    return index < files().size() ? files()[index].c_str() : nullptr;
  }
  static std::deque<std::string> words; // with an end each
  std::string_view rest = parameter.words;
  for (; value > 0 && !rest.empty(); --value)
    rest.remove_prefix(std::min(rest.size(), rest.find(' ')) + (rest.find(' ') < rest.size() ? 1 : 0));
  const std::string_view word = rest.substr(0, rest.find(' '));
  if (word.empty()) return nullptr;
  const auto known = std::find(words.begin(), words.end(), word);
  return known != words.end() ? known->c_str() : words.emplace_back(word).c_str();
}

std::string Options::read(const rockcreek_algorithm& row, const char* text) {
  if (are_of(text)) return {};
  if (text == nullptr) text = "";
  known_ = false;
  if (!fixed_) {
    const auto parameters = parameters_of(row);
    std::transform(parameters.begin(), parameters.end(), defaults_.begin(),
                   [](const rockcreek_parameter& parameter) { return parameter.default_value; });
  }
  values_ = defaults_;
  if (std::string fault = parse(row, text); !fault.empty()) return fault;
  if (std::strlen(text) < last_.size()) {
    std::strcpy(last_.data(), text);
    known_ = true;
  }
  return {};
}

std::string Options::parse(const rockcreek_algorithm& row, std::string_view text) {
  const auto parameters = parameters_of(row);
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word.empty()) continue;
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const auto found =
        std::find_if(parameters.begin(), parameters.end(),
                     [name](const rockcreek_parameter& parameter) { return name == parameter.name; });
    if (found == parameters.end()) return unknown(row, name);
    if (equals == std::string_view::npos)
      return "option '" + std::string(word) + "' of '" + row.name + "' has no value; write " + found->name +
          "=VALUE";
    const auto index = static_cast<std::size_t>(found - parameters.begin());
    long long value = 0;
    if (!read_value(*found, word.substr(equals + 1), value))
      return "option '" + std::string(word) + "' of '" + row.name + "': allowed are " + allowed(*found) +
          unit_of(*found) + separator_hint(word);
    if (fixed_ && found->fixed != 0 && value != defaults_[index])
      return "option '" + std::string(word) + "' of '" + row.name + "': it was prepared with " +
          std::to_string(defaults_[index]) +
          ", which is for good; leave the option out, or give it when preparing";
    values_[index] = value;
  }
  return {};
}

void Options::fix(const rockcreek_algorithm& row) {
  const auto parameters = parameters_of(row);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].fixed != 0) defaults_[i] = values_[i];
  fixed_ = true;
}

} // namespace algorithms
