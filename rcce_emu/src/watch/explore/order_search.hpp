// SPDX-License-Identifier: Apache-2.0
// The search through the orders in which racing accesses can act: depth first, each run naming the races in
// it and each of those turned round being a run to be made. Knows nothing of how runs are made.
//
// A run is made with some orders wanted. Every other run that has these orders too, and is not the same,
// turns round at least one race of this run; it belongs to the first of them. So below a run, races that its
// elder siblings have turned round stay as they are ("sleep"), and no order is tried twice.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mesh_sim/kernel/hold.hpp"
#include "watch/explore/orders.hpp"
#include "watch/explore/record.hpp"

namespace rcce::explore {

using Orders = std::vector<mesh::Hold>;

class OrderSearch {
 public:
  /// The next run to be made, if there is one; first the unperturbed one.
  [[nodiscard]] std::optional<Orders> next();
  /// It has been made.
  void learn(const RunRecord& record);

  [[nodiscard]] std::size_t tried() const noexcept { return seen_.size(); } ///< different orders
  /// Why these are not all; empty where they are.
  [[nodiscard]] std::string what_is_left() const;

 private:
  /// A run and what is known of the runs below it.
  struct Run {
    std::vector<Reversal> orders; ///< wanted
    std::vector<Reversal> sleep;  ///< not to be turned round below
    std::uint64_t hash = 0;       ///< hash of the order that came about
  };
  struct PendingRun {
    std::shared_ptr<Run> parent; ///< null: the unperturbed run
    Reversal turned;
  };

  std::vector<PendingRun> open_{{}};
  PendingRun under_way_;
  std::shared_ptr<Run> run_; ///< under way
  std::set<std::uint64_t> seen_;
  // What has been left out.
  bool deeper_ = false;     ///< orders that differ in more races than are turned round
  bool trace_full_ = false; ///< some runs make more accesses than are recorded
  bool torn_ = false;       ///< copies that race line by line
  bool missed_ = false;     ///< an order that has not come about although it may be possible
};

} // namespace rcce::explore
