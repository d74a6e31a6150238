// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/machines.hpp"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/kernel/kernel.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/machines/cluster/kind.hpp"
#include "mesh_sim/machines/coherent/kind.hpp"
#include "mesh_sim/machines/machine.hpp"
#include "mesh_sim/machines/scc/kind.hpp"
#include "mesh_sim/parameters.hpp"
#include "mesh_sim/parts/topology.hpp"
#include "mesh_sim/printable.hpp"
#include "mesh_sim/text_file.hpp"

namespace mesh {

std::string_view name(Capability capability) noexcept {
  constexpr std::array<std::string_view, 5> names = {"message-passing buffers", "test-and-set registers",
                                                     "clocks and voltages to set", "coherent memory",
                                                     "network cards that run programs"};
  return names[static_cast<std::size_t>(capability)];
}

Topology MachineParameters::topology() const {
  return {mesh().columns, mesh().rows, mesh().cores_per_tile};
}

std::shared_ptr<const Routes> MachineParameters::routes() const {
  return topology().routes();
}

void Machine::spend_on_memory(Picoseconds, Picoseconds memory) {
  kernel().advance(memory);
}

bool MachineKind::offers(Capability capability) const noexcept {
  return std::find(capabilities.begin(), capabilities.end(), capability) != capabilities.end();
}

std::string_view MachinePreset::title() const noexcept {
  return title_of(text);
}

std::span<const MachineKind> machine_kinds() {
  static const std::array kinds = {
      scc_kind(),
      coherent_kind(),
      cluster_kind(),
  };
  return kinds;
}

namespace {

std::vector<std::string_view> names_of(const MachineKind& kind) {
  std::vector<std::string_view> names;
  for (const MachinePreset& preset : kind.presets) names.push_back(preset.name);
  return names;
}

std::string meant(std::string_view word, std::span<const std::string_view> names) {
  const std::string_view near = nearest(word, names);
  return near.empty() ? std::string{} : fmt::format("; did you mean '{}'?", near);
}

/// A kind's preset by its name, or the one that the kind's own name stands for; null for other names.
const MachinePreset* find_preset(const MachineKind& kind, std::string_view name) {
  const std::string_view wanted = name == kind.name && !kind.first_preset.empty() ? kind.first_preset : name;
  const auto found = std::find_if(kind.presets.begin(), kind.presets.end(),
                                  [&](const MachinePreset& preset) { return preset.name == wanted; });
  return found == kind.presets.end() ? nullptr : &*found;
}

/// The kind that a file is of: as it says, or else as the preset is that it begins with, or the first.
const MachineKind& kind_of(const ParameterFile& file, std::span<const MachineKind> kinds) {
  const ParameterFile::Value* const wanted = file.find("machine", "kind");
  const ParameterFile::Value* const preset = file.find("machine", "preset");
  std::vector<std::string_view> names;
  for (const MachineKind& kind : kinds) {
    if (wanted != nullptr ? kind.name == wanted->value
                          : preset != nullptr && find_preset(kind, preset->value) != nullptr)
      return kind;
    names.push_back(kind.name);
  }
  if (wanted == nullptr) return kinds.front();
  throw UserError(fmt::format("{}: [machine] kind = '{}' is none of {}{}", file.name(), shown(wanted->value),
                              fmt::join(names, ", "), meant(wanted->value, names)));
}

/// The description that a file starts from: the preset that it names, or the kind's defaults.
MachineDescription begun(ParameterFile& file, const MachineKind& kind) {
  const auto wanted = file.take("machine", "preset");
  if (!wanted) return MachineDescription(kind);
  if (const MachinePreset* const preset = find_preset(kind, wanted->value)) return {kind, *preset};
  const auto names = names_of(kind);
  throw UserError(fmt::format("{} line {}: preset = '{}' is none of {}{}", file.name(), wanted->line,
                              shown(wanted->value), fmt::join(names, ", "), meant(wanted->value, names)));
}

} // namespace

std::vector<std::string_view> machine_names(std::span<const MachineKind> kinds) {
  std::vector<std::string_view> names;
  for (const MachineKind& kind : kinds)
    for (const std::string_view name : names_of(kind)) names.push_back(name);
  return names;
}

std::vector<std::string_view> machines_with(Capability capability) {
  std::vector<std::string_view> names;
  for (const MachineKind& kind : machine_kinds())
    if (kind.offers(capability))
      for (const std::string_view name : names_of(kind)) names.push_back(name);
  return names;
}

MachineDescription::MachineDescription()
    : MachineDescription(machine_kinds().front(),
                         *find_preset(machine_kinds().front(), machine_kinds().front().first_preset)) {}

MachineDescription::MachineDescription(const MachineKind& kind)
    : kind_(&kind), name_(kind.name), kind_name_(kind.name), parameters_(kind.defaults()) {}

MachineDescription::MachineDescription(const MachineKind& kind, const MachinePreset& preset)
    : MachineDescription(kind) {
  name_ = preset_ = preset.name;
  ParameterFile(preset.text, preset.name).apply(table());
}

MachineDescription::MachineDescription(const MachineDescription& other)
    : kind_(other.kind_),
      name_(other.name_),
      preset_(other.preset_),
      kind_name_(other.kind_name_),
      parameters_(other.parameters_->clone()) {}

MachineDescription& MachineDescription::operator=(const MachineDescription& other) {
  return *this = MachineDescription(other);
}

ParameterTable MachineDescription::table() {
  return entries();
}

ParameterTable MachineDescription::entries() const {
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
  return value_text(find_parameter(entries(), parameter, fmt::format("machine '{}'", name_)));
}

double MachineDescription::number(std::string_view parameter) const {
  const ParameterTable table = entries();
  const auto& value = find_parameter(table, parameter, fmt::format("machine '{}'", name_)).value;
  if (auto* const* real = std::get_if<double*>(&value)) return **real;
  if (auto* const* integer = std::get_if<std::int64_t*>(&value)) return static_cast<double>(**integer);
  throw UserError(fmt::format("machine '{}': {} is no number but {}", name_, parameter, text(parameter)));
}

bool MachineDescription::has(std::string_view parameter) const {
  const ParameterTable all = entries();
  return std::any_of(all.begin(), all.end(), [&](const Parameter& one) {
    return fmt::format("{}.{}", one.section, one.name) == parameter;
  });
}

std::unique_ptr<Machine> MachineDescription::make(std::size_t stack_bytes, std::size_t shared_bytes) const {
  validate();
  return parameters_->make(name_, stack_bytes, shared_bytes);
}

MachineDescription load_machine(std::string_view name_or_file, const ParameterTable& extra,
                                std::span<const MachineKind> kinds) {
  for (const MachineKind& kind : kinds)
    if (const MachinePreset* const preset = find_preset(kind, name_or_file)) return {kind, *preset};
  const std::string path(name_or_file);
  const auto text = read_text_file(path);
  if (!text) {
    const auto presets = machine_names(kinds);
    throw UserError(fmt::format("machine '{}' is neither a preset ({}) nor a readable file{}", name_or_file,
                                fmt::join(presets, ", "), meant(name_or_file, presets)));
  }
  ParameterFile file(*text, path);
  MachineDescription machine = begun(file, kind_of(file, kinds));
  machine.rename(printable(path, std::array{path})); // its ends of lines, too
  ParameterTable table = machine.table();
  table.insert(table.end(), extra.begin(), extra.end());
  file.apply(table);
  return machine;
}

MachineDescription load_machine(std::string_view name_or_file) {
  MachineDescription machine = load_machine(name_or_file, {});
  machine.validate();
  return machine;
}

bool is_preset(std::string_view name) {
  return std::ranges::any_of(machine_kinds(),
                             [&](const MachineKind& kind) { return find_preset(kind, name) != nullptr; });
}

bool offers(std::string_view name_or_file, Capability capability) {
  for (const MachineKind& kind : machine_kinds())
    if (find_preset(kind, name_or_file) != nullptr) return kind.offers(capability);
  try {
    const auto text = read_text_file(std::string(name_or_file));
    return text && kind_of(ParameterFile(*text, name_or_file), machine_kinds()).offers(capability);
  } catch (const UserError&) {
    return false; // said when the machine is loaded
  }
}

void check_offers(const MachineDescription& machine, Capability capability) {
  if (machine.offers(capability)) return;
  std::vector<std::string_view> kinds;
  for (const MachineKind& kind : machine_kinds())
    if (kind.offers(capability)) kinds.push_back(kind.name);
  throw UserError(fmt::format("machine '{}' is of kind {} and has no {}; those of kind {} have",
                              machine.name(), machine.kind().name, name(capability),
                              fmt::join(kinds, " or ")));
}

} // namespace mesh
