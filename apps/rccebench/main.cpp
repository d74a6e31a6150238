// rccebench: benchmarks of the simulated chip (simulated time), its comparison with published measurements,
// and the host time that the simulation itself takes.
#include <exception>
#include <map>

#include <unistd.h>

#include <fmt/format.h>

#include "commands.hpp"
#include "mesh_sim/errors.hpp"
#include "rcce_emu/version.hpp"
#include "sweep.hpp"

namespace rccebench {

void CommonOptions::add_to(CLI::App& command) {
  command
      .add_option("--machine", machine,
                  "machine: scc (533/800/800 MHz), scc-fast (800/1600/1066 MHz) or a machine file")
      ->capture_default_str();
  add_output_to(command);
}

void CommonOptions::add_output_to(CLI::App& command) {
  command.add_option("--format", format, "table, csv or json")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Format>{{"table", Format::table},
                                                                        {"csv", Format::csv},
                                                                        {"json", Format::json}},
                                          CLI::ignore_case))
      ->option_text("{table,csv,json}");
  command.add_option("-o,--output", file, "write to this file instead of standard output");
}

} // namespace rccebench

int main(int argc, char** argv) {
  CLI::App app{
      "Benchmarks of RCCE on the simulated SCC. Results go to standard output, messages to standard error.\n"
      "Exit status: 0; 1 when a check that was asked for failed or a run did; 2 for a wrong command line;\n"
      "130 after Ctrl-C, with what was done by then written.",
      "rccebench"};
  app.set_version_flag("--version", fmt::format("rccebench {}", rcce::version_text));
  app.require_subcommand(1);
  int status = 0;
  rccebench::add_pingpong(app, status);
  rccebench::add_validate(app, status);
  rccebench::add_cost(app, status);
  rccebench::add_bcast(app, status);
  rccebench::add_barrier(app, status);
  rccebench::add_compare(app, status);
  rccebench::add_tune(app, status);
  rccebench::add_scaling(app, status);
  rccebench::add_thesis(app, status);
  try {
    app.parse(argc, argv);
    // Simulations that were running when Ctrl-C came still are: the process ends without waiting for them.
    if (rccebench::interrupted_status() != 0) _exit(status);
    return status;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const mesh::UserError& error) {
    fmt::print(stderr, "rccebench: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "rccebench: {}\n", error.what());
  }
  return 1;
}
