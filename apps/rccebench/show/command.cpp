// SPDX-License-Identifier: Apache-2.0
// rccebench show: the rounds of an algorithm, as one small run shows them.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/commands.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/terminal.hpp"
#include "show/forms.hpp"
#include "show/machine.hpp"

namespace rccebench {
namespace {

constexpr int most_shown = 1024;

struct ShowOptions {
  show::ScheduleRequest asked;
  std::string format, drawing = "suitable";
  int bytes = -1;
};

/// The format: the option's, otherwise the file's ending, otherwise text.
std::string format_of(const ShowOptions& options) {
  if (!options.format.empty()) return options.format;
  for (const char* const ending : {"svg", "html", "json"})
    if (options.asked.common.file.ends_with(std::string(".") + ending)) return ending;
  return "text";
}

show::Drawing drawing_of(const std::string& word) {
  return word == "mesh" ? show::Drawing::mesh
      : word == "tree"  ? show::Drawing::tree
      : word == "list"  ? show::Drawing::list
                        : show::Drawing::suitable;
}

std::string document_of(const ShowOptions& options, const show::Recording& recording) {
  const std::string format = format_of(options);
  if (format == "svg") return show::to_svg(recording);
  if (format == "html") return show::to_html(recording);
  if (format == "json") return show::to_json(recording).dump(2) + '\n';
  const bool printed = options.asked.common.file.empty();
  return show::to_text(recording, drawing_of(options.drawing), printed && mesh::takes_colours(STDOUT_FILENO),
                       !printed || mesh::takes_utf8(STDOUT_FILENO));
}

/// Without an algorithm: the machine itself.
Status show_machine(const ShowOptions& options) {
  const CommonOptions& common = options.asked.common;
  if (common.machine.empty())
    throw mesh::UserError("NAME is missing: an algorithm, as bcast/cube (rcceinfo algorithms lists them); "
                          "--machine alone draws the machine");
  const std::string format = format_of(options);
  if (format != "text" && format != "svg")
    throw mesh::UserError(fmt::format("--format {}: a machine is drawn as text or svg", format));
  const Machine machine = open_machine(common);
  write_out(format == "svg" ? show::machine_svg(machine) : show::machine_text(machine), common.file);
  return 0;
}

Status run_show(ShowOptions& options) {
  options.asked.bytes = options.bytes;
  if (options.asked.name.empty()) return show_machine(options);
  for (const std::string& setting : options.asked.common.settings)
    if (setting.find(',') != std::string::npos)
      throw mesh::UserError(fmt::format("--set '{}': show runs one machine, so write one value", setting));
  write_out(document_of(options, show::record(options.asked)), options.asked.common.file);
  return 0;
}

} // namespace

void add_show(CommandLine& line, Status& status) {
  auto options = std::make_shared<ShowOptions>();
  options->asked.common.machine = "";
  Command command = line.add_command(
      "show",
      "draws the rounds of an algorithm, from a small run: who sends data or a signal to whom, and when");
  command.when_met([options](Command& met) {
    show::ScheduleRequest& asked = options->asked;
    met.option(
        "name", asked.name,
        fmt::format("algorithm, with or without its operation and '/'; without one --machine draws the "
                    "machine: {}",
                    fmt::join(show::names(), ", ")));
    met.option("--cores", asked.cores, "number of cores, threads or nodes")
        .between(1, most_shown)
        .with_default_in_help();
    met.option("--root", asked.root, "rank of the root, for algorithms on messages")
        .between(0, most_shown - 1)
        .with_default_in_help();
    met.option("--bytes", options->bytes,
               "length of the message or vector in bytes (default: 4096 for a broadcast, 512 for a "
               "reduction, one element on network cards)")
        .between(0, 1 << 20);
    met.option("--parameter", asked.parameters,
               "NAME=VALUE: a parameter of the algorithm, for example part=256, or fan_outs=4,4,3 of "
               "level_tree; may be repeated");
    met.option("--with", asked.files,
               "source of an algorithm of your own, which is shown as the others are; may be repeated");
    met.option("--machine", asked.common.machine,
               fmt::format("machine: {}, or a machine file (default: scc; for algorithms in shared memory "
                           "alone opteron-6172, on network cards alone alc)",
                           fmt::join(mesh::machine_names(), ", ")));
    asked.common.add_settings_to(met, CommonOptions::Values::one);
    asked.common.add_hosts_to(met);
    met.option("--format", options->format,
               "text, svg (a panel for each round), html (a page with steps) or json (default: what the "
               "ending of -o says, else text)")
        .one_of({"text", "svg", "html", "json"});
    met.option("--drawing", options->drawing,
               "form of the text: mesh, tree (who got it from whom), list, or suitable, which chooses one of "
               "these")
        .one_of({"suitable", "mesh", "tree", "list"})
        .with_default_in_help();
    met.option("-o,--output", asked.common.file, "write to this file instead of standard output").writable();
  });
  command.when_chosen([options, &status] { status = run_show(*options); });
}

} // namespace rccebench
