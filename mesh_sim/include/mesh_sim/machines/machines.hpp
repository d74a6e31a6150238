// SPDX-License-Identifier: Apache-2.0
// The kinds of machines that can be simulated, in one table, and the description of one machine: its kind and
// the values of that kind's parameters, from a preset, a machine file and single settings. A preset is a file
// in mesh_sim/machines/KIND/presets, which is found by itself. A kind is a folder beside scc/, coherent/ and
// cluster/ and a line in registry/machines.cpp.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mesh {

enum class Capability : std::uint8_t; // capability.hpp
struct Parameter;                     // parameters.hpp
using ParameterTable = std::vector<Parameter>;

class Machine;
class Routes;
class Topology;

/// Tiles in columns and rows with some cores each. A machine without a mesh is one tile.
struct MeshShape {
  int columns = 1, rows = 1, cores_per_tile = 1;
  [[nodiscard]] int tiles() const noexcept { return columns * rows; }
  [[nodiscard]] int cores() const noexcept { return tiles() * cores_per_tile; }
};

/// The parameters of one kind of machine, and what follows from them before a machine is built. A kind
/// derives from this.
class MachineParameters {
 public:
  virtual ~MachineParameters() = default;
  [[nodiscard]] virtual std::unique_ptr<MachineParameters> clone() const = 0;
  /// Names, units, bounds and sources; the values stay in this object.
  [[nodiscard]] virtual ParameterTable table() = 0;
  /// Throws UserError, with the machine's name, where values allowed one by one do not fit together.
  virtual void validate(const std::string& name) const = 0;
  /// Builds the machine: `stack_bytes` for each core, `shared_bytes` of shared memory. Throws std::bad_alloc
  /// where the host has no address space for that, and UserError for kinds whose machines run no cores.
  [[nodiscard]] virtual std::unique_ptr<Machine> make(const std::string& name, std::size_t stack_bytes,
                                                      std::size_t shared_bytes) const = 0;

  [[nodiscard]] virtual MeshShape mesh() const noexcept = 0;
  [[nodiscard]] virtual Topology topology() const;
  /// Between tiles, sockets or network cards.
  [[nodiscard]] virtual std::shared_ptr<const Routes> routes() const;
  [[nodiscard]] virtual double core_mhz() const noexcept = 0; ///< clock of the cores at the start
  [[nodiscard]] virtual std::string setting() const = 0;      ///< shape and clocks in one line, for people
  /// Bytes of each core's message-passing buffer; 0: the machine has none.
  [[nodiscard]] virtual std::size_t message_buffer_bytes() const noexcept { return 0; }
};

/// A machine file that is built in, with the source of every number.
struct MachinePreset {
  std::string_view name, text;
  /// A description of the machine in one line: the first of the text.
  [[nodiscard]] std::string_view title() const noexcept;
};

/// The files of mesh_sim/machines/KIND/presets, by name.
[[nodiscard]] std::span<const MachinePreset> built_in_presets(std::string_view kind) noexcept;

struct MachineKind {
  std::string_view name;
  std::string_view description; ///< in one line
  std::unique_ptr<MachineParameters> (*defaults)();
  std::vector<Capability> capabilities;
  std::span<const MachinePreset> presets;
  std::string_view first_preset = {}; ///< that the kind's own name stands for; empty: its name is no machine

  [[nodiscard]] bool offers(Capability capability) const noexcept;
};

/// All kinds; the first is the one that files without [machine] kind mean.
[[nodiscard]] std::span<const MachineKind> machine_kinds();

/// The names of all presets, or of those whose machines have a capability.
[[nodiscard]] std::vector<std::string_view>
machine_names(std::span<const MachineKind> kinds = machine_kinds());
[[nodiscard]] std::vector<std::string_view> machines_with(Capability capability);
/// True for the name of a preset of any kind, which goes before a file of that name.
[[nodiscard]] bool is_preset(std::string_view name);

