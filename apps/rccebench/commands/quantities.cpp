// SPDX-License-Identifier: Apache-2.0
// rccebench quantities: what a publication's statements rest on, as JSON in and JSON out: its measurements
// and facts, and points of the laboratory. `reproduce` asks for the same.
#include <fmt/format.h>

#include "command_line/commands.hpp"
#include "command_line/common_options.hpp"
#include "command_line/json_input.hpp"
#include "publications/publications.hpp"

namespace rccebench {
namespace {

namespace pub = publications;

struct QuantitiesOptions {
  CommonOptions common;
  std::string publication, input = "-";
  unsigned jobs = 0;
};

Status run_quantities(const QuantitiesOptions& options) {
  const pub::Publication& publication = pub::publication(options.publication);
  pub::Measurer measurer(std::string(publication.name), publication.measurements({}), options.jobs);
  const auto items = json_input<pub::Json>("quantities", options.input);
  const pub::Json results = measurer.measure(items, false);
  lab::ResultStore& store = result_store();
  if (!store.computes()) require_whole();
  const std::string& file = options.common.file;
  if (file.empty() || file != store.file()) write_out(results.dump(1) + '\n', file);
  store.close({{"rows", results}});
  return interrupted_status();
}

} // namespace

void add_quantities(CommandLine& line, Status& status) {
  auto options = std::make_shared<QuantitiesOptions>();
  Command command =
      line.add_command("quantities",
                       "measures what the statements of a publication rest on, and writes it as "
                       "JSON in the same order");
  command.option("publication", options->publication, "which one, as `rccebench reproduce --help` lists them")
      .required();
  command.option(
      "items", options->input,
      "file of an array of objects, as [{\"quantity\": \"read\", \"arguments\": [\"M\", 15]}] of xeon-phi, "
      "or [{\"point\": {...}}] with what `rccebench points` takes; - is standard input, the default");
  options->common.format = Format::json;
  options->common.add_sweep_to(command, &options->jobs);
  command.option("-o,--output", options->common.file, "write to this file instead of standard output")
      .writable();
  command.when_chosen([options, &status] { status = run_quantities(*options); });
}

} // namespace rccebench
