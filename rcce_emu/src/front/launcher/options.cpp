// SPDX-License-Identifier: Apache-2.0
#include "front/launcher/options.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "engine/ue/engines.hpp"
#include "front/launcher/option_table.hpp"
#include "front/launcher/option_values.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/output_file.hpp"
#include "process/image/arguments.hpp"
#include "rcce_emu/recordings.hpp"

namespace rcce {
namespace {

using mesh::UserError;

/// Refuses reports of a single run where --explore makes many.
void check_explored_reports(const LaunchOptions& options) {
  for (const RecordingOption& option : recording_options())
    if (const std::string_view name = option.names.substr(0, option.names.find(' '));
        option.of_one_run && options.job.recording.records.contains(name))
      throw UserError(fmt::format("--explore with --{0}: --explore makes many runs, --{0} records one; "
                                  "--replay makes the run that --explore has named, and --{0} can record it",
                                  name));
}

/// --explore needs runs that repeat.
void check_explore(const LaunchOptions& options) {
  const JobOptions& job = options.job;
  const char* const option = options.explore ? "--explore" : "--replay";
  const bool replay =
      job.interference.perturbation.seed != 0 || !job.interference.perturbation.orders.empty();
  if (!options.explore && !replay) return;
  if (options.explore && replay)
    throw UserError("--explore with --replay: --explore makes many runs, --replay makes one; leave one out");
  if (options.explore && (job.recording.records.contains("check") || job.process.check_heap))
    throw UserError(
        "--explore with --check: --explore compares many runs, --check analyses one; leave one out");
  if (options.explore) check_explored_reports(options);
  if (!capabilities_of(job).repeatable)
    throw UserError(fmt::format(
        "{} with --engine {}: with this engine the host decides the order of accesses; use --engine sim",
        option, name_of(job.engine.kind)));
  if (job.library.compute == ComputeModel::host)
    throw UserError(fmt::format("{} with --compute host: the times of such a run include host time, so it "
                                "cannot be repeated; use --compute none",
                                option));
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

/// As an absolute path without its steps to ".", which messages would show.
std::string whole_path(const std::string& path) {
  std::filesystem::path whole = std::filesystem::current_path();
  for (const std::filesystem::path& step : std::filesystem::path(path))
    if (step != ".") whole /= step;
  return whole.string();
}

/// "bcast/schedule:schedule=FILE,...", whose separators no path may hold that is made longer.
std::string with_whole_paths(const std::string& collectives) {
  constexpr std::string_view separators = ",:= \t";
  std::string all;
  for (std::size_t at = 0; at < collectives.size();) {
    const std::size_t end = std::min(collectives.find_first_of(separators, at + 1), collectives.size());
    const std::string path = collectives.substr(at + 1, end - at - 1);
    const std::string whole = collectives[at] == '=' && is_file(path) ? whole_path(path) : std::string();
    all += whole.empty() || whole.find_first_of(separators) != std::string::npos
        ? collectives.substr(at, end - at)
        : "=" + whole;
    at = end;
  }
  return all;
}

/// Files are found from other folders too: scripts change theirs.
std::string forwarded_value(const Option& option, const std::string& value) {
  if (option.writes_file && mesh::output_name(value) == mesh::standard_output)
    return std::string(mesh::standard_output);
  if (option.writes_file || (first_name(option) == "machine" && !mesh::is_preset(value) && is_file(value)))
    return whole_path(value);
  return first_name(option) == "collectives" ? with_whole_paths(value) : value;
}

} // namespace

LaunchOptions parse_job_options(std::span<const std::string> words) {
  Reading reading;
  LaunchOptions& options = reading.options;
  while (options.used < words.size()) {
    const std::string& word = words[options.used];
    if (word.size() < 2 || word[0] != '-') break;
    const std::size_t at = options.used++;
    if (word == "--") break;
    const std::size_t equals = word.find('=');
    const std::string written = word.substr(0, equals);
    const Option& option = find_option(written, std::string_view(written).substr(written[1] == '-' ? 2 : 1));
    std::string value;
    if (takes_optional_value(option)) {
      if (equals != std::string::npos) value = word.substr(equals + 1);
      if (equals != std::string::npos && value.empty()) fail(written, value, "the name of a file is missing");
    } else if (option.value.empty()) {
      if (equals != std::string::npos) fail(written, word.substr(equals + 1), "this option takes no value");
    } else if (equals != std::string::npos) {
      value = word.substr(equals + 1);
    } else if (options.used < words.size()) {
      value = words[options.used++];
    } else {
      throw UserError(fmt::format("option {} needs a value: {} {}", word, shown_option(first_name(option)),
                                  option.value));
    }
    if (option.writes_file && !takes_optional_value(option) && value.empty())
      fail(written, value, "the name of a file is missing");
    option.apply(reading, written, value);
    if (first_name(option) != "explore")
      options.unexplored.insert(options.unexplored.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                                words.begin() + static_cast<std::ptrdiff_t>(options.used));
    if (option.forward) {
      const bool bare = option.value.empty() || (takes_optional_value(option) && value.empty());
      options.forwarded.push_back(
          bare ? fmt::format("--{}", first_name(option))
               : fmt::format("--{}={}", first_name(option), forwarded_value(option, value)));
    }
  }
  if (!options.help) options.job.machine = reading.machine.read(options.job.library.costs);
  if (!options.help && !options.version) check_explore(options);
  return std::move(reading.options);
}

std::string join_options(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += word + option_separator;
  return text;
}

std::vector<std::string> split_options(const char* text) {
  std::vector<std::string> words;
  std::string_view rest = text != nullptr ? text : "";
  const char separator = rest.find(option_separator) != std::string_view::npos ? option_separator : ' ';
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    if (end > 0) words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

std::string default_clock(const mesh::MachineDescription& machine, unsigned generation) {
  return generation < 20 ? "1.0" : image::clock_text(machine);
}

} // namespace rcce
