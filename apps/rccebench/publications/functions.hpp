// SPDX-License-Identifier: Apache-2.0
// Functions of expressions: of numbers, and aggregates over lists.
#pragma once

#include <string_view>

#include "publications/expression.hpp"

namespace rccebench::publications {

/// One round of an aggregate: the items that its variables stand for, and what its body is there.
struct Round {
  std::vector<Value> items;
  Value value;
};
using Rounds = std::vector<Round>;

struct AggregateRow {
  std::string_view name;
  Value (*apply)(const Rounds&);
};
struct PlainRow {
  std::string_view name;
  int arguments; ///< -1: any number
  Value (*apply)(const std::vector<Value>&);
};
/// Null where there is none of that name.
[[nodiscard]] const AggregateRow* aggregate(std::string_view name);
[[nodiscard]] const PlainRow* plain_function(std::string_view name);

} // namespace rccebench::publications
