// SPDX-License-Identifier: Apache-2.0
#include "command_line/records.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_sim/errors.hpp"

namespace rccebench {
namespace {

std::vector<rcce::RecordingOption> offered() {
  std::vector<rcce::RecordingOption> options = rcce::recording_options();
  std::erase_if(options, [](const rcce::RecordingOption& option) { return option.bench_help.empty(); });
  return options;
}

} // namespace

void RecordOptions::add_to(Command& command) {
  for (const rcce::RecordingOption& option : offered()) {
    const std::string name = fmt::format("--{}", option.names), help(option.bench_help);
    OptionRequest& asked = options_[std::string(option.names)];
    if (option.value.empty())
      command.flag(name, asked.given, help);
    else if (option.value.starts_with('['))
      command.only_new(command.optional_value(name, asked.given, asked.file, help));
    else
      command.only_new(command.option(name, asked.file, help));
  }
}

rcce::Records RecordOptions::asked() const {
  rcce::Records records;
  for (const auto& [name, one] : options_)
    if (one.given || !one.file.empty()) records[name] = one.file;
  return records;
}

std::string record_options() {
  std::vector<std::string> names;
  for (const rcce::RecordingOption& option : offered()) names.push_back(fmt::format("--{}", option.names));
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

void check_records(const RecordOptions& options, std::size_t runs, std::string_view advice) {
  if (!options.any() || runs == 1) return;
  throw mesh::UserError(
      fmt::format("{} record one run, and {} are asked for: choose {}", record_options(), runs, advice));
}

void check_records(const RecordOptions& options, const Point& point) {
  for (const auto& [option, file] : options.asked())
    if (const std::string why = point.backend->unrecorded(point, option); !why.empty())
      throw mesh::UserError(why);
}

void write_records(const RecordOptions& options, const std::function<Output(const rcce::Records&)>& run) {
  lab::write_recordings(run(options.asked()));
}

} // namespace rccebench
