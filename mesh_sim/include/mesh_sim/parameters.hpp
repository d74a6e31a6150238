// SPDX-License-Identifier: Apache-2.0
// Machine files: sections of `name = value  # comment`. Each parameter is declared once, in a table, with its
// unit, bounds and source; unknown names and sections are errors that name the nearest one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mesh_sim/units.hpp"

namespace mesh {

struct Parameter {
  std::string_view section;
  std::string_view name;
  /// The variable that holds it, at first its default. A list is written with blanks between its members.
  std::variant<std::int64_t*, double*, std::string*, bool*, std::vector<Coordinates>*,
               std::vector<JoinedRouters>*, std::vector<double>*>
      value;
  /// Its unit; for words the allowed ones: "xy|yx"; for places and links the word for none: "edges|...".
  std::string_view unit;
  std::string_view source; ///< its meaning, and the source of the number
  double minimum = 0;
  double maximum = 1e18;
  std::string_view former = {}; ///< name in the last version, which is understood with a line on stderr
};

using ParameterTable = std::vector<Parameter>;

/// The text of a machine file, parsed once.
class ParameterFile {
 public:
  struct Value {
    std::string section, name, value;
    std::string comment; ///< the text behind '#' on the line
    int line = 0;        ///< from 1 on
  };

  /// `name` is for messages. Throws UserError "NAME line N: ..." for lines that are no part of such a file.
  ParameterFile(std::string_view text, std::string_view name);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// The first value of that name; null where the file gives none. The file's.
  [[nodiscard]] const Value* find(std::string_view section, std::string_view name) const noexcept;
  /// "SECTION.NAME" of every value whose comment has that word: "guess".
  [[nodiscard]] std::vector<std::string> marked(std::string_view word) const;
  /// Takes a value out and returns it; nothing where there is none.
  std::optional<Value> take(std::string_view section, std::string_view name);
  /// Sets what the file gives. Throws UserError "NAME line N: ..." for what the table does not allow.
  void apply(const ParameterTable& table) const;

 private:
  std::string name_;
  std::vector<Value> lines_; ///< in the file's order; without a name: where a section begins
};

/// Says nothing of old names from here on: the process that has handed its options on has said it.
void tell_no_old_names();

/// Sets one parameter, called "SECTION.NAME", from text. `where` begins the message of the UserError.
void set_parameter(const ParameterTable& table, std::string_view parameter, std::string_view value,
                   const std::string& where);

/// The entry for "SECTION.NAME". Throws UserError, which names the nearest one and begins with `where`.
[[nodiscard]] const Parameter& find_parameter(const ParameterTable& table, std::string_view parameter,
                                              const std::string& where);

/// A parameter's value as a machine file has it.
[[nodiscard]] std::string value_text(const Parameter& parameter);

/// Writes the table as a commented machine file that ParameterFile takes.
[[nodiscard]] std::string write_parameters(const ParameterTable& table);

/// First line of a machine file's text without '#': what the machine is.
[[nodiscard]] std::string_view title_of(std::string_view text) noexcept;

} // namespace mesh
