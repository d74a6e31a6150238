// SPDX-License-Identifier: Apache-2.0
// The table of algorithms as the program that runs them describes it: names, parameters, bounds and help
// texts are read from it, so that an algorithm more is nothing that this command has to learn.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "ue_program.hpp"

namespace rccebench {

struct Parameter {
  std::string name, unit, tried, help; ///< unit empty for a count, tried empty where `tune` tries nothing
  std::int64_t least = 0, most = 0, standard = 0;
  std::vector<std::string> words; ///< a choice among words; empty: a number
  bool fixed = false;             ///< settled when the algorithm is prepared

  [[nodiscard]] std::string option() const; ///< "--part-bytes", "--fan-out"
  [[nodiscard]] std::string column() const; ///< "part_bytes", "fan_out"
  /// Empty where the algorithm chooses by itself.
  [[nodiscard]] std::string standard_text() const;
};

/// What a call of an operation has (algorithms/operation.h).
struct Operation {
  std::string name, until, right, wrong;
  bool has_message = false, has_root = false;
  bool combines = false; ///< the message is a vector of elements
};

struct Algorithm {
  std::string name, operation, summary, cost, source; ///< cost: empty where it is not told
  std::vector<Parameter> parameters;
  bool needs_mesh = false; ///< it has parameters `rows` and `columns`
  bool for_auto = false;   ///< needs nothing that a program may lack

  [[nodiscard]] const Parameter* parameter(std::string_view name) const; ///< null: it has none of that name
};

/// The timed program with its table. One per process and set of files.
class Catalogue {
 public:
  /// Of the program built with this command, and with the files, which are C or C++ sources with a row each
  /// (algorithms/algorithm.h). They are compiled at once, for that generation; throws mesh::UserError where
  /// one does not compile or has no row. Kept: asking again for the same files costs nothing.
  [[nodiscard]] static std::shared_ptr<const Catalogue> with(const std::vector<std::string>& files,
                                                             Generation generation);
  [[nodiscard]] static std::shared_ptr<const Catalogue> standard() { return with({}, Generation::rcce20); }

  [[nodiscard]] const std::vector<Operation>& operations() const { return operations_; }
  [[nodiscard]] const Operation& operation(std::string_view name) const;
  [[nodiscard]] const Algorithm& algorithm(std::string_view name) const;
  /// Of an operation, in the table's order.
  [[nodiscard]] std::vector<const Algorithm*> algorithms_of(std::string_view operation) const;
  [[nodiscard]] std::vector<std::string_view> names_of(std::string_view operation) const;

  /// What runs on so many cores. Throws mesh::UserError where files of the user's do not compile for as many,
  /// and for more than the chip's with RCCE 1.0.
  [[nodiscard]] Run run(const Machine& machine, Generation generation, int cores) const;

 private:
  Catalogue(const std::vector<std::string>& files, Generation generation);

  std::vector<std::string> files_;
  // Where there are files: of the one generation asked for, and for larger meshes once that is asked for.
  std::filesystem::path image_;
  mutable std::filesystem::path large_image_;
  mutable std::mutex large_mutex_;
  std::vector<Operation> operations_;
  std::vector<Algorithm> algorithms_;
};

} // namespace rccebench
