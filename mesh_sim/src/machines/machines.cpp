// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/machines.hpp"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "mesh_sim/machines/cluster/config.hpp"
#include "mesh_sim/machines/coherent/kind.hpp"
#include "mesh_sim/machines/scc/kind.hpp"
#include "mesh_sim/text_file.hpp"

namespace mesh {

std::span<const MachineKind> machine_kinds() {
  static const std::array kinds = {
      scc_kind(),
      coherent_kind(),
  };
  return kinds;
}

std::vector<std::string_view> machine_names(std::span<const MachineKind> kinds) {
  std::vector<std::string_view> names;
  for (const MachineKind& kind : kinds)
    for (const MachinePreset& preset : kind.presets) names.push_back(preset.name);
  return names;
}

std::vector<std::string_view> machines_with_buffers() {
  std::vector<std::string_view> names;
  for (const MachineKind& kind : machine_kinds())
    for (const MachinePreset& preset : kind.presets)
      if (MachineDescription(kind, preset).message_buffer_bytes() > 0) names.push_back(preset.name);
  return names;
}

MachineDescription::MachineDescription()
    : MachineDescription(machine_kinds().front(), machine_kinds().front().presets.front()) {}

MachineDescription::MachineDescription(const MachineKind& kind)
    : kind_(&kind), name_(kind.name), kind_name_(kind.name), parameters_(kind.defaults()) {}

MachineDescription::MachineDescription(const MachineKind& kind, const MachinePreset& preset)
    : MachineDescription(kind) {
  name_ = preset.name;
  read_parameters(preset.text, preset.name, table());
  for (const auto& [parameter, value] : preset.settings) set(parameter, value);
}

MachineDescription::MachineDescription(const MachineDescription& other)
    : kind_(other.kind_),
      name_(other.name_),
      kind_name_(other.kind_name_),
      parameters_(other.parameters_->clone()) {}

MachineDescription& MachineDescription::operator=(const MachineDescription& other) {
  return *this = MachineDescription(other);
}

ParameterTable MachineDescription::table() {
  // Its kind alone is allowed: another one has other parameters.
  ParameterTable table{{"machine", "kind", &kind_name_, kind_->name, kind_->description}};
  const ParameterTable own = parameters_->table();
  table.insert(table.end(), own.begin(), own.end());
  return table;
}

void MachineDescription::set(std::string_view parameter, std::string_view value) {
  set_parameter(table(), parameter, value, fmt::format("machine '{}'", name_));
}

std::string MachineDescription::text(std::string_view parameter) const {
  MachineDescription copy = *this;
  return value_text(find_parameter(copy.table(), parameter, fmt::format("machine '{}'", name_)));
}

double MachineDescription::number(std::string_view parameter) const {
  return std::stod(text(parameter));
}

bool MachineDescription::has(std::string_view parameter) const {
  MachineDescription copy = *this;
  for (const Parameter& one : copy.table())
    if (fmt::format("{}.{}", one.section, one.name) == parameter) return true;
  return false;
}

std::unique_ptr<Machine> MachineDescription::make(std::size_t stack_bytes, std::size_t shared_bytes) const {
  validate();
  return parameters_->make(name_, stack_bytes, shared_bytes);
}

namespace {

std::string meant(std::string_view word, std::span<const std::string_view> names) {
  const std::string_view near = nearest(word, names);
  return near.empty() ? std::string{} : fmt::format("; did you mean '{}'?", near);
}

const MachineKind& kind_of(std::string_view text, const std::string& file,
                           std::span<const MachineKind> kinds) {
  const std::string wanted =
      parameter_text(text, "machine", "kind").value_or(std::string(kinds.front().name));
  std::vector<std::string_view> names;
  for (const MachineKind& kind : kinds) {
    if (kind.name == wanted) return kind;
    names.push_back(kind.name);
  }
  throw UserError(fmt::format("{}: [machine] kind = '{}' is none of {}{}", file, shown(wanted),
                              fmt::join(names, ", "), meant(wanted, names)));
}

} // namespace

MachineDescription load_machine(std::string_view name_or_file, const ParameterTable& extra,
                                std::span<const MachineKind> kinds) {
  for (const MachineKind& kind : kinds)
    for (const MachinePreset& preset : kind.presets)
      if (preset.name == name_or_file) return {kind, preset};
  const std::string path(name_or_file);
  if (cluster::is_cluster(path))
    throw UserError(
        fmt::format("machine '{}' is a cluster, nodes with network cards, and not one machine with "
                    "cores",
                    name_or_file));
  const auto text = read_text_file(path);
  if (!text) {
    const auto presets = machine_names(kinds);
    throw UserError(fmt::format("machine '{}' is neither a preset ({}) nor a readable file{}", name_or_file,
                                fmt::join(presets, ", "), meant(name_or_file, presets)));
  }
  const MachineKind& kind = kind_of(*text, path, kinds);
  // A preset that is a file of its own is one machine among others, not what every file begins with.
  const MachinePreset& first = kind.presets.front();
  MachineDescription machine =
      first.text.empty() ? MachineDescription(kind, first) : MachineDescription(kind);
  machine.rename(path);
  ParameterTable table = machine.table();
  table.insert(table.end(), extra.begin(), extra.end());
  read_parameters(*text, path, table);
  machine.validate();
  return machine;
}

} // namespace mesh
