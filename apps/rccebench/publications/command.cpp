// SPDX-License-Identifier: Apache-2.0
// rccebench reproduce: every statement of a publication that can be checked, beside what the simulated
// machine says; or one statement with the quantities that it rests on.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/commands.hpp"
#include "command_line/machine_parameters.hpp"
#include "lab.hpp"
#include "measuring/substitutes.hpp"
#include "mesh_sim/errors.hpp"
#include "publications/publications.hpp"

namespace rccebench {
namespace {

namespace pub = publications;

struct ReproduceOptions {
  CommonOptions common;
  std::string publication, figures, statement;
  std::vector<std::string> substitutes; ///< "PRESET=FILE"
  unsigned jobs = 0;
  bool check = false;
};

Report report_of_all(const ReproduceOptions& options, const pub::Reproduction& result) {
  Report report = pub::report_of(options.publication, result);
  if (!options.figures.empty())
    report.notes.push_back(fmt::format("# {} tables and figures as CSV in {}",
                                       pub::write_figures(result, options.figures).size(), options.figures));
  if (!options.common.report_file.empty()) {
    CommonOptions machines;
    machines.machine = result.machines;
    report.parameters = machine_parameters(machines);
    pub::add_page(report, result);
  }
  return report;
}

/// Results with other machines than the presets are not stored.
void substitute(const std::vector<std::string>& substitutes, pub::Study& study) {
  for (const std::string& one : substitutes) {
    const std::size_t equals = one.find('=');
    const std::string preset = one.substr(0, equals);
    const auto& known = study.substitutable();
    if (equals == std::string::npos || std::ranges::find(known, preset) == known.end())
      throw mesh::UserError(fmt::format("--with '{}': PRESET=FILE, where PRESET is one of: {}", one,
                                        known.empty() ? "none for this publication"
                                                      : fmt::format("{}", fmt::join(known, ", "))));
    measuring::substitute_machine(preset, one.substr(equals + 1));
    study.store_for("");
  }
}

Status run_reproduce(const ReproduceOptions& options) {
  const pub::Publication& publication = pub::publication(options.publication);
  const bool one = !options.statement.empty();
  if (one && !(options.figures.empty() && options.common.report_file.empty()))
    throw mesh::UserError("--statement shows one statement alone; leave out --figures and --report");
  if (!options.figures.empty()) pub::make_folder(options.figures);
  pub::Study study = pub::study_of(publication);
  substitute(options.substitutes, study);
  const pub::Reproduction result = study.run(options.jobs, options.statement);
  Report report =
      one ? pub::report_of_statement(options.publication, result) : report_of_all(options, result);
  const int status = options.check && pub::count(result.claims).evidence_fail > 0 ? 1 : 0;
  return written({std::move(report), status}, options.common);
}

std::string publication_names() {
  std::string text;
  for (const auto& one : pub::publications()) text += fmt::format("\n{}: {}", one.name, one.description);
  return text;
}

} // namespace

void add_reproduce(CommandLine& line, Status& status) {
  auto options = std::make_shared<ReproduceOptions>();
  Command command = line.add_command(
      "reproduce", "a publication's measurements on the simulated machine, statement by statement");
  command.option("publication", options->publication, "which one:" + publication_names()).required();
  command
      .option("--statement", options->statement,
              "one statement by its id, with the quantities that it rests on (default: all, without them)")
      .not_blank();
  command.option("--figures", options->figures,
                 "folder for one CSV file per table and figure (default: none is written)");
  command.option("--with", options->substitutes,
                 "PRESET=FILE: that machine file in the place of a preset; may be repeated (default: the "
                 "presets that the publication is repeated on)");
  options->common.add_sweep_to(command, &options->jobs);
  command.flag("--check", options->check, "status 1 when a statement that is evidence fails");
  options->common.add_output_to(command);
  options->common.add_report_to(command);
  command.when_chosen([options, &status] { status = run_reproduce(*options); });
}

} // namespace rccebench
