// SPDX-License-Identifier: Apache-2.0
#include "explore/order_search.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "explore/orders.hpp"
#include "explore/perturbation.hpp"

namespace rcce::explore {
namespace {

/// Races that are turned round in one run.
constexpr std::size_t most_orders = 12;

bool contains(const Orders& orders, const mesh::Hold& order) {
  return std::ranges::find(orders, order) != orders.end();
}

/// The same text whatever the sequence in which the orders were wanted.
std::string key(const Orders& orders) {
  std::vector<std::string> texts;
  for (const mesh::Hold& order : orders) texts.push_back(perturbation_text({0, {order}}));
  std::ranges::sort(texts);
  return fmt::format("{}", fmt::join(texts, ","));
}

} // namespace

void OrderSearch::learn(const RunRecord& record, const Orders& orders) {
  trace_full_ = trace_full_ || record.trace_full;
  if (!seen_.insert(order_hash(record)).second) return;
  Orders turned = reversals(record);
  std::ranges::reverse(turned); // the last one planned is made first
  for (const mesh::Hold& hold : turned) plan(orders, hold);
}

void OrderSearch::plan(const Orders& orders, const mesh::Hold& turned) {
  if (contains(orders, turned) ||
      contains(orders, {turned.other, turned.other_access, turned.core, turned.access}))
    return;
  if (orders.size() == most_orders) {
    deeper_ = true;
    return;
  }
  Orders wanted = orders;
  wanted.push_back(turned);
  if (planned_.insert(key(wanted)).second) open_.push_back(std::move(wanted));
}

std::optional<Orders> OrderSearch::next() {
  if (open_.empty()) return std::nullopt;
  Orders orders = std::move(open_.back());
  open_.pop_back();
  return orders;
}

std::string OrderSearch::what_is_left() const {
  if (!open_.empty()) return fmt::format("{} or more are left at the bound on runs", open_.size());
  if (deeper_) return fmt::format("those with more than {} races turned round are left out", most_orders);
  return trace_full_ ? "runs make more accesses than are recorded" : "";
}

} // namespace rcce::explore
