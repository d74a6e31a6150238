// SPDX-License-Identifier: Apache-2.0
// rccebench reproduce: every statement of a publication that can be checked, beside what the simulated
// machine says; or one statement with the quantities that it rests on.
#include <fmt/format.h>

#include "command_line/commands.hpp"
#include "command_line/machine_parameters.hpp"
#include "lab.hpp"
#include "measuring/substitutes.hpp"
#include "mesh_sim/errors.hpp"
#include "publications/judge.hpp"
#include "publications/publications.hpp"
#include "rcce_emu/version.hpp"

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

/// Results with other machines than the presets are not stored.
void substitute(const std::vector<std::string>& substitutes, pub::Measurer& measurer) {
  for (const std::string& one : substitutes) {
    const std::size_t equals = one.find('=');
    if (equals == std::string::npos) continue; // the judge refuses it
    measuring::substitute_machine(one.substr(0, equals), one.substr(equals + 1));
    measurer.store_nothing();
  }
}

Report report_of_all(const ReproduceOptions& options, const pub::Judgement& judgement) {
  Report report = judgement.report;
  report.title = fmt::format("rccebench reproduce {} {}", options.publication, rcce::version_text);
  if (!options.figures.empty())
    report.notes.push_back(fmt::format("# {} tables and figures as CSV in {}",
                                       pub::write_figures(judgement, options.figures).size(),
                                       options.figures));
  if (!options.common.report_file.empty()) {
    CommonOptions machines;
    machines.machine.clear();
    for (const std::string& preset : cut(judgement.machines, ','))
      machines.machine += (machines.machine.empty() ? "" : ",") + measuring::machine_file(preset);
    report.parameters = machine_parameters(machines);
    pub::add_page(report, judgement);
  }
  return report;
}

Report report_of_one(const ReproduceOptions& options, const pub::Judgement& judgement) {
  Report report = judgement.report;
  report.title = fmt::format("rccebench reproduce {} --statement {} {}", options.publication,
                             options.statement, rcce::version_text);
  return report;
}

Status run_reproduce(const ReproduceOptions& options) {
  const pub::Publication& publication = pub::publication(options.publication);
  const bool one = !options.statement.empty();
  if (one && !(options.figures.empty() && options.common.report_file.empty()))
    throw mesh::UserError("--statement shows one statement alone; leave out --figures and --report");
  if (!options.figures.empty()) pub::make_folder(options.figures);
  const std::string name(publication.name);
  pub::Measurer measurer(name, publication.measurements({}), options.jobs);
  substitute(options.substitutes, measurer);
  const pub::Judgement judgement = pub::judge({.name = name,
                                               .folder = data_path(name),
                                               .statement = options.statement,
                                               .substitutes = options.substitutes},
                                              measurer);
  Report report = one ? report_of_one(options, judgement) : report_of_all(options, judgement);
  return written({std::move(report), options.check && judgement.evidence_fail > 0 ? 1 : 0}, options.common);
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
