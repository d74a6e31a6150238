// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "algorithms/shapes/shares.hpp"
#include "lab/limits.hpp"
#include "lab/wanted.hpp"
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
    std::map<int, std::size_t> numbers; // of cores, in the order of threads
    for (const int place : coherent::placement(config, "compact", point.cores)) {
      const int core = place % config.cores();
      const auto [at, is_new] = numbers.try_emplace(core, nodes_.size());
      if (is_new) {
        nodes_.push_back(costs_.node(core));
        threads_on_.push_back(0);
      }
      core_of_.push_back(at->second);
      ++threads_on_[at->second];
    }
    most_on_core_ = *std::max_element(threads_on_.begin(), threads_on_.end());
  }

  [[nodiscard]] Limit of_operation() {
    const std::string& operation = point_.row().operation;
    if (threads_on_.size() < 2 || (point_.operation().has_message && point_.bytes == 0)) return {};
    const auto known = operation_named(operation);
    if (!known) return {}; // a join
    const bool with_root = operation == "bcast" || operation == "reduce";
    if (with_root || operation == "barrier") {
      add("distance", with_root ? farthest_from(0) : widest());
      if (operation == "bcast") receive();
      if (operation == "reduce") combine();
      if (operation != "bcast") looks(point_.cores);
    } else {
      exchange(algorithms::Shares(*known, static_cast<std::size_t>(point_.bytes), element(), point_.cores));
    }
    return std::move(limit_);
  }

 private:
  /// The least cost of a line that one core has written and another one reads, modifies or overwrites.
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
  /// Something goes from one core to another or back.
  [[nodiscard]] Picoseconds between(std::size_t a, std::size_t b) const {
    return std::min(transfer(nodes_[a], nodes_[b]), transfer(nodes_[b], nodes_[a]));
  }
  /// Something goes from that core to the farthest, or back, at once or by way of a third.
  [[nodiscard]] Picoseconds farthest_from(std::size_t core) const {
    Picoseconds most = 0;
    for (std::size_t other = 0; other < nodes_.size(); ++other) most = std::max(most, between(core, other));
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
  /// The same of words that a scan loads, one of which may already be on its way when the next is asked for.
  [[nodiscard]] double step_of_words() const {
    return static_cast<double>(cheapest_transfer()) / (std::max(costs_.misses, costs_.scan_misses) + 1) - 1;
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

  /// The dearest transfer of a line that a core has changed, or may change.
  [[nodiscard]] Picoseconds dearest_transfer() const {
    Picoseconds most = 0;
    for (const int a : nodes_)
      for (const int b : nodes_) {
        for (int home = 0; home < costs_.nodes(); ++home)
          for (const State state : {State::modified, State::owned, State::exclusive})
            for (std::size_t operation = 0; operation < coherent::operations; ++operation)
              most = std::max(
                  most,
                  costs_.latency(static_cast<coherent::Operation>(operation), state, costs_.place(b, a)) +
                      costs_.detour(b, home, a));
      }
    return most + costs_.invalidation * point_.cores;
  }
  /// Until some core knows of so many threads, by words that tell of them. Times are counted in ticks, and
  /// rounded down.
  void looks(int threads) {
    constexpr int transfer = 64; // ticks
    const auto cheapest = static_cast<double>(cheapest_transfer());
    const double tick = cheapest / transfer, in_flight = costs_.scan_misses,
                 apart = cheapest * (1 - std::min(costs_.hold, 1 / (in_flight + 1))) / in_flight - 1,
                 // What is put off waits for what was put off before, a picosecond each.
        late = cheapest - costs_.hold * static_cast<double>(dearest_transfer()) - point_.cores - 2;
    const int age = static_cast<int>(late / tick), step = static_cast<int>(apart / tick);
    if (age < 1 || step < 1) return;
    const double own = most_on_core_, at_once = config_.store_buffer > 0 ? 2 : 1;
    std::vector<double> known, told; // by tick: threads that a core knows of, and of which a line tells
    for (int now = 0; known.empty() || known.back() < threads; ++now) {
      double knows = own;
      for (int end = now; end >= transfer; end -= step)
        knows += at_once * own * told[static_cast<std::size_t>(end - age)];
      double tells = knows;
      known.push_back(knows);
      for (int end = now; end >= 0; end -= age) tells += known[static_cast<std::size_t>(end)];
      told.push_back(tells);
    }
    add("looks", static_cast<double>(known.size() - 1) * tick);
  }

  /// Blocks begin at multiples of this size.
  [[nodiscard]] std::size_t element() const {
    return point_.operation().combines ? static_cast<std::size_t>(element_bytes(point_.type)) : 1;
  }
  void exchange(const algorithms::Shares& shares) {
    const auto& what = shares.what();
    const bool combines = what.combines != 0;
    Picoseconds distance = 0;
    std::size_t shortest = SIZE_MAX;                           // of what one thread has for another
    std::vector<std::vector<bool>> arrives(threads_on_.size(), // at a core: the source of a thread
                                           std::vector<bool>(static_cast<std::size_t>(point_.cores)));
    double foreign = 0, stored = 0; // bytes that cores need of others, bytes of targets
    int most_senders = 0;           // of one receiver, itself included
    for (int receiver = 0; receiver < point_.cores; ++receiver) {
      int senders = 1;
      for (int sender = 0; sender < point_.cores; ++sender) {
        const std::size_t bytes = shares.transfer(sender, receiver, 0).bytes,
                          to = core_of_[static_cast<std::size_t>(receiver)],
                          from = core_of_[static_cast<std::size_t>(sender)];
        if (bytes == 0) continue;
        senders += sender != receiver;
        stored += combines ? 0 : static_cast<double>(bytes);
        if (from == to) continue;
        distance = std::max(distance, between(from, to));
        shortest = std::min(shortest, bytes);
        // Threads of a core share what an allgather's sources have; of other sources each needs its own part.
        const bool is_shared = what.source == ROCKCREEK_BLOCK;
        auto&& met = arrives[to][static_cast<std::size_t>(sender)];
        if (!is_shared || !met) foreign += static_cast<double>(bytes);
        met = true;
      }
      most_senders = std::max(most_senders, senders);
    }
    if (distance == 0) return; // everything is there
    add("distance", std::min(distance, 2 * cheapest_transfer()));
    looks(most_senders);
    const double threads = point_.cores, others = static_cast<double>(threads_on_.size()) - 1,
                 vector = static_cast<double>(shares.bytes());
    double accesses_of_lines = 2 * stored;
    if (combines) {
      const bool whole = what.target == ROCKCREEK_WHOLE && what.of_lower_ranks == 0;
      foreign = others * vector * (whole ? 2 : 1);
      accesses_of_lines = (threads - 1) * vector * (whole ? 5 : 3);
    }
    const auto is_copied = [](double bytes) { return bytes > coherent::line_size; };
    if (!is_copied(vector)) return;
    const double misses = foreign / coherent::line_size / (2 * threads);
    const double apart = is_copied(static_cast<double>(shortest)) ? step() : step_of_words();
    const double hits = is_copied(static_cast<double>(shortest))
        ? accesses_of_lines / coherent::line_size * accesses(1) / threads
        : 0;
    add("work", std::max(static_cast<double>(cheapest_transfer()) + std::max(0.0, misses - 1) * apart, hits));
  }

  void add(std::string_view name, double picoseconds) { limit_.terms.push_back({name, picoseconds / 1e6}); }
  void add(std::string_view name, Picoseconds picoseconds) { add(name, static_cast<double>(picoseconds)); }

  const Point& point_;
  const coherent::Config& config_;
  const coherent::Costs costs_;
  const double lines_;
  std::vector<std::size_t> core_of_; ///< by thread: cores are numbered in the order of threads
  std::vector<int> threads_on_;      ///< by core
  std::vector<int> nodes_;           ///< by core
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