class MachineDescription {
 public:
  /// The first preset of the first kind: "scc".
  MachineDescription();
  /// The defaults of a kind, which outlives the description; they may be no machine yet.
  explicit MachineDescription(const MachineKind& kind);
  /// A preset of a kind, which outlives the description.
  MachineDescription(const MachineKind& kind, const MachinePreset& preset);
  MachineDescription(const MachineDescription& other);
  MachineDescription& operator=(const MachineDescription& other);
  MachineDescription(MachineDescription&&) noexcept = default;
  MachineDescription& operator=(MachineDescription&&) noexcept = default;
  ~MachineDescription() = default;

  [[nodiscard]] const std::string& name() const noexcept { return name_; } ///< name of the preset or file
  void rename(std::string name) { name_ = std::move(name); }
  /// The preset that it is, or that its file begins with; empty: none.
  [[nodiscard]] std::string_view preset() const noexcept { return preset_; }
  [[nodiscard]] const MachineKind& kind() const noexcept { return *kind_; }
  [[nodiscard]] bool offers(Capability capability) const noexcept { return kind_->offers(capability); }
  [[nodiscard]] const MachineParameters& parameters() const noexcept { return *parameters_; }

  [[nodiscard]] MeshShape mesh() const noexcept { return parameters_->mesh(); }
  [[nodiscard]] int cores() const noexcept { return mesh().cores(); }
  [[nodiscard]] double core_mhz() const noexcept { return parameters_->core_mhz(); }
  [[nodiscard]] std::size_t message_buffer_bytes() const noexcept {
    return parameters_->message_buffer_bytes();
  }

  /// The kind and its parameters as a table. Valid while this object lives and is not assigned to.
  [[nodiscard]] ParameterTable table();
  /// Sets "SECTION.NAME". Throws UserError that names the nearest parameter, or the bounds.
  void set(std::string_view parameter, std::string_view value);
  void set(std::string_view parameter, std::integral auto value) {
    if constexpr (std::same_as<decltype(value), bool>)
      set(parameter, std::string_view(value ? "on" : "off"));
    else
      set(parameter, std::string_view(std::to_string(value)));
  }
  void set(std::string_view parameter, const char* value) { set(parameter, std::string_view(value)); }
  /// The value of "SECTION.NAME" as a machine file has it. Throws UserError for a name that there is not.
  [[nodiscard]] std::string text(std::string_view parameter) const;
  /// Throws UserError, too, for one that is no number.
  [[nodiscard]] double number(std::string_view parameter) const;
  [[nodiscard]] bool has(std::string_view parameter) const;

  void validate() const { parameters_->validate(name_); }
  /// Builds it, after validate().
  [[nodiscard]] std::unique_ptr<Machine> make(std::size_t stack_bytes, std::size_t shared_bytes) const;

 private:
  [[nodiscard]] ParameterTable entries() const; ///< to read from, where this object is const

  const MachineKind* kind_;
  std::string name_;
  std::string_view preset_;
  mutable std::string kind_name_; ///< whose entry allows no other value
  std::unique_ptr<MachineParameters> parameters_;
};

/// A preset of any kind, or the machine file at that path. A file is read over the preset that it names in
/// [machine] preset, or over the defaults of the kind in [machine] kind. `extra` are further tables that it
/// may set (software costs). Throws UserError for unknown names, with the nearest one. Whether its values fit
/// together is not asked: settings may follow.
[[nodiscard]] MachineDescription load_machine(std::string_view name_or_file, const ParameterTable& extra,
                                              std::span<const MachineKind> kinds = machine_kinds());
/// No setting follows: throws UserError for values that do not fit together, too.
[[nodiscard]] MachineDescription load_machine(std::string_view name_or_file);

/// True if a machine of that preset or file has the capability, whatever else the file says. An unreadable
/// file has none.
[[nodiscard]] bool offers(std::string_view name_or_file, Capability capability);

/// Throws UserError that names the kinds that have it, where this machine has not.
void check_offers(const MachineDescription& machine, Capability capability);

} // namespace mesh
