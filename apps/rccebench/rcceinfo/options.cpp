// SPDX-License-Identifier: Apache-2.0
// The options of all commands, from the tables that they are read by, and the environment.
#include <algorithm>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "command_line/command_line.hpp"
#include "command_line/commands.hpp"
#include "lab.hpp"
#include "rcce_emu/command_options.hpp"
#include "rcce_emu/environment.hpp"
#include "rcceinfo/command.hpp"
#include "rcceinfo/entries.hpp"

namespace rccebench::info {
namespace {

/// The value that a variable of words ("--cc gcc --rcce=1.0") gives an option; empty: none.
std::string value_in(const std::vector<std::string>& words, const rcce::CommandOption& option) {
  std::string value;
  for (std::size_t i = 0; i < words.size(); ++i)
    for (const std::string& name : option.names) {
      if (words[i] == name) value = option.value.empty() ? "on" : i + 1 < words.size() ? words[i + 1] : "";
      if (words[i].starts_with(name + "=")) value = words[i].substr(name.size() + 1);
    }
  return value;
}

void add_table(std::vector<Entry>& to, const std::string& command,
               const std::vector<rcce::CommandOption>& table, const rcce::environment::Variable& variable) {
  const char* text = std::getenv(variable.name);
  const std::vector<std::string> words = cut(text == nullptr ? "" : text, ' ');
  for (const rcce::CommandOption& option : table) {
    Entry entry{.section = "options",
                .of = command,
                .names = option.names,
                .takes = std::string(option.value),
                .standard = option.value.empty() ? "off" : default_in(option.help),
                .origin = "default",
                .meaning = std::string(option.help)};
    entry.value = value_in(words, option);
    if (entry.value.empty())
      entry.value = entry.standard;
    else
      entry.origin = std::string(variable.name) +
          (command == "rccerun" ? ", which counts for programs that are started without rccerun" : "");
    to.push_back(std::move(entry));
  }
}

void add_described(std::vector<Entry>& to, const std::string& program,
                   const std::vector<CommandDescription>& commands) {
  std::set<std::string> known;
  for (const Entry& entry : to) known.insert(entry.of + " " + entry.names.front());
  for (const CommandDescription& command : commands)
    for (const OptionDescription& option : command.options) {
      if (option.names.empty()) continue;
      const std::string of = command.name.empty() ? program : program + " " + command.name;
      if (!known.insert(of + " " + option.names.front()).second) continue;
      std::string standard = option.standard.empty() ? default_in(option.help) : option.standard;
      if (standard.empty() && option.value.empty()) standard = "off";
      to.push_back({.section = "options",
                    .of = of,
                    .names = option.names,
                    .takes = option.value,
                    .value = standard,
                    .standard = standard,
                    .origin = "default",
                    .meaning = option.help});
    }
}

} // namespace

std::string default_in(std::string_view help) {
  constexpr std::string_view mark = "(default: ";
  const auto begin = help.find(mark);
  if (begin == std::string_view::npos) return {};
  help.remove_prefix(begin + mark.size());
  int depth = 1;
  const auto end = std::find_if(help.begin(), help.end(), [&](char c) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    return depth == 0 || (depth == 1 && (c == ',' || c == ';'));
  });
  return {help.begin(), end};
}

std::vector<CommandDescription> bench_commands() {
  Status status = 0;
  CommandLine line("rccebench", "", ""), on_cluster("rccebench", "", "");
  add_commands(line, status);
  add_commands(on_cluster, status);
  std::vector<CommandDescription> all = line.describe({});
  // Commands that have other options on a cluster: both.
  for (CommandDescription& more : on_cluster.describe({"--machine", "cluster"})) {
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == more.name; });
    for (OptionDescription& option : more.options) {
      const auto known = std::ranges::find_if(same->options, [&](const auto& one) {
        return one.names == option.names ||
            (!one.names.empty() && !option.names.empty() && one.names.front() == option.names.front());
      });
      if (known == same->options.end())
        same->options.push_back(std::move(option));
      else if (known->names.size() < option.names.size())
        known->names = std::move(option.names);
    }
  }
  return all;
}

std::vector<Entry> options() {
  std::vector<Entry> all;
  add_table(all, "rccerun", rcce::rccerun_options(), rcce::environment::job_options);
  add_table(all, "rccecc", rcce::rccecc_options(), rcce::environment::compiler_options);
  add_described(all, "rccebench", bench_commands());
  add_described(all, "rcceinfo", own_command());
  return all;
}

std::vector<Entry> variables() {
  std::vector<Entry> all;
  for (const rcce::environment::Variable* variable : rcce::environment::all) {
    const char* value = std::getenv(variable->name);
    all.push_back({.section = "environment",
                   .of = std::string(variable->readers),
                   .names = {variable->name},
                   .value = value == nullptr ? std::string(variable->standard) : value,
                   .standard = std::string(variable->standard),
                   .origin = value == nullptr ? "default" : "environment",
                   .meaning = std::string(variable->meaning)});
  }
  return all;
}

} // namespace rccebench::info
