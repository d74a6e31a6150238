// SPDX-License-Identifier: Apache-2.0
// rccebench: benchmarks of the simulated chip (simulated time), its comparison with published measurements,
// and the host time that the simulation itself takes. Called by the name rcceinfo it explains what all the
// commands have.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <span>

#include <unistd.h>

#include <fmt/format.h>

#include "command_line/commands.hpp"
#include "lab.hpp"
#include "lab/compiled_programs.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/printable.hpp"
#include "rcce_emu/statuses.hpp"
#include "rcce_emu/version.hpp"
#include "rcceinfo/command.hpp"

namespace {

/// Not by fmt::print, which throws where standard error cannot be written.
void complain(const std::exception& error, std::span<char*> words) {
  if (const auto* limit = dynamic_cast<const mesh::HostLimit*>(&error))
    std::fprintf(stderr,
                 "rccebench: %s; raise the limit of the address space (ulimit -v), or measure fewer cores\n",
                 mesh::printable(limit->shortage(), words).c_str());
  else if (const auto* mistake = dynamic_cast<const rccebench::CommandMistake*>(&error))
    std::fprintf(stderr, "rccebench %s: %s\n", mistake->command().c_str(),
                 mesh::printable(mistake->what(), words).c_str());
  else {
    std::string text = mesh::printable(error.what(), words);
    if (text.ends_with('\n')) text.pop_back(); // the end of a program's report
    std::fprintf(stderr, "rccebench: %s\n", text.c_str());
  }
}

constexpr const char* without_words =
    "no command; for example:\n"
    "  rccebench compare --cores 48               all broadcasts side by side, beside what the machine "
    "allows\n"
    "  rccebench pingpong                         what a message costs at every distance\n"
    "  rccebench show bcast/cube --cores 12       draws an algorithm\n"
    "  rccebench validate                         the model beside published measurements\n"
    "  rccebench compare --with mine.c            an algorithm of your own among the others\n"
    "rccebench --help lists the commands.";

/// Without destructors: simulations may still be running.
[[noreturn]] void end_at_once(int status) {
  rccebench::remove_compiled_programs();
  _exit(status);
}

} // namespace

int main(int argc, char** argv) {
  if (std::filesystem::path(argv[0]).filename() == "rcceinfo") return rccebench::info::run(argc, argv);
  rccebench::CommandLine line(
      "rccebench",
      "Benchmarks of RCCE on the simulated SCC. Results go to standard output, messages to standard "
      "error.\nExit status: 0 if all is right; 1 if a run or a check failed; 2 for a wrong command line; 3 "
      "if `grade` finds\na solution right but too slow; 74 if standard output cannot be written; 130 after "
      "Ctrl-C, when the finished\npoints have been written.",
      fmt::format("rccebench {}", rcce::version_text));
  int status = 0;
  rccebench::add_commands(line, status);
  try {
    if (argc < 2) throw mesh::UserError(without_words);
    if (const auto decided = line.parse(argc, argv)) return *decided;
    // Simulations that were running when Ctrl-C came still are: the process ends without waiting for them.
    if (rccebench::interrupted_status() != 0) end_at_once(status);
    return status;
  } catch (const mesh::OutputFailed& error) {
    complain(error, {argv, static_cast<std::size_t>(argc)});
    if (rccebench::interrupted_status() == 0) return rcce::status_output_failed;
  } catch (const mesh::UserError& error) {
    complain(error, {argv, static_cast<std::size_t>(argc)});
    if (rccebench::interrupted_status() == 0) return 2;
  } catch (const lab::Unfinished& error) {
    lab::result_store().close({});
    if (rccebench::interrupted_status() == 0) return 0; // the rest is the other shards'
    complain(error, {argv, static_cast<std::size_t>(argc)});
  } catch (const std::exception& error) {
    complain(error, {argv, static_cast<std::size_t>(argc)});
  }
  if (rccebench::interrupted_status() != 0) end_at_once(rccebench::interrupted_status());
  return 1;
}
