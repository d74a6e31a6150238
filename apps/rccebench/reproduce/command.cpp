// SPDX-License-Identifier: Apache-2.0
// rccebench reproduce: every statement of a publication that can be checked, beside what the simulated
// machine says.
#include <fmt/format.h>

#include "commands.hpp"
#include "lab.hpp"
#include "page/parameters.hpp"
#include "reproduce/publications.hpp"

namespace rccebench {
namespace {

struct ReproduceOptions {
  CommonOptions common;
  std::string publication, figures;
  unsigned jobs = 0;
  bool check = false;
};

Status run_reproduce(const ReproduceOptions& options) {
  const reproduce::Publication& publication = reproduce::publication(options.publication);
  if (!options.figures.empty()) reproduce::make_folder(options.figures);
  const reproduce::Reproduction result = publication.run(options.jobs);
  Report report = reproduce::report_of(options.publication, result);
  if (!options.figures.empty())
    report.notes.push_back(fmt::format("# {} tables and figures as CSV in {}",
                                       reproduce::write_figures(result, options.figures).size(),
                                       options.figures));
  if (!options.common.report_file.empty()) {
    CommonOptions machines;
    machines.machine = result.machines;
    report.parameters = page::parameters_of(machines);
    reproduce::add_page(report, result);
  }
  const int status = options.check && reproduce::count(result.claims).evidence_fail > 0 ? 1 : 0;
  return written({std::move(report), status}, options.common);
}

std::string publication_names() {
  std::string text;
  for (const auto& one : reproduce::publications())
    text += fmt::format("\n{}: {}", one.name, one.description);
  return text;
}

} // namespace

void add_reproduce(CommandLine& line, Status& status) {
  auto options = std::make_shared<ReproduceOptions>();
  Command command = line.add_command(
      "reproduce", "a publication's measurements on the simulated machine, statement by statement");
  command.option("publication", options->publication, "which one:" + publication_names()).required();
  command.option("--figures", options->figures,
                 "folder for one CSV file per table and figure (default: none is written)");
  command.option("--jobs", options->jobs, "points simulated side by side (default: one per processor)")
      .between(1, most_jobs);
  command.flag("--check", options->check, "status 1 when a statement that is evidence fails");
  options->common.add_output_to(command);
  options->common.add_report_to(command);
  command.when_chosen([options, &status] { status = run_reproduce(*options); });
}

} // namespace rccebench
