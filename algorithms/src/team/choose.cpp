// SPDX-License-Identifier: Apache-2.0
#include "choose.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace rockcreek {

namespace in_memory = algorithms::in_memory;

namespace detail {

namespace {

std::string full(std::string_view folder, std::string_view name) {
  return name.find('/') == std::string_view::npos ? std::string(folder) + std::string(name)
                                                  : std::string(name);
}

bool keeps(const ReductionRow& row, Order order) {
  switch (order) {
  case Order::any:
    return true;
  case Order::fixed:
    return in_memory::fixed(row.order);
  case Order::threads:
    break;
  }
  return in_memory::fixed(row.order) && !in_memory::needs_commutative(row.order);
}

// What rules of "auto" rest on: `rccebench compare --operation reduce` and barrier on the presets of coherent
// machines, 2 to 80 threads, arrivals together and spread.

/// From this size of a block on its slices are worth the two barriers of reduce/linear.
constexpr std::size_t worth_slices = 512;
/// Up to so many threads the master adds up smaller blocks faster than a tree.
constexpr int few = 8;

/// The fastest reduction on a machine, from this size of a block on.
struct Tuned {
  std::string_view machine;
  int threads;
  std::size_t from_bytes;
  std::string_view algorithm;
};
constexpr Tuned table[] = {
#include "teams.inc"
};

/// The tuned choice for the nearest number of threads. Throws std::invalid_argument for a machine without
/// rows.
std::string_view tuned_reduction(std::string_view machine, int threads, std::size_t bytes) {
  const Tuned* best = nullptr;
  const auto distance = [threads](const Tuned& row) { return std::abs(row.threads - threads); };
  for (const Tuned& row : table) {
    if (row.machine != machine) continue;
    const bool nearer = best == nullptr || distance(row) < distance(*best);
    if (nearer || (row.threads == best->threads && row.from_bytes <= bytes)) best = &row;
  }
  if (best == nullptr) {
    std::string known;
    for (const std::string& one : tuned_machines()) known += (known.empty() ? "" : ", ") + one;
    throw std::invalid_argument("machine '" + std::string(machine) + "': there are tables of " + known);
  }
  return best->algorithm;
}

std::string_view automatic_reduction(Order order, int threads, std::size_t bytes) {
  if (threads <= 2) return "reduce/pair_tree";
  if (bytes >= worth_slices) return "reduce/linear";
  if (threads <= few) return "reduce/master_vector";
  return order == Order::threads ? "reduce/pair_tree" : "reduce/level_tree";
}

} // namespace

int processors() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

const BarrierRow& barrier_row(std::string_view name, int threads, int processors) {
  // Rounds of notifications are the fastest on every machine; but with more threads than processors whoever
  // waits sleeps, and one wake-up of all is cheaper than many of one.
  if (name == "auto") name = threads <= processors ? "barrier/dissemination" : "barrier/central_sense";
  return algorithms::row_of(in_memory::barriers<Host>(), full("barrier/", name));
}

const JoinRow& join_row(std::string_view name) {
  return algorithms::row_of(in_memory::joins<Host>(),
                            name == "auto" ? "join/flat_padded" : full("join/", name));
}

const ReductionRow& reduction_row(std::string_view name, Order order, int threads, std::size_t bytes,
                                  std::string_view machine) {
  const auto row_of = [](std::string_view which) -> const ReductionRow& {
    return algorithms::row_of(in_memory::reductions<Host>(), full("reduce/", which));
  };
  if (name == "auto" && !machine.empty()) {
    const ReductionRow& tuned = row_of(tuned_reduction(machine, threads, bytes));
    if (keeps(tuned, order)) return tuned;
  }
  if (name == "auto") name = automatic_reduction(order, threads, bytes);
  const ReductionRow& row = row_of(name);
  if (!keeps(row, order))
    throw std::invalid_argument(
        std::string(row.name) + " does not combine operands in the order that is asked for: " +
        (order == Order::fixed ? "a fixed one" : "that of threads") + "; take another one, or \"auto\"");
  return row;
}

} // namespace detail

std::vector<std::string> algorithms() {
  std::vector<std::string> names;
  for (const auto& row : in_memory::barriers<detail::Host>()) names.emplace_back(row.name);
  for (const auto& row : in_memory::reductions<detail::Host>()) names.emplace_back(row.name);
  for (const auto& row : in_memory::joins<detail::Host>()) names.emplace_back(row.name);
  return names;
}

std::vector<std::string> tuned_machines() {
  std::vector<std::string> names;
  for (const detail::Tuned& row : detail::table)
    if (names.empty() || names.back() != row.machine) names.emplace_back(row.machine);
  return names;
}

std::string automatic(const std::string& operation, int threads, std::size_t bytes, Order order,
                      int processors, const std::string& machine) {
  if (operation == "barrier")
    return std::string(
        detail::barrier_row("auto", threads, processors > 0 ? processors : detail::processors()).name);
  if (operation == "join") return std::string(detail::join_row("auto").name);
  if (operation == "reduce")
    return std::string(detail::reduction_row("auto", order, threads, bytes, machine).name);
  throw std::invalid_argument("operation '" + operation + "': a team has barrier, reduce and join");
}

} // namespace rockcreek
