// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "lab/limits.hpp"
#include "mesh_sim/machines/coherent/costs.hpp"
#include "mesh_sim/machines/coherent/kind.hpp"
#include "mesh_sim/machines/coherent/placement.hpp"

namespace lab {
namespace {

namespace coherent = mesh::coherent;
using coherent::State;
using mesh::Picoseconds;

/// The bounds of one point. LIMITS.md has the same names.
class MemoryBounds {
 public:
  MemoryBounds(const Point& point, const coherent::Config& config)
      : point_(point),
        config_(config),
        costs_(config),
        lines_(std::ceil(static_cast<double>(point.bytes) / coherent::line_size)) {
    for (const int place : coherent::placement(config, "compact", point.cores))
      ++threads_on_[place % config.cores()];
    for (const auto& [core, threads] : threads_on_) {
      nodes_.push_back(costs_.node(core));
      most_on_core_ = std::max(most_on_core_, threads);
    }
  }

  [[nodiscard]] Limit of_operation() {
    const std::string& operation = point_.row().operation;
    if (threads_on_.size() < 2 || (point_.operation().has_message && point_.bytes == 0)) return {};
    const bool with_root = operation == "bcast" || operation == "reduce";
    if (!with_root && operation != "barrier") return {};
    add("distance", with_root ? farthest_from(0) : widest());
    if (operation == "bcast") receive();
    if (operation == "reduce") combine();
    return std::move(limit_);
  }

 private:
  /// What a line takes at least that one core has written and another one reads, modifies or overwrites.
  [[nodiscard]] Picoseconds transfer(int from_node, int to_node) const {
    const auto cheapest = [&](State state, int place) {
      Picoseconds least = std::numeric_limits<Picoseconds>::max();
      for (std::size_t operation = 0; operation < coherent::operations; ++operation)
        least = std::min(least, costs_.latency(static_cast<coherent::Operation>(operation), state, place));
      return least;
    };
    Picoseconds least = std::numeric_limits<Picoseconds>::max();
    for (const State state : {State::modified, State::owned, State::exclusive, State::shared})
      least = std::min(least, cheapest(state, costs_.place(to_node, from_node)));
    // It may have left the writer's cache meanwhile, for a shared one or for memory, wherever its home is.
    if (config_.shared_kb > 0) least = std::min(least, costs_.shared_hit);
    for (int home = 0; home < costs_.nodes(); ++home)
      least = std::min(least, cheapest(State::invalid, costs_.place(to_node, home)));
    return least;
  }
  /// Between any two cores.
  [[nodiscard]] Picoseconds cheapest_transfer() const {
    Picoseconds least = std::numeric_limits<Picoseconds>::max();
    for (std::size_t a = 0; a < nodes_.size(); ++a)
      for (std::size_t b = 0; b < nodes_.size(); ++b)
        if (a != b) least = std::min(least, transfer(nodes_[a], nodes_[b]));
    return least;
  }
  /// Something goes from that core to the farthest, or back, at once or by way of a third.
  [[nodiscard]] Picoseconds farthest_from(std::size_t core) const {
    Picoseconds most = 0;
    for (const int node : nodes_)
      most = std::max(most, std::min(transfer(nodes_[core], node), transfer(node, nodes_[core])));
    return std::min(most, 2 * cheapest_transfer());
  }
  [[nodiscard]] Picoseconds widest() const {
    Picoseconds most = 0;
    for (std::size_t core = 0; core < nodes_.size(); ++core) most = std::max(most, farthest_from(core));
    return most;
  }

  /// From one line of a stream of misses to the next, less what rounding can take.
  [[nodiscard]] double step() const {
    return static_cast<double>(cheapest_transfer()) / std::max(costs_.misses, costs_.scan_misses) - 1;
  }
  [[nodiscard]] double accesses(int count) const { return static_cast<double>(count * costs_.hit_line); }

  void receive() {
    if (lines_ < 2) return;
    add("receiver",
        static_cast<double>(cheapest_transfer()) +
            (lines_ - 1) * std::max(accesses(2), step() / most_on_core_));
  }
  void combine() {
    if (lines_ < 2) return;
    const double threads = point_.cores, cores = static_cast<double>(threads_on_.size());
    add("work", lines_ * std::max((threads - 1) * accesses(3), (cores - 1) * step()) / threads);
  }

  void add(std::string_view name, double picoseconds) { limit_.terms.push_back({name, picoseconds / 1e6}); }
  void add(std::string_view name, Picoseconds picoseconds) { add(name, static_cast<double>(picoseconds)); }

  const Point& point_;
  const coherent::Config& config_;
  const coherent::Costs costs_;
  const double lines_;
  std::map<int, int> threads_on_; ///< by core
  std::vector<int> nodes_;        ///< of those cores, that of thread 0 first
  int most_on_core_ = 1;
  Limit limit_;
};

} // namespace

Limit limit_in_memory(const Point& point) {
  const auto config = mesh::coherent_config(point.machine->config);
  if (!config || !point.spread.is_none()) return {};
  return MemoryBounds(point, *config).of_operation();
}

} // namespace lab
