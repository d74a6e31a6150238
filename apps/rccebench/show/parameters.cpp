// SPDX-License-Identifier: Apache-2.0
#include "show/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab.hpp"
#include "mesh_sim/errors.hpp"
#include "show/names.hpp"

namespace rccebench::show {

std::map<std::string, std::string> read_parameters(const std::vector<std::string>& words,
                                                   const std::string& algorithm,
                                                   const std::vector<std::string>& known) {
  std::map<std::string, std::string> values;
  for (const std::string& word : words) {
    const auto equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (equals == std::string::npos)
      throw mesh::UserError(fmt::format("--parameter '{}': takes NAME=VALUE", word));
    if (!has(known, name)) {
      const std::vector<std::string_view> views(known.begin(), known.end());
      const std::string_view near = mesh::nearest(name, views);
      throw mesh::UserError(
          fmt::format("--parameter '{}': {} has {}{}", word, algorithm,
                      known.empty() ? std::string("none") : fmt::format("{}", fmt::join(known, ", ")),
                      near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
    }
    values[name] = word.substr(equals + 1);
  }
  return values;
}

std::vector<int> read_list(const std::string& text, const std::string& option, std::int64_t least,
                           std::int64_t most) {
  std::vector<int> numbers; // also equal ones, which read_numbers() would drop
  for (const std::string& word : cut(text, text.find('/') == std::string::npos ? ',' : '/'))
    for (const auto number : read_numbers(word, option, least, most, "branches"))
      numbers.push_back(static_cast<int>(number));
  return numbers;
}

} // namespace rccebench::show
