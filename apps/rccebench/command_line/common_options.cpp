// SPDX-License-Identifier: Apache-2.0
#include "command_line/common_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_sim/machines/machines.hpp"

namespace rccebench {

void CommonOptions::add_to(Command& command, std::optional<mesh::Capability> needs) {
  const auto names = needs ? mesh::machines_with(*needs) : mesh::machine_names();
  command
      .option("--machine", machine, fmt::format("machine: {}, or a machine file", fmt::join(names, ", ")))
      .with_default_in_help();
  add_settings_to(command);
  command.option("--frames", frames, "contiguous or random: physical frames of private memory")
      .one_of({"contiguous", "random"});
  add_output_to(command);
}

void CommonOptions::add_settings_to(Command& command) {
  command.option(
      "--set", settings,
      "SECTION.NAME=VALUE: one parameter of the machine, as rccerun --print-machine lists them; may be "
      "repeated. With several values, 2,4,8, everything is run with each");
  command
      .option("--contention", contention,
              "on or off: whether links, buffers and controllers are contended for")
      .one_of({"on", "off"});
  command
      .option("--granularity", granularity,
              "blocks, exact or lines: what of a copy is one event: many lines of a long one, as many as "
              "nobody can notice, one")
      .one_of({"blocks", "exact", "lines"});
}

void CommonOptions::add_output_to(Command& command) {
  command.option("--format", format, "table, csv or json");
  command.option("-o,--output", file, "write to this file instead of standard output").writable();
}

void CommonOptions::add_hosts_to(Command& command) {
  command.option(
      "-f,--hostfile", host_file,
      "host file, one core number per line: cores are taken from it in its order instead of from 0 on");
}

void CommonOptions::add_statistics_to(Command& command) {
  command.only_new(command.optional_value(
      "--statistics", statistics, statistics_file,
      "what cores, calls, links, buffers and controllers did in each run, start and checks "
      "included, the busiest first: on stderr, or with --statistics=FILE to the file, as its "
      "ending says: .csv, .json, else a table"));
}

void CommonOptions::add_report_to(Command& command) {
  command.new_page(
      "--report", report_file,
      "the results as one HTML page with all it needs, to the file; -: to standard output, in place "
      "of the table");
}

std::string CommonOptions::machine_name() const {
  return settings.empty() ? machine : fmt::format("{} {}", machine, fmt::join(settings, " "));
}

rcce::MachineChoice CommonOptions::choice() const {
  rcce::MachineChoice all{machine, {}};
  for (const std::string& setting : settings) all.add("--set", setting);
  const auto set = [&all](const char* option, const char* parameter, const std::string& value) {
    if (!value.empty()) all.settings.push_back({fmt::format("{} {}", option, value), parameter, value});
  };
  set("--contention", "mesh.contention", contention);
  set("--granularity", "mesh.granularity", granularity);
  set("--frames", "dram.frames", frames);
  return all;
}

Machine open_machine(const CommonOptions& options) {
  Machine machine = lab::open_machine(options.choice());
  if (!options.settings.empty()) machine.config.rename(options.machine_name());
  machine.host_file = options.host_file;
  return machine;
}

} // namespace rccebench
