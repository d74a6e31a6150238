// SPDX-License-Identifier: Apache-2.0
#include "lab/lists.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/read_number.hpp"

namespace lab {

std::int64_t whole_number(const std::string& text, const std::string& where) {
  std::int64_t value = 0;
  if (!mesh::read_number(text, value) || value < 0)
    throw mesh::UserError(fmt::format("{}: '{}' is not a whole number", where, text));
  return value;
}

std::vector<std::string> cut(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

std::vector<std::int64_t> read_numbers(const std::string& text, const std::string& option, std::int64_t least,
                                       std::int64_t most, const std::string& unit) {
  const std::string where = fmt::format("{} '{}'", option, text);
  std::vector<std::int64_t> numbers;
  std::set<std::int64_t> seen;
  const auto check = [&](std::int64_t number) {
    if (number < least || number > most)
      throw mesh::UserError(fmt::format("{}: {}{} out of range {}..{}", where, number,
                                        unit.empty() ? " is" : fmt::format(" {} are", unit), least, most));
  };
  constexpr std::size_t most_numbers = 1'000'000;
  const auto add = [&](std::int64_t number) {
    check(number);
    if (numbers.size() == most_numbers)
      throw mesh::UserError(fmt::format("{}: more than {} values; take a larger step", where, most_numbers));
    if (seen.insert(number).second) numbers.push_back(number);
  };
  for (const std::string& given : cut(text, ',')) {
    std::string word = given;
    if (const auto dots = word.find(".."); dots != std::string::npos)
      word = fmt::format("{}-{}:x2", word.substr(0, dots), word.substr(dots + 2));
    const auto dash = word.find('-', 1), colon = word.find(':'); // a sign is no dash
    if (dash == std::string::npos) {
      add(whole_number(word, option));
      continue;
    }
    if (colon == std::string::npos || colon < dash)
      throw mesh::UserError(fmt::format(
          "{} '{}': this range has no step; write FIRST-LAST:STEP or FIRST-LAST:xFACTOR", option, given));
    const auto first = whole_number(word.substr(0, dash), where);
    const auto last = whole_number(word.substr(dash + 1, colon - dash - 1), where);
    const std::string step = word.substr(colon + 1);
    const bool factor = step.starts_with('x');
    const auto by = whole_number(factor ? step.substr(1) : step, where);
    if (by < (factor ? 2 : 1) || (factor && first < 1))
      throw mesh::UserError(fmt::format("{}: step '{}' never reaches the end; a step is at least 1, a factor "
                                        "at least x2 and its range begins at 1 or more",
                                        where, step));
    if (last < first)
      throw mesh::UserError(
          fmt::format("{} '{}': this range is empty: write the smaller end first", option, given));
    check(last); // the larger end first: a range that leaves the bounds is refused before it is counted out
    for (auto number = first;; number = factor ? number * by : number + by) {
      add(number);
      if (factor ? number > last / by : number > last - by) break;
    }
  }
  return numbers;
}

std::vector<std::int64_t> read_sizes(const std::string& text, std::int64_t least) {
  return read_numbers(text, "--sizes", least, largest_message, "bytes");
}

std::vector<std::string> read_names(const std::string& text, const std::string& option,
                                    std::string_view folder, std::span<const std::string_view> known) {
  std::vector<std::string> names;
  for (const std::string& word : cut(text, ',')) {
    const std::string full = word.starts_with(folder) ? word : std::string(folder) + word;
    if (std::find(known.begin(), known.end(), full) == known.end()) {
      // "bcast/linear": those of broadcasts, where there are some; "linear" alone: those of that name.
      const std::string_view operation = std::string_view(full).substr(0, full.find('/') + 1);
      std::vector<std::string_view> like;
      std::ranges::copy_if(known, std::back_inserter(like), [&, name = "/" + full](std::string_view one) {
        return operation.empty() ? one.ends_with(name) : one.starts_with(operation);
      });
      if (like.empty()) like.assign(known.begin(), known.end());
      const std::string_view near = mesh::nearest(full, like);
      throw mesh::UserError(fmt::format(
          "{} '{}': there is no '{}'{} are {}", option, text, word,
          near.empty() ? "; there" : fmt::format(", did you mean '{}'? There", near), fmt::join(like, ", ")));
    }
    if (std::find(names.begin(), names.end(), full) == names.end()) names.push_back(full);
  }
  return names;
}

std::vector<std::string> read_values(const Parameter& parameter, const std::string& text) {
  std::vector<std::string> values;
  if (parameter.list) {
    // A range is several lists of one number; one with '/' is a list of numbers, none of them a range.
    const auto numbers_of = [&parameter](const std::string& word) {
      return read_numbers(word, parameter.option(), parameter.least, parameter.most, parameter.unit);
    };
    for (const std::string& list : cut(text, ',')) {
      const auto members = cut(list, '/');
      if (members.size() == 1) {
        for (const auto number : numbers_of(list)) values.push_back(std::to_string(number));
        continue;
      }
      for (const std::string& member : members)
        if (numbers_of(member).size() != 1)
          throw mesh::UserError(fmt::format("{} '{}': '{}' is a range; between '/' stand single numbers",
                                            parameter.option(), text, member));
      values.push_back(list);
    }
    return values;
  }
  if (parameter.or_file) {
    if (text == "both") return {parameter.words.rbegin(), parameter.words.rend()};
    return cut(text, ',');
  }
  if (parameter.words.empty()) {
    for (const auto number :
         read_numbers(text, parameter.option(), parameter.least, parameter.most, parameter.unit))
      values.push_back(std::to_string(number));
    return values;
  }
  const std::vector<std::string_view> known(parameter.words.begin(), parameter.words.end());
  return read_names(text, parameter.option(), "", known);
}

} // namespace lab
