// SPDX-License-Identifier: Apache-2.0
// The search through the orders in which racing accesses can act: depth first, each run naming the races in
// it and each of those turned round being a run to be made. Knows nothing of how runs are made.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explore/record.hpp"
#include "mesh_sim/parts/access.hpp"

namespace rcce::explore {

using Orders = std::vector<mesh::Hold>;

class OrderSearch {
 public:
  /// A run has been made with these orders wanted.
  void learn(const RunRecord& record, const Orders& orders);
  /// The next run to be made, if there is one.
  [[nodiscard]] std::optional<Orders> next();

  [[nodiscard]] std::size_t tried() const noexcept { return seen_.size(); } ///< different orders
  /// Why these are not all; empty where they are.
  [[nodiscard]] std::string what_is_left() const;

 private:
  void plan(const Orders& orders, const mesh::Hold& turned);

  std::vector<Orders> open_;
  std::set<std::string> planned_;
  std::set<std::uint64_t> seen_;
  bool deeper_ = false;     ///< some orders differ in more races than are turned round
  bool trace_full_ = false; ///< some runs make more accesses than are recorded
};

} // namespace rcce::explore
