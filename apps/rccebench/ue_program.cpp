#include "ue_program.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "commands.hpp"
#include "lists.hpp"
#include "mesh_sim/errors.hpp"
#include "rcce_emu/machine_choice.hpp"
#include "sweep.hpp"

namespace rccebench {
namespace {

std::filesystem::path own_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

} // namespace

int Machine::hops(int core_a, int core_b) const {
  const mesh::Topology topology = config.parameters().topology();
  return topology.hops(topology.tile_of(mesh::CoreId{core_a}), topology.tile_of(mesh::CoreId{core_b}));
}

std::string Machine::description() const {
  return fmt::format("{}: {}", config.name(), config.parameters().setting());
}

Machine open_machine(const std::string& name_or_file) {
  Machine machine;
  machine.config = mesh::load_machine(name_or_file, machine.costs.parameters());
  return machine;
}

namespace {

/// "NAME=2,4" as "NAME=2" and "NAME=4"; what is no list, or is one by itself, as it is.
std::vector<std::string> each_value(const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || setting.find(',') == std::string::npos ||
      setting.find("controller_tiles") != std::string::npos)
    return {setting};
  std::vector<std::string> each;
  for (const std::string& value : cut(setting.substr(equals + 1), ','))
    each.push_back(setting.substr(0, equals + 1) + value);
  return each;
}

Machine open_machine(const CommonOptions& options, const std::vector<std::string>& settings) {
  rcce::MachineChoice choice{options.machine, {}};
  std::string name = options.machine;
  for (const std::string& setting : settings) {
    choice.add("--set", setting);
    name += " " + setting;
  }
  if (!options.contention.empty())
    choice.settings.push_back({"--contention " + options.contention, "mesh.contention", options.contention});
  Machine machine;
  machine.config = choice.read(machine.costs);
  if (!settings.empty()) machine.config.rename(name);
  return machine;
}

} // namespace

Machine open_machine(const CommonOptions& options) {
  for (const std::string& setting : options.settings)
    if (each_value(setting).size() > 1)
      throw mesh::UserError(
          fmt::format("--set {}: this command takes one value at a time; run it once for each, "
                      "or sweep with pingpong, bcast or barrier",
                      setting));
  return open_machine(options, options.settings);
}

std::vector<Machine> open_machines(const CommonOptions& options) {
  std::vector<std::vector<std::string>> choices{{}};
  for (const std::string& setting : options.settings) {
    std::vector<std::vector<std::string>> longer;
    for (const auto& chosen : choices)
      for (const std::string& value : each_value(setting)) {
        longer.push_back(chosen);
        longer.back().push_back(value);
      }
    choices = std::move(longer);
  }
  std::vector<Machine> machines;
  for (const auto& chosen : choices) machines.push_back(open_machine(options, chosen));
  return machines;
}

Generation generation_of(const std::string& text) {
  if (text == "1.0") return Generation::rcce10;
  if (text == "2.0") return Generation::rcce20;
  throw mesh::UserError(fmt::format("--rcce '{}': there is no such generation; use 1.0 or 2.0", text));
}

const char* text_of(Generation generation) {
  return generation == Generation::rcce10 ? "1.0" : "2.0";
}

std::filesystem::path program_path(const std::string& program, Generation generation) {
  const char* suffix = generation == Generation::rcce10 ? "-rcce10" : "-rcce20";
  return (own_folder() / "../libexec/rockcreek" / (program + suffix)).lexically_normal();
}

std::filesystem::path data_path(const std::string& file) {
  return (own_folder() / "../share/rockcreek/published" / file).lexically_normal();
}

std::filesystem::path command_path(const std::string& command) {
  return own_folder() / command;
}

std::filesystem::path program_source(const std::string& program) {
  return (own_folder() / "../share/rockcreek/programs" / (program + ".c")).lexically_normal();
}

std::vector<int> first_cores(int count) {
  std::vector<int> cores(static_cast<std::size_t>(count));
  std::iota(cores.begin(), cores.end(), 0);
  return cores;
}

Output run(const Machine& machine, const Run& what) {
  rcce::JobOptions options;
  options.program =
      what.place == Place::own ? program_path(what.program, what.generation).string() : what.program;
  // Our own programs are loaded thousands of times in a sweep, and nobody debugs them there.
  if (what.place != Place::file) options.loading = rcce::Loading::clone;
  options.machine_statistics = what.statistics;
  options.cores = what.cores;
  // The nominal clock is what RCCE_wtime divides the time stamp counter by: whole MHz, as people gave it on
  // the chip.
  options.clock = fmt::format("{:.3f}", std::floor(machine.core_mhz()) / 1000);
  options.arguments = what.arguments;
  options.machine = machine.config;
  options.costs = machine.costs;
  if (what.copies != "own") options.costs.copies = what.copies;
  Output output;
  std::string& text = output.text;
  std::string& complaints = output.complaints;
  options.output = [&](int fd, std::string_view lines) { (fd == 1 ? text : complaints) += lines; };

  output.result = rcce::run_job(options);
  if (output.result.status != 0)
    throw std::runtime_error(fmt::format("{} on {} cores ended with status {}\n{}{}{}", options.program,
                                         what.cores.size(), output.result.status, text, complaints,
                                         output.result.report));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    auto& row = output.rows.emplace_back();
    for (std::string word; words >> word;) row.push_back(word);
  }
  return output;
}

std::vector<Output> run_all(const Machine& machine, const std::vector<Run>& what) {
  const auto copy = std::make_shared<const Machine>(machine);
  auto done = sweep<Output, Run>(
      what, 0, [](const Run&) { return 1.0; }, [copy](const Run& one) { return run(*copy, one); });
  if (interrupted_status() != 0)
    throw std::runtime_error("interrupted: nothing is complete enough to be written");
  std::vector<Output> outputs;
  outputs.reserve(done.size());
  for (auto& output : done) outputs.push_back(std::move(*output));
  return outputs;
}

} // namespace rccebench
