// SPDX-License-Identifier: Apache-2.0
#include "watch/explore/order_search.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace rcce::explore {
namespace {

/// Races that are turned round in one run.
constexpr std::size_t most_orders = 12;

bool contains(const std::vector<Reversal>& some, const mesh::Hold& hold) {
  return std::ranges::find(some, hold, &Reversal::hold) != some.end();
}

/// The other order of the same two accesses.
mesh::Hold opposite(const mesh::Hold& hold) {
  return {hold.other, hold.other_access, hold.core, hold.access};
}

} // namespace

std::optional<Orders> OrderSearch::next() {
  if (open_.empty()) return std::nullopt;
  under_way_ = std::move(open_.back());
  open_.pop_back();
  run_ = std::make_shared<Run>();
  if (under_way_.parent != nullptr) {
    run_->orders = under_way_.parent->orders;
    run_->orders.push_back(under_way_.turned);
    run_->sleep = under_way_.parent->sleep;
  }
  Orders orders;
  for (const Reversal& order : run_->orders) orders.push_back(order.hold);
  return orders;
}

void OrderSearch::learn(const RunRecord& record) {
  run_->hash = order_hash(record);
  seen_.insert(run_->hash);
  trace_full_ = trace_full_ || record.trace_full;
  missed_ = missed_ || record.impatient;
  if (!record.impossible && misses_one(record, run_->orders)) missed_ = true;
  // Everybody else stands still without it, and nothing has changed: there is no such run, as far as this one
  // tells. With other races turned round there may be.
  if (Run* const parent = under_way_.parent.get(); parent != nullptr) {
    if (record.impossible && run_->hash == parent->hash) return;
    parent->sleep.push_back(under_way_.turned);
  }
  const Races races = races_of(record);
  torn_ = torn_ || races.torn;
  std::vector<PendingRun> below;
  for (const Reversal& turned : races.reversals) {
    if (contains(run_->orders, turned.hold) || contains(run_->orders, opposite(turned.hold)) ||
        contains(run_->sleep, turned.hold))
      continue;
    if (run_->orders.size() == most_orders)
      deeper_ = true;
    else
      below.push_back({run_, turned});
  }
  open_.insert(open_.end(), below.rbegin(), below.rend());
}

std::string OrderSearch::what_is_left() const {
  if (!open_.empty()) return fmt::format("{} or more were not tried within the limit on runs", open_.size());
  if (deeper_) return fmt::format("orders with more than {} swapped pairs were left out", most_orders);
  if (torn_) return "copies of several lines race, and orders that interleave their lines were left out";
  if (missed_) return "one order was tried and did not occur, though it may be possible";
  return trace_full_ ? "the runs make more accesses than --explore records" : "";
}

} // namespace rcce::explore
