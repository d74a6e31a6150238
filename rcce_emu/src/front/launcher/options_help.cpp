// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "front/launcher/option_table.hpp"
#include "rcce_emu/statuses.hpp"

namespace rcce {

std::string options_help() {
  constexpr std::size_t column = 30; // where the explanations begin
  constexpr std::size_t width = 118;
  std::string text = "usage: rccerun -nue N [option]... program [argument]...\n\n"
                     "Runs an RCCE program, built by rccecc, on N cores of the simulated chip. The program "
                     "may be a script that\n"
                     "starts the program with the arguments it was given. Options take one dash or two.\n\n";
  for (const Option& option : option_table()) {
    if (option.names.empty()) {
      text += fmt::format("\n{}:\n", option.help);
      continue;
    }
    std::string left;
    for (std::string_view rest = option.names; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      left += (left.empty() ? "  " : ", ") + shown_option(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!option.value.empty())
      left += fmt::format("{}{}", takes_optional_value(option) ? "" : " ", option.value);
    std::size_t at = left.size();
    text += left;
    if (at + 2 > column) {
      text += '\n';
      at = 0;
    }
    text.append(column - at, ' ');
    at = column;
    for (std::string_view rest = option.help; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      if (at > column && at + 1 + end > width) {
        text += '\n';
        text.append(column, ' ');
        at = column;
      } else if (at > column) {
        text += ' ';
        ++at;
      }
      text += rest.substr(0, end);
      at += end;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    text += '\n';
  }
  text += "\nstatus:\n";
  for (const auto& [status, meaning] : status_table) text += fmt::format("  {:<3}  {}\n", status, meaning);
  text +=
      "\nA program also starts by itself: ./program N GHz id1 ... idN arguments, or ./program arguments as "
      "one UE.\n";
  return text;
}

} // namespace rcce
