// SPDX-License-Identifier: Apache-2.0
// rccebench plot: curves of what commands have written as JSON.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/commands.hpp"
#include "lab/json_text.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/output_file.hpp"
#include "mesh_sim/text_file.hpp"
#include "plot/gnuplot.hpp"

namespace rccebench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* advice = "write it by a command of rccebench with --format json -o";

struct PlotOptions {
  std::vector<std::string> inputs;
  std::string output, title;
  plot::Choice choice;
};

Json read_document(const std::string& name) {
  std::error_code ignored;
  if (fs::is_directory(name, ignored))
    throw mesh::UserError(fmt::format("'{}': this is a folder; name a file in it", name));
  constexpr std::size_t largest_bytes = std::size_t{256} << 20;
  const auto text = mesh::read_text_file(name, largest_bytes);
  if (!text) throw mesh::UserError(fmt::format("'{}' cannot be read: {}", name, std::strerror(errno)));
  try {
    return lab::read_json<Json>(*text);
  } catch (const mesh::UserError& error) {
    throw mesh::UserError(fmt::format("'{}' {}; {}", name, error.what(), advice));
  }
}

/// Names that tell files apart: their plain names, with folders if two have the same.
std::vector<std::string> labels_of(const std::vector<std::string>& files) {
  std::vector<std::string> labels;
  for (const std::string& file : files) labels.push_back(fs::path(file).stem().string());
  std::vector<std::string> sorted = labels;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() ? labels : files;
}

/// The first document with the rows of all. Each row has the file that it comes from in front.
Json joined(const std::vector<std::string>& files) {
  if (files.size() == 1) return read_document(files.front());
  const std::vector<std::string> labels = labels_of(files);
  Json all;
  Json rows = Json::array();
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Json document = read_document(files[i]);
    plot::check_rows(document, files[i]);
    for (const Json& row : document["rows"]) {
      Json one{{plot::file_key, labels[i]}};
      one.update(row);
      rows.push_back(std::move(one));
    }
    if (i == 0) all = document;
  }
  all["rows"] = std::move(rows);
  return all;
}

Status run_plot(const PlotOptions& options) {
  if (!options.output.ends_with(".svg") && !options.output.ends_with(".png") &&
      !options.output.ends_with(".pdf"))
    throw mesh::UserError(
        fmt::format("-o '{}': the ending chooses the format; use .svg, .png or .pdf", options.output));
  if (options.choice.bandwidth && !options.choice.y.empty())
    throw mesh::UserError("--bandwidth with --y: both choose what to draw; use one of them");
  if (options.inputs.empty()) throw mesh::UserError(fmt::format("no file to draw; name one, {}", advice));
  plot::Chart chart = plot::chart_of(joined(options.inputs), options.choice,
                                     fmt::format("{}", fmt::join(options.inputs, "', '")));
  if (!options.title.empty()) chart.title = options.title;
  mesh::write_output("-o", options.output, plot::drawn(plot::script_of(chart, options.output)));
  return 0;
}

} // namespace

void add_plot(CommandLine& line, Status& status) {
  auto options = std::make_shared<PlotOptions>();
  Command command = line.add_command(
      "plot", "draws curves of the JSON that other commands write with --format json, by gnuplot");
  command.words("file", options->inputs, "JSON of any command with rows; several files share one picture");
  command.option("-o,--output", options->output, "the picture: a file that ends with .svg, .png or .pdf")
      .writable()
      .required();
  command
      .option("--x", options->choice.x,
              "member of the rows on the x axis (default: that with the most values; candidates are bytes, "
              "elements, nodes, threads, cores and hops)")
      .not_blank();
  command
      .option("--y", options->choice.y,
              "member of the rows on the y axis (default: the time of the last rank, else the latency, else "
              "another time)")
      .not_blank();
  command
      .option("--only", options->choice.only,
              "MEMBER=VALUE,VALUE: draw only rows whose member has one of these values; may be repeated")
      .not_blank();
  command.flag("--bandwidth", options->choice.bandwidth, "draw bandwidth in MiB/s instead of time");
  command.option("--title", options->title, "title of the picture (default: that of the document)")
      .not_blank();
  command.when_chosen([options, &status] { status = run_plot(*options); });
}

} // namespace rccebench
