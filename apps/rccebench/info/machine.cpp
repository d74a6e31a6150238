// SPDX-License-Identifier: Apache-2.0
// Machines and their parameters, of every kind.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "info/entries.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/cluster/config.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/text_file.hpp"
#include "rcce_emu/costs.hpp"

namespace rccebench::info {
namespace {

constexpr const char* cluster_kind = "cluster";

std::string name_of(const mesh::Parameter& parameter) {
  return fmt::format("{}.{}", parameter.section, parameter.name);
}

/// Words that are allowed stand where numbers have their unit.
bool takes_words(const mesh::Parameter& parameter) {
  return !std::holds_alternative<std::int64_t*>(parameter.value) &&
      !std::holds_alternative<double*>(parameter.value) &&
      !std::holds_alternative<std::vector<double>*>(parameter.value);
}

/// A machine's parameters: values beside those that the kind begins with. `text`: the machine file that has
/// given them, of which comments tell the origin.
void add_table(std::vector<Entry>& to, const std::string& kind, const mesh::ParameterTable& values,
               const mesh::ParameterTable& standards, const std::string& from, std::string_view text,
               const Choice& choice) {
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
    if (const std::string comment = mesh::comment_of(text, parameter.section, parameter.name);
        !comment.empty())
      entry.origin = fmt::format("{}: {}", from, comment);
    else if (mesh::parameter_text(text, parameter.section, parameter.name) || entry.value != entry.standard)
      entry.origin = from;
    for (const std::string& setting : choice.settings)
      if (setting.starts_with(entry.names.front() + "=")) entry.origin = "--set";
    to.push_back(std::move(entry));
  }
}

void add_chip(std::vector<Entry>& to, const Choice& choice, const std::string& machine) {
  rcce::MachineChoice asked;
  asked.machine = machine;
  for (const std::string& setting : choice.settings) asked.add("--set", setting);
  rcce::SoftwareCosts costs, standard_costs;
  mesh::MachineDescription chosen = asked.read(costs);
  const mesh::MachineKind& kind = chosen.kind();
  const mesh::MachinePreset& first = kind.presets.front();
  mesh::MachineDescription standard =
      first.text.empty() ? mesh::MachineDescription(kind, first) : mesh::MachineDescription(kind);
  std::string_view text;
  for (const mesh::MachinePreset& preset : kind.presets)
    if (preset.name == machine) text = preset.text;
  const std::string file = text.empty() ? mesh::read_text_file(machine).value_or("") : "";
  add_table(to, std::string(kind.name), chosen.table(), standard.table(), machine, file.empty() ? text : file,
            choice);
  // What the library costs in instructions, on machines that run RCCE programs.
  if (chosen.message_buffer_bytes() > 0)
    add_table(to, std::string(kind.name), costs.parameters(), standard_costs.parameters(), machine, file,
              choice);
}

void add_cluster(std::vector<Entry>& to, const Choice& choice, const std::string& machine) {
  mesh::cluster::Config config = mesh::cluster::load_machine(machine), standard;
  for (const std::string& setting : choice.settings) {
    const std::size_t equals = std::min(setting.find('='), setting.size());
    mesh::set_parameter(config.parameters(), std::string_view(setting).substr(0, equals),
                        std::string_view(setting).substr(std::min(equals + 1, setting.size())),
                        fmt::format("--set {}", setting));
  }
  std::string text = mesh::read_text_file(machine).value_or("");
  for (const mesh::cluster::Preset& preset : mesh::cluster::presets())
    if (preset.name == machine || (machine == cluster_kind && preset.name == "alc-fitted"))
      text = preset.text;
  add_table(to, cluster_kind, config.parameters(), standard.parameters(), machine, text, choice);
}

/// A name that is neither file nor preset is told of those of every kind.
void check_name(const std::string& machine) {
  std::vector<std::string_view> known = mesh::machine_names();
  if (machine.empty() || std::find(known.begin(), known.end(), machine) != known.end() ||
      mesh::read_text_file(machine))
    return;
  for (const mesh::cluster::Preset& preset : mesh::cluster::presets()) known.push_back(preset.name);
  const std::string_view near = mesh::nearest(machine, known);
  throw mesh::UserError(fmt::format("machine '{}' is neither a preset ({}) nor a readable file{}", machine,
                                    fmt::join(known, ", "),
                                    near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

} // namespace

std::vector<Entry> parameters(const Choice& choice) {
  std::vector<Entry> all;
  if (choice.machine.empty() && choice.settings.empty()) {
    for (const mesh::MachineKind& kind : mesh::machine_kinds())
      add_chip(all, choice, std::string(kind.presets.front().name));
    add_cluster(all, choice, cluster_kind);
  } else if (mesh::cluster::is_cluster(choice.machine)) {
    add_cluster(all, choice, choice.machine);
  } else {
    check_name(choice.machine);
    add_chip(all, choice, choice.machine.empty() ? "scc" : choice.machine);
  }
  return all;
}

std::vector<Entry> machines() {
  std::vector<Entry> all;
  for (const mesh::MachineKind& kind : mesh::machine_kinds())
    for (const mesh::MachinePreset& preset : kind.presets) {
      const mesh::MachineDescription machine(kind, preset);
      all.push_back({.section = "machines",
                     .of = std::string(kind.name),
                     .names = {std::string(preset.name)},
                     .value = std::to_string(machine.cores()),
                     .unit = "cores",
                     .meaning = fmt::format("{}; {}", preset.description, machine.parameters().setting())});
    }
  for (const mesh::cluster::Preset& preset : mesh::cluster::presets())
    all.push_back({.section = "machines",
                   .of = cluster_kind,
                   .names = {std::string(preset.name)},
                   .value = std::to_string(mesh::cluster::load_machine(std::string(preset.name)).nodes),
                   .unit = "nodes",
                   .meaning = std::string(preset.title())});
  return all;
}

} // namespace rccebench::info
