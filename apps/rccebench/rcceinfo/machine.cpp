// SPDX-License-Identifier: Apache-2.0
// Machines and their parameters, of every kind.
#include <algorithm>

#include <fmt/format.h>

#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/parameters.hpp"
#include "mesh_sim/text_file.hpp"
#include "rcce_emu/costs.hpp"
#include "rcceinfo/entries.hpp"

namespace rccebench::info {
namespace {

std::string name_of(const mesh::Parameter& parameter) {
  return fmt::format("{}.{}", parameter.section, parameter.name);
}

/// Words that are allowed stand where numbers have their unit.
bool takes_words(const mesh::Parameter& parameter) {
  return !std::holds_alternative<std::int64_t*>(parameter.value) &&
      !std::holds_alternative<double*>(parameter.value) &&
      !std::holds_alternative<std::vector<double>*>(parameter.value);
}

/// A machine's parameters: values beside those that the kind begins with. `file`: the machine file that has
/// given them, of which comments tell the origin.
void add_table(std::vector<Entry>& to, const std::string& kind, const mesh::ParameterTable& values,
               const mesh::ParameterTable& standards, const std::string& from,
               const mesh::ParameterFile& file, const Choice& choice) {
  for (const mesh::Parameter& parameter : values) {
    const auto same = std::find_if(standards.begin(), standards.end(), [&](const mesh::Parameter& one) {
      return one.section == parameter.section && one.name == parameter.name;
    });
    const bool words = takes_words(parameter);
    Entry entry{.section = "parameters",
                .of = kind,
                .names = {name_of(parameter)},
                .takes = words ? std::string(parameter.unit) : "",
                .value = mesh::value_text(parameter),
                .standard = same == standards.end() ? "" : mesh::value_text(*same),
                .unit = words ? "" : std::string(parameter.unit),
                .origin = "default",
                .meaning = std::string(parameter.source)};
    const mesh::ParameterFile::Value* const given = file.find(parameter.section, parameter.name);
    if (given != nullptr && !given->comment.empty())
      entry.origin = fmt::format("{}: {}", from, given->comment);
    else if (given != nullptr || entry.value != entry.standard)
      entry.origin = from;
    for (const std::string& setting : choice.settings)
      if (setting.starts_with(entry.names.front() + "=")) entry.origin = "--set";
    to.push_back(std::move(entry));
  }
}

void add_machine(std::vector<Entry>& to, const Choice& choice, const std::string& machine) {
  rcce::MachineChoice asked;
  asked.machine = machine;
  for (const std::string& setting : choice.settings) asked.add("--set", setting);
  rcce::SoftwareCosts costs, standard_costs;
  mesh::MachineDescription chosen = asked.read(costs);
  const mesh::MachineKind& kind = chosen.kind();
  mesh::MachineDescription standard(kind);
  std::string text = mesh::read_text_file(machine).value_or("");
  for (const mesh::MachinePreset& preset : kind.presets)
    if (preset.name == chosen.name()) text = preset.text;
  const mesh::ParameterFile file(text, machine);
  add_table(to, std::string(kind.name), chosen.table(), standard.table(), machine, file, choice);
  // What the library costs in instructions, on machines that run RCCE programs.
  if (chosen.offers(mesh::Capability::message_buffers))
    add_table(to, std::string(kind.name), costs.parameters(), standard_costs.parameters(), machine, file,
              choice);
}

} // namespace

std::vector<Entry> parameters(const Choice& choice) {
  std::vector<Entry> all;
  if (choice.machine.empty() && choice.settings.empty())
    for (const mesh::MachineKind& kind : mesh::machine_kinds())
      add_machine(all, choice,
                  std::string(kind.first_preset.empty() ? kind.presets.front().name : kind.first_preset));
  else
    add_machine(all, choice, choice.machine.empty() ? "scc" : choice.machine);
  return all;
}

std::vector<Entry> machines() {
  std::vector<Entry> all;
  for (const mesh::MachineKind& kind : mesh::machine_kinds())
    for (const mesh::MachinePreset& preset : kind.presets) {
      const mesh::MachineDescription machine(kind, preset);
      const bool nodes = kind.offers(mesh::Capability::cards);
      all.push_back({.section = "machines",
                     .of = std::string(kind.name),
                     .names = {std::string(preset.name)},
                     .value = std::to_string(nodes ? machine.mesh().tiles() : machine.cores()),
                     .unit = nodes ? "nodes" : "cores",
                     .meaning = fmt::format("{}; {}", preset.title(), machine.parameters().setting())});
    }
  return all;
}

} // namespace rccebench::info
