// SPDX-License-Identifier: Apache-2.0
#include "lab/row.hpp"

#include <algorithm>
#include <stdexcept>

#include "algorithms/operation.h"

namespace lab {

namespace {

bool has_blocks(const rockcreek_operation_description& one) {
  const auto is_part = [](rockcreek_share share) {
    return share == ROCKCREEK_BLOCK || share == ROCKCREEK_COLUMN;
  };
  return is_part(one.source) || is_part(one.target);
}

} // namespace

const std::vector<Operation>& operations() {
  static const std::vector<Operation> all = [] {
    std::vector<Operation> known;
    for (const rockcreek_operation_description& one : rockcreek_operations)
      known.push_back({.name = one.name,
                       .until = one.until,
                       .right = one.right,
                       .wrong = one.wrong,
                       .has_message = one.has_message != 0,
                       .has_root = one.has_root != 0,
                       .combines = one.combines != 0,
                       .only_root_target = one.only_root_target != 0,
                       .only_root_source = one.only_root_source != 0 && one.in_place == 0,
                       .has_blocks = has_blocks(one),
                       .in_place = one.in_place != 0});
    known.push_back({.name = "join",
                     .until = "is done, the master with all of them",
                     .right = "no rank left before the last one came: correct",
                     .wrong = "ranks left too early",
                     .has_root = true});
    return known;
  }();
  return all;
}

const Operation& operation_of(std::string_view name) {
  for (const Operation& one : operations())
    if (one.name == name) return one;
  throw std::logic_error("there is no operation '" + std::string(name) + "'");
}

std::string Parameter::column() const {
  return unit.empty() ? name : name + "_" + unit;
}

std::string Parameter::option() const {
  std::string text = "--" + column();
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

std::string Parameter::default_text() const {
  if (!words.empty()) return default_value < 0 ? "" : words.at(static_cast<std::size_t>(default_value));
  return default_value < least ? "" : std::to_string(default_value);
}

const Parameter* Row::parameter(std::string_view wanted) const {
  for (const Parameter& one : parameters)
    if (one.name == wanted) return &one;
  return nullptr;
}

std::int64_t element_bytes(const std::string& type) {
  return type == "int" || type == "float" ? 4 : 8;
}

} // namespace lab
