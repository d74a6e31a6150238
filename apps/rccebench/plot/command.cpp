// SPDX-License-Identifier: Apache-2.0
// rccebench plot: curves of what a command has written as JSON.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "mesh_sim/errors.hpp"
#include "plot/gnuplot.hpp"

namespace rccebench {
namespace {

struct PlotOptions {
  std::string input, output, title;
  plot::Choice choice;
};

Status run_plot(const PlotOptions& options) {
  if (!options.output.ends_with(".svg") && !options.output.ends_with(".png") &&
      !options.output.ends_with(".pdf"))
    throw mesh::UserError(
        fmt::format("-o '{}': the ending says what is drawn; write .svg, .png or .pdf", options.output));
  if (options.choice.bandwidth && !options.choice.y.empty())
    throw mesh::UserError("--bandwidth and --y both say what to draw; write one of them");
  std::ifstream file(options.input);
  if (!file)
    throw mesh::UserError(fmt::format("'{}' cannot be read: {}", options.input, std::strerror(errno)));
  nlohmann::ordered_json document;
  try {
    document = nlohmann::ordered_json::parse(file);
  } catch (const nlohmann::ordered_json::parse_error& error) {
    throw mesh::UserError(fmt::format("'{}' is no JSON (byte {}); write it by a command of rccebench with "
                                      "--format json -o",
                                      options.input, error.byte));
  }
  plot::Chart chart = plot::chart_of(document, options.choice, options.input);
  if (!options.title.empty()) chart.title = options.title;
  plot::draw(plot::script_of(chart, options.output));
  return 0;
}

} // namespace

void add_plot(CommandLine& line, Status& status) {
  auto options = std::make_shared<PlotOptions>();
  Command command =
      line.add_command("plot", "curves of what another command has written with --format json, by gnuplot");
  command.option("file", options->input, "JSON of any command with rows").required();
  command.option("-o,--output", options->output, "the picture: a file that ends with .svg, .png or .pdf")
      .writable()
      .required();
  command
      .option("--x", options->choice.x,
              "member of the rows (default: that of bytes, elements, nodes, threads, cores and hops which "
              "has most "
              "values)")
      .not_blank();
  command
      .option("--y", options->choice.y,
              "member of the rows (default: the time of the last rank, the latency, "
              "or what is there)")
      .not_blank();
  command
      .option("--only", options->choice.only,
              "MEMBER=VALUE,VALUE: of the rows those whose member has one of these values; repeatable")
      .not_blank();
  command.flag("--bandwidth", options->choice.bandwidth, "MiB/s in place of the time");
  command.option("--title", options->title, "in place of the document's own").not_blank();
  command.when_chosen([options, &status] { status = run_plot(*options); });
}

} // namespace rccebench
