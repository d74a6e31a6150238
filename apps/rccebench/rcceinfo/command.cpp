// SPDX-License-Identifier: Apache-2.0
#include "rcceinfo/command.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <exception>
#include <iterator>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/printable.hpp"
#include "present/report.hpp"
#include "rcce_emu/statuses.hpp"
#include "rcce_emu/version.hpp"
#include "rcceinfo/entries.hpp"

namespace rccebench::info {
namespace {

struct InfoRequest {
  std::vector<std::string> words; ///< sections, names
  Choice choice;
  Format format = Format::table;
  std::string file, completion;

  void add_to(Command& command) {
    command.words("NAME", words, "what to explain: a section, or the name of anything");
    command.option(
        "--machine", choice.machine,
        "machine whose parameters are shown: a preset or machine file (default: the first of each kind)");
    command.option("--set", choice.settings, "SECTION.NAME=VALUE, as rccerun takes it; may be repeated");
    command.option("--format", format, "table, csv, json, markdown or latex (default: table)");
    command.option("-o,--output", file, "write to this file instead of standard output").writable();
    command.option("--completion", completion, "").hidden();
  }
};

constexpr const char* description =
    "Explains every name of rccerun, rccecc, rccebench and rcceinfo, of machine files, of the environment "
    "and\nof results: value, default, unit, origin. Without a name: all of them.\nSections: options, "
    "parameters, environment, machines, algorithms, statistics, instructions, measurements.\nExit status: 0; "
    "2 for a wrong "
    "command line or an unknown name.";

Cell cell(const std::string& text) {
  if (text.empty()) return std::monostate{};
  return text;
}

std::string written(const Entry& entry) {
  const std::string names = fmt::format("{}", fmt::join(entry.names, ", "));
  if (entry.section != "options" || entry.takes.empty()) return names;
  return names + (entry.takes.starts_with('[') ? "" : " ") + entry.takes;
}

/// A section's table for readers: beside the names, the columns that say something there.
Table view_of(const Section& section, const std::vector<Entry>& entries) {
  struct Possible {
    const char* name;
    std::string Entry::*member;
  };
  const bool algorithms = section.name == "algorithms", measurements = section.name == "measurements";
  const std::array<Possible, 7> possible = {{
      {algorithms                      ? "With"
           : section.name == "options" ? "Command"
                                       : "Of",
       &Entry::of},
      {algorithms         ? "Cost"
           : measurements ? "Example"
                          : "Value",
       &Entry::value},
      {"Default", &Entry::standard},
      {"Unit", &Entry::unit},
      {measurements ? "Columns" : "Allowed", section.name == "options" ? nullptr : &Entry::takes},
      {algorithms ? "Source" : "Origin", &Entry::origin},
      {"Meaning", &Entry::meaning},
  }};
  Table table;
  table.title = section.title;
  table.columns.push_back({"Name", ""});
  std::vector<std::string Entry::*> members;
  for (const auto& [name, member] : possible) {
    if (member == nullptr ||
        std::none_of(entries.begin(), entries.end(),
                     [member = member](const Entry& entry) { return !(entry.*member).empty(); }))
      continue;
    table.columns.push_back({name, ""});
    members.push_back(member);
  }
  for (const Entry& entry : entries) {
    std::vector<Cell>& row = table.rows.emplace_back();
    row.emplace_back(written(entry));
    for (const auto member : members) row.push_back(cell(entry.*member));
  }
  return table;
}

/// All that is known, as rows alike: for programs.
Table rows_of(const std::vector<Entry>& entries) {
  Table table;
  for (const char* name :
       {"Section", "Of", "Name", "Other names", "Takes", "Value", "Default", "Unit", "Origin", "Meaning"})
    table.columns.push_back({name, ""});
  for (const Entry& entry : entries)
    table.rows.push_back({cell(entry.section), cell(entry.of), cell(entry.names.front()),
                          cell(fmt::format("{}", fmt::join(entry.names.begin() + 1, entry.names.end(), " "))),
                          cell(entry.takes), cell(entry.value), cell(entry.standard), cell(entry.unit),
                          cell(entry.origin), cell(entry.meaning)});
  return table;
}

/// Its names; "--machine" also by "machine", "mesh.clock" by "clock", "bcast/cube" by "cube".
std::vector<std::string_view> answers_to(const Entry& entry) {
  std::vector<std::string_view> words;
  for (std::string_view name : entry.names) {
    words.push_back(name);
    if (name.starts_with('-')) {
      name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
      words.push_back(name);
    }
    const auto cut = name.find_last_of("./");
    if (entry.section != "options" && cut != std::string_view::npos) words.push_back(name.substr(cut + 1));
  }
  return words;
}

bool is_called(const Entry& entry, std::string_view word) {
  const std::vector<std::string_view> words = answers_to(entry);
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// True where the word stands in what is said of the entry: somebody looks for "frequency".
bool tells_of(const Entry& entry, std::string_view word) {
  const auto lower = [](std::string_view text) {
    std::string all(text);
    for (char& one : all) one = static_cast<char>(std::tolower(static_cast<unsigned char>(one)));
    return all;
  };
  const std::string text = lower(fmt::format("{} {} {}", entry.names.front(), entry.meaning, entry.unit));
  const std::string wanted = lower(word);
  for (std::size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1))
    if (at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0) return true;
  return false;
}

[[noreturn]] void refuse(const std::string& word, const std::vector<Entry>& all) {
  std::vector<std::string_view> names;
  for (const Section& section : sections()) names.push_back(section.name);
  for (const Entry& entry : all)
    for (const std::string_view name : answers_to(entry)) names.push_back(name);
  const std::string_view near = mesh::nearest(word, names);
  throw mesh::UserError(fmt::format(
      "nothing is called '{}' among options, parameters, environment variables, machines, algorithms, "
      "statistics, instructions and measurements; {}",
      word, near.empty() ? "rcceinfo without a name lists all" : fmt::format("did you mean '{}'?", near)));
}

/// A name in full: a line for each thing that is known of it.
std::string explained(const Entry& entry) {
  const bool algorithm = entry.section == "algorithms", measurement = entry.section == "measurements";
  std::string text =
      fmt::format("{} ({}, {})\n  {}\n", written(entry),
                  entry.section == "environment" ? "environment variable"
                                                 : entry.section.substr(0, entry.section.size() - 1),
                  entry.of, entry.meaning.empty() ? "-" : entry.meaning);
  const auto line = [&](const char* what, const std::string& value) {
    if (!value.empty()) text += fmt::format("  {:<8}  {}\n", what, value);
  };
  if (measurement) {
    line("columns", entry.takes);
    line("example", entry.value);
  } else {
    line(algorithm ? "cost" : "value",
         entry.unit.empty() || entry.unit == "-" ? entry.value
                                                 : fmt::format("{} {}", entry.value, entry.unit));
  }
  if (measurement || entry.value.empty()) line("unit", entry.unit);
  line("default", entry.standard);
  if (entry.section == "parameters") line("allowed", entry.takes);
  line(algorithm ? "source" : "origin", entry.origin);
  return text;
}

/// Several commands have the same options: these are explained once.
std::string explained(std::vector<Entry> entries) {
  std::string text;
  for (auto one = entries.begin(); one != entries.end(); ++one) {
    if (one->of.empty()) continue;
    const auto same = [&](const Entry& other) {
      return other.section == one->section && other.names == one->names && other.value == one->value &&
          other.meaning == one->meaning;
    };
    for (auto other = one + 1; other != entries.end(); ++other)
      if (same(*other)) {
        one->of += ", " + other->of;
        other->of.clear();
      }
    text += (text.empty() ? "" : "\n") + explained(*one);
  }
  return text;
}

void answer(const InfoRequest& asked) {
  std::vector<Entry> all;
  std::vector<Table> views;
  std::string text;
  const auto take = [&](const Section& section) {
    const std::vector<Entry> entries = section.entries(asked.choice);
    views.push_back(view_of(section, entries));
    all.insert(all.end(), entries.begin(), entries.end());
  };
  std::vector<Entry> known;
  if (asked.words.empty())
    for (const Section& section : sections()) take(section);
  for (const std::string& word : asked.words) {
    const auto chosen = std::find_if(sections().begin(), sections().end(),
                                     [&](const Section& section) { return section.name == word; });
    if (chosen != sections().end()) {
      take(*chosen);
      continue;
    }
    if (known.empty())
      for (const Section& section : sections()) {
        const std::vector<Entry> entries = section.entries(asked.choice);
        known.insert(known.end(), entries.begin(), entries.end());
      }
    std::vector<Entry> called;
    std::copy_if(known.begin(), known.end(), std::back_inserter(called),
                 [&](const Entry& entry) { return is_called(entry, word); });
    std::vector<Entry> others; // machine parameters that tell of it
    if (word.size() > 2)
      std::copy_if(known.begin(), known.end(), std::back_inserter(others), [&](const Entry& entry) {
        return entry.section == "parameters" && !is_called(entry, word) && tells_of(entry, word);
      });
    if (called.empty()) called.swap(others);
    if (called.empty()) refuse(word, known);
    text += (text.empty() ? "" : "\n") + explained(called);
    std::set<std::string> names;
    for (const Entry& entry : others) names.insert(entry.names.front());
    if (!names.empty()) text += fmt::format("\n'{}' also stands in {}\n", word, fmt::join(names, ", "));
    all.insert(all.end(), called.begin(), called.end());
  }
  Report report;
  report.title = fmt::format("rcceinfo {}", rcce::version_text);
  if (asked.format != Format::table) {
    report.table = rows_of(all);
  } else {
    report.views = std::move(views);
    if (report.views.empty()) {
      write_out(text, asked.file);
      return;
    }
    if (!text.empty()) report.notes.push_back(text);
  }
  write(report, asked.format, asked.file);
}

} // namespace

std::span<const Section> sections() {
  static constexpr std::array all = {
      Section{"options", "options of the commands", [](const Choice&) { return options(); }},
      Section{"parameters", "machine parameters: rccerun --set NAME=VALUE, machine files", parameters},
      Section{"environment", "environment variables", [](const Choice&) { return variables(); }},
      Section{"machines", "machines: --machine NAME", [](const Choice&) { return machines(); }},
      Section{"algorithms", "algorithms of collective operations",
              [](const Choice&) { return algorithms(); }},
      Section{"statistics", "statistics: rccerun --statistics, --matrix, --links, --profile, --energy",
              [](const Choice&) { return statistics(); }},
      Section{"instructions", "the program's own instructions on the chip's core: rccerun --compute blocks",
              [](const Choice&) { return instructions(); }},
      Section{"measurements",
              "what rows of measurements can name: rccebench validate --data FILE, calibrate --measured FILE",
              [](const Choice&) { return measurements(); }},
  };
  return all;
}

std::vector<CommandDescription> own_command() {
  InfoRequest asked;
  CommandLine line("rcceinfo", "", "");
  Command command = line.whole();
  asked.add_to(command);
  return line.describe({});
}

namespace {

/// Options that are not rcceinfo's own are asked about, as their names without dashes are.
void name_others(std::span<char*> words) {
  std::vector<std::string> own{"--help", "--version", "--completion"};
  const std::vector<CommandDescription> commands = own_command();
  for (const OptionDescription& option : commands.front().options)
    own.insert(own.end(), option.names.begin(), option.names.end());
  for (char*& word : words) {
    const std::string_view text = word;
    if (text.starts_with("--") && text.size() > 2 &&
        std::ranges::find(own, text.substr(0, text.find('='))) == own.end())
      word += 2;
  }
}

} // namespace

int run(int argc, char** argv) {
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  try {
    name_others(words.subspan(std::min<std::size_t>(1, words.size())));
    InfoRequest asked;
    CommandLine line("rcceinfo", description, fmt::format("rcceinfo {}", rcce::version_text));
    Command command = line.whole();
    asked.add_to(command);
    command.when_chosen([&] {
      if (asked.completion.empty()) {
        answer(asked);
        return;
      }
      const auto colon = asked.completion.find(':');
      write_out(completion(asked.completion.substr(0, colon),
                           colon == std::string::npos ? "" : asked.completion.substr(colon + 1)),
                asked.file);
    });
    return line.parse(argc, argv).value_or(0);
  } catch (const mesh::UserError& error) {
    std::fprintf(stderr, "rcceinfo: %s\n", mesh::printable(error.what(), words).c_str());
    return dynamic_cast<const mesh::OutputFailed*>(&error) != nullptr ? rcce::status_output_failed : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rcceinfo: %s\n", mesh::printable(error.what(), words).c_str());
    return 1;
  }
}

} // namespace rccebench::info
