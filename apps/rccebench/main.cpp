// rccebench: benchmarks of the simulated chip (simulated time), its comparison with published measurements,
// and the host time that the simulation itself takes.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands.hpp"
#include "mesh_sim/errors.hpp"
#include "rcce_emu/version.hpp"
#include "sweep.hpp"

namespace rccebench {
namespace {

/// Before the work, not after. A file that is not there yet is not made.
std::string why_not_writable(const std::string& file) {
  if (access(file.c_str(), W_OK) == 0 && !std::filesystem::is_directory(file)) return {};
  const auto folder = std::filesystem::absolute(file).parent_path();
  if (access(file.c_str(), F_OK) != 0 && access(folder.c_str(), W_OK | X_OK) == 0) return {};
  return fmt::format("'{}': this file cannot be written; choose another place", file);
}

} // namespace

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
  command.add_option("-o,--output", file, "write to this file instead of standard output")
      ->check(CLI::Validator(why_not_writable, ""));
}

} // namespace rccebench

namespace {

/// CLI11 itself only says that a subcommand is required.
void check_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view near = mesh::nearest(word, views);
  throw mesh::UserError(fmt::format("there is no command '{}'{}; there are {}", word,
                                    near.empty() ? "" : fmt::format(", did you mean '{}'?", near),
                                    fmt::join(names, ", ")));
}

} // namespace

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
    if (argc > 1 && argv[1][0] != '-') check_command(app, argv[1]);
    app.parse(argc, argv);
    // Simulations that were running when Ctrl-C came still are: the process ends without waiting for them.
    if (rccebench::interrupted_status() != 0) _exit(status);
    return status;
  } catch (const CLI::ParseError& error) {
    const bool asked = app.exit(error) == 0;
    if (std::fflush(stdout) != 0 || !std::cout.flush()) {
      fmt::print(stderr, "rccebench: standard output cannot be written: {}\n", std::strerror(errno));
      return 1;
    }
    return asked ? 0 : 2;
  } catch (const mesh::UserError& error) {
    fmt::print(stderr, "rccebench: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "rccebench: {}\n", error.what());
  }
  if (rccebench::interrupted_status() != 0) _exit(rccebench::interrupted_status());
  return 1;
}
