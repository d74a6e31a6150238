// SPDX-License-Identifier: Apache-2.0
// An operation and an algorithm as tables describe them, whatever the algorithm runs on. Commands, help
// texts, reports and Python read names, parameters and bounds from here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// A choice about an algorithm.
struct Parameter {
  std::string name, unit, tried, help; ///< unit empty for a count, tried empty where `tune` tries nothing
  std::int64_t least = 0, most = 0, default_value = 0;
  std::vector<std::string> words; ///< a choice among words; empty: a number
  bool list = false;              ///< several numbers, with '/' between them
  bool fixed = false;             ///< settled when the algorithm is prepared
  bool or_file = false;           ///< beside one of the words, the path of a file
  bool of_call = false;           ///< says how calls are made, not what the algorithm does

  [[nodiscard]] std::string option() const; ///< "--part-bytes", "--fan-out"
  [[nodiscard]] std::string column() const; ///< "part_bytes", "fan_out"
  /// Empty where the algorithm chooses by itself.
  [[nodiscard]] std::string default_text() const;
};

/// The description of an operation (algorithms/operation.h).
struct Operation {
  std::string name, until, right, wrong;
  bool has_message = false, has_root = false;
  bool combines = false;         ///< the message is a vector of elements
  bool only_root_target = false; ///< other ranks get nothing
  bool only_root_source = false; ///< other ranks hand nothing in, not even a buffer
  bool has_blocks = false;       ///< true if each rank's block moves
  bool in_place = false;         ///< one buffer has the message before and afterwards
};

/// Those of algorithms/operation.h, the same on every machine, and join, the end of a parallel region
/// that one rank has started, in shared memory.
[[nodiscard]] const std::vector<Operation>& operations();
/// Throws std::logic_error where there is none of that name.
[[nodiscard]] const Operation& operation_of(std::string_view name);

/// An algorithm.
struct Row {
  std::string name, operation, summary, cost, source; ///< cost: empty where it is not told
  std::vector<Parameter> parameters;
  bool needs_mesh = false;    ///< it has parameters `rows` and `columns`
  bool for_auto = false;      ///< programs that take `auto` may have what it needs
  bool needs_tags = false;    ///< tagged flags, which a program may lack
  bool exact_ranks = false;   ///< it is of one number of ranks
  bool own_file = false;      ///< true for a row of a file of the user's
  bool fixed_order = false;   ///< claims that arrival does not change the order of operands
  bool reads_payload = false; ///< its course depends on data longer than a line

  [[nodiscard]] const Parameter* parameter(std::string_view name) const; ///< null: it has none of that name
};

/// Bytes of an element of one of RCCE's types.
[[nodiscard]] std::int64_t element_bytes(const std::string& type);

} // namespace lab
