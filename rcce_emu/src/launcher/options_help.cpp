// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "launcher/option_table.hpp"

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
  text += R"(
status:
  0    every UE ended with status 0; with --explore: all runs agree
  n    the status of the lowest rank whose own was not 0
  1    with --explore: two runs differ
  2    the job could not be started: wrong options, host file, machine or program; or --replay
       names an order that did not occur
  74   standard output or standard error could not be written
  121  deadlock: some UEs had not ended, and none of them could ever go on; with --explore: in one of the runs
  124  the limit of --timeout was reached
  125  --check has findings, and the status would else have been 0
  128+n  signal n ended the job, 139 for a segmentation fault
  126, 127  the program is not executable; there is no such program

A program also starts by itself: ./program N GHz id1 ... idN arguments, or ./program arguments as one UE.
)";
  return text;
}

} // namespace rcce
