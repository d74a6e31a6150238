#include "choose.hpp"

#include <algorithm>
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

/// From here on every thread's share of the work is worth the two barriers of reduce/linear, bytes of a
/// block.
constexpr std::size_t worth_slices = 4096;
/// Threads from which on a counter that all write is slower than rounds of notifications.
constexpr int many = 4;

} // namespace

int processors() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

const BarrierRow& barrier_row(std::string_view name, int threads) {
  // With more threads than processors whoever waits sleeps, and one wake-up of all is cheaper than many of
  // one.
  if (name == "auto")
    name = threads > many && threads <= processors() ? "barrier/dissemination" : "barrier/central_sense";
  return in_memory::row_of(in_memory::barriers<Host>, full("barrier/", name));
}

const JoinRow& join_row(std::string_view name) {
  return in_memory::row_of(in_memory::joins<Host>, name == "auto" ? "join/flat_padded" : full("join/", name));
}

const ReductionRow& reduction_row(std::string_view name, Order order, int threads, std::size_t bytes) {
  if (name == "auto") {
    if (bytes >= worth_slices)
      name = "reduce/linear";
    else if (threads <= many)
      name = "reduce/master_vector";
    else
      name = order == Order::threads ? "reduce/join_tree" : "reduce/level_tree";
  }
  const ReductionRow& row = in_memory::row_of(in_memory::reductions<Host>, full("reduce/", name));
  if (!keeps(row, order))
    throw std::invalid_argument(
        std::string(row.name) + " does not combine operands in the order that is asked for: " +
        (order == Order::fixed ? "a fixed one" : "that of threads") + "; take another one, or \"auto\"");
  return row;
}

} // namespace detail

std::vector<std::string> algorithms() {
  std::vector<std::string> names;
  for (const auto& row : in_memory::barriers<detail::Host>) names.emplace_back(row.name);
  for (const auto& row : in_memory::reductions<detail::Host>) names.emplace_back(row.name);
  for (const auto& row : in_memory::joins<detail::Host>) names.emplace_back(row.name);
  return names;
}

} // namespace rockcreek
