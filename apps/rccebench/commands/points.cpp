// SPDX-License-Identifier: Apache-2.0
// rccebench points: any points of the laboratory, on any machines, as JSON in and JSON out. What the Python
// package and other programs drive sweeps by.
#include <fmt/format.h>

#include "command_line/collective_results.hpp"
#include "command_line/commands.hpp"
#include "command_line/json_input.hpp"
#include "lab.hpp"
#include "lab/point_json.hpp"

namespace rccebench {
namespace {

struct PointsOptions {
  CommonOptions common;
  std::string input;
  std::vector<std::string> files;
  unsigned jobs = 0;
};

Status run_points(const PointsOptions& options) {
  const std::vector<lab::Point> points =
      read_points(json_input<nlohmann::json>("points", options.input), options.files);
  const auto results = measure_all(points, options.jobs);
  auto rows = nlohmann::ordered_json::array();
  Status status = interrupted_status();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!results[i]) {
      rows.push_back(nullptr);
      continue;
    }
    rows.push_back(to_json(points[i], *results[i]));
    if (is_below_limit(points[i], *results[i])) {
      rows.back()["right"] = false;
      rows.back()["found"] = fmt::format("{} us are less than its limit of {}", results[i]->max_us,
                                         points[i].backend->limit(points[i]).binding().us);
    }
    if (!is_right(points[i], *results[i]) && status == 0) status = 1;
  }
  lab::ResultStore& store = result_store();
  if (!store.computes()) require_whole();
  const std::string& file = options.common.file;
  if (file.empty() || file != store.file()) write_out(rows.dump(1) + '\n', file);
  store.close({{"rows", std::move(rows)}});
  return status;
}

} // namespace

void add_points(CommandLine& line, Status& status) {
  auto options = std::make_shared<PointsOptions>();
  Command command = line.add_command(
      "points",
      "runs the points of a JSON file, on any machines, and writes their times as JSON in the same order");
  command.when_met([options](Command& met) {
    met.option("points", options->input,
               "file of an array of objects, as [{\"algorithm\": \"bcast/cube\", \"machine\": \"scc\", "
               "\"cores\": 48, "
               "\"bytes\": 8192}]; - is standard input")
        .required();
    met.option("--with", options->files, "source of an algorithm of your own; may be repeated");
    options->common.format = Format::json;
    options->common.add_sweep_to(met, &options->jobs);
    met.option("-o,--output", options->common.file, "write to this file instead of standard output")
        .writable();
  });
  command.when_chosen([options, &status] { status = run_points(*options); });
}

} // namespace rccebench
