// SPDX-License-Identifier: Apache-2.0
#include "lab/limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>

#include "algorithms/operation.h"
#include "mesh_sim/machines/scc/costs.hpp"
#include "mesh_sim/machines/scc/kind.hpp"
#include "mesh_sim/parts/address_space.hpp"

namespace lab {
namespace {

using mesh::MachineConfig;
using mesh::Topology;

/// Prices of a machine, all in picoseconds, each the least that such an access takes: nobody else is in the
/// way.
class Prices {
 public:
  Prices(const MachineConfig& config, std::int64_t element_cycles)
      : config_(config),
        cycle_(static_cast<double>(
            mesh::period(config.global_clock_mhz / static_cast<double>(config.tile_divider)))),
        mesh_cycle_(static_cast<double>(mesh::period(config.mesh_clock_mhz))),
        element_(static_cast<double>(element_cycles) * cycle_) {}

  /// For which a core waits that writes a line to a buffer, wherever that is.
  [[nodiscard]] double write() const { return cycles(config_.mpb_write_cycles); }
  /// A line of a buffer that is so many hops away.
  [[nodiscard]] double read(int hops) const {
    if (hops == 0) return cycles(config_.mpb_read_cycles) + mesh_cycles(config_.mpb_local_mesh_cycles);
    return cycles(config_.mpb_read_cycles + config_.mpb_remote_cycles) + 2 * way(hops);
  }
  [[nodiscard]] double way(int hops) const { return mesh_cycles(config_.router_cycles * hops); }
  /// The least for one bit to another core and for its being seen there: a flag, or a test-and-set register.
  [[nodiscard]] double signal() const { return std::min(write(), register_access()); }
  [[nodiscard]] double look() const { return std::min(read(0), register_access()); }
  [[nodiscard]] double combine(double elements) const { return elements * element_; }

  /// Private side of a copy of so many lines: those that the caches can have held before, then the others.
  /// `stored`: the lines are written, and leave the caches for others later.
  [[nodiscard]] double memory(double lines, bool stored) const {
    const double l1 = std::min(lines, l1_lines()), l2 = std::min(lines - l1, l2_lines());
    const double own = cycles(config_.l1_line_cycles);
    const double dram = cycles(config_.dram_core_cycles + config_.dram_copy_cycles) +
        static_cast<double>(config_.dram_ram_cycles * mesh::period(config_.dram_clock_mhz / 2)) +
        (stored ? cycles(config_.dram_write_back_cycles) : 0);
    return lines * own + l2 * cycles(config_.l2_line_cycles) + beyond_caches(lines) * dram;
  }
  [[nodiscard]] double beyond_caches(double lines) const {
    return std::max(0.0, lines - l1_lines() - l2_lines());
  }
  /// What those lines take beyond the first-level cache at least, by a copy or by a load: they are read or
  /// stored to once, and the caches can have held as many as above.
  [[nodiscard]] double far_memory(double lines) const {
    const double l2 = std::clamp(lines - l1_lines(), 0.0, l2_lines());
    const double dram = cycles(config_.dram_core_cycles) +
        static_cast<double>(config_.dram_ram_cycles * mesh::period(config_.dram_clock_mhz / 2));
    return l2 * cycles(std::min(config_.l2_line_cycles, config_.l2_read_cycles)) +
        beyond_caches(lines) * dram;
  }
  [[nodiscard]] double near_memory() const { return cycles(config_.l1_line_cycles); }
  /// A line through a memory controller.
  [[nodiscard]] double controller_line() const {
    return mesh::line_bytes * 1000.0 / config_.controller_gb_per_s;
  }

 private:
  static constexpr auto lines_of_page =
      static_cast<std::int64_t>(mesh::AddressSpace::page_bytes / mesh::line_bytes);

  [[nodiscard]] double cycles(std::int64_t n) const { return static_cast<double>(n) * cycle_; }
  [[nodiscard]] double mesh_cycles(std::int64_t n) const { return static_cast<double>(n) * mesh_cycle_; }
  [[nodiscard]] double l1_lines() const {
    return lines_for_messages(config_.l1_bytes, config_.l1_ways, config_.l1_kept_lines);
  }
  [[nodiscard]] double l2_lines() const {
    return lines_for_messages(config_.l2_bytes, config_.l2_ways, config_.l2_kept_pages * lines_of_page);
  }
  /// Kept are lines of one way for good, which no message gets.
  [[nodiscard]] static double lines_for_messages(std::int64_t bytes, std::int64_t ways, std::int64_t kept) {
    const std::int64_t lines = bytes / static_cast<std::int64_t>(mesh::line_bytes);
    return static_cast<double>(lines - std::min(kept, lines / ways));
  }
  [[nodiscard]] double register_access() const {
    return cycles(
        std::max<std::int64_t>(0, config_.lock_acquire_cycles - config_.lock_local_discount_cycles));
  }

  const MachineConfig& config_;
  const double cycle_, mesh_cycle_, element_;
};

/// The bounds of one point. LIMITS.md has the same names.
class Bounds {
 public:
  Bounds(const Point& point, const MachineConfig& config)
      : point_(point),
        config_(config),
        topology_(config.make_topology()),
        cores_(point.machine->first_cores(point.cores)),
        ranks_(point.cores),
        lines_(std::ceil(static_cast<double>(point.bytes) / mesh::line_bytes)),
        prices_(config, point.machine->costs.of(point.generation == Generation::rcce20 ? 20 : 10).element),
        by_copies_(shortest_message() > most_bytes_beside_flags ? 1 : 0) {
    if (point.operation().combines)
      in_line_ = std::min(static_cast<double>(point.elements()),
                          static_cast<double>(mesh::line_bytes / element_bytes(point.type)));
  }

  [[nodiscard]] Limit of_operation() {
    const std::string& operation = point_.row().operation;
    if (ranks_ == 1 || (point_.operation().has_message && point_.bytes == 0)) return {};
    if (operation == "bcast") bcast();
    if (operation == "reduce") reduce();
    if (operation == "allreduce") allreduce();
    if (operation == "allgather") allgather();
    if (operation == "alltoall") alltoall();
    if (operation == "reduce_scatter") reduce_scatter();
    if (operation == "scan") scan();
    if (operation == "gather" && longest_of_others() > 0) gather();
    if (operation == "scatter" && longest_of_others() > 0) scatter();
    if (operation == "barrier") add("distance", prices_.signal() + prices_.way(widest()) + prices_.look());
    return std::move(limit_);
  }

 private:
  void bcast() {
    const double others = ranks_ - 1;
    add("distance", prices_.write() + prices_.way(farthest_from(point_.root).hops) + prices_.read(0));
    add("root", lines_ * prices_.write() + memory(lines_, false) + prices_.read(0));
    add("receiver", prices_.write() + lines_ * prices_.read(0) + memory(lines_, true));
    add("work", (memory(lines_, false) + lines_ * handed_out() + others * memory(lines_, true)) / ranks_);
    add("controllers", through_controllers(0, 2 * prices_.beyond_caches(lines_)));
  }

  void reduce() {
    const double others = ranks_ - 1;
    add("distance", prices_.write() + prices_.way(farthest_from(point_.root).hops) + prices_.read(0));
    add("sender", lines_ * (prices_.write() + near()) + far(lines_) + prices_.read(0));
    add("root", prices_.write() + lines_ * (prices_.read(0) + near()) + far(2 * lines_));
    add("work", others * lines_ * (prices_.write() + near() + brought_together()) / ranks_ + far(lines_));
    add("controllers", through_controllers(prices_.beyond_caches(2 * lines_), prices_.beyond_caches(lines_)));
    add("depth", depth());
  }

  void allreduce() {
    const double others = ranks_ - 1;
    add("distance", prices_.write() + prices_.way(widest()) + prices_.read(0));
    const double memory = far(2 * lines_);
    add("each", lines_ * (prices_.write() + prices_.read(0) + 2 * near()) + memory);
    add("work",
        lines_ * (others * (prices_.write() + near() + brought_together()) + handed_out() + others * near()) /
                ranks_ +
            memory);
    add("controllers", through_controllers(2 * lines_));
    add("depth", depth());
  }

  void gather() {
    add("distance", prices_.write() + prices_.way(farthest_block()) + prices_.read(0));
    add("sender", put(longest_of_others()) + prices_.read(0));
    add("root", prices_.write() + got(bytes() - block(point_.root)));
  }

  void scatter() {
    add("distance", prices_.write() + prices_.way(farthest_block()) + prices_.read(0));
    add("root", put(bytes() - block(point_.root)) + prices_.read(0));
    add("receiver", prices_.write() + got(longest_of_others()));
  }

  void allgather() {
    add("distance", prices_.write() + prices_.way(from_owner()) + prices_.read(0));
    for (const double own : longest_and_shortest()) add("each", put_and_got(own, bytes() - own));
    const double handed = bytes() / mesh::line_bytes * handed_out();
    const double sent = block(0), received = bytes() - block(point_.cores - 1);
    add("work",
        memory(sent / mesh::line_bytes, false) + memory(received / mesh::line_bytes, true) + handed / ranks_);
    add("controllers", through_controllers(bytes() / mesh::line_bytes));
  }

  void alltoall() {
    add("distance", prices_.write() + prices_.way(from_owner()) + prices_.read(0));
    for (const double own : longest_and_shortest())
      add("each", put_and_got(bytes() - own, (ranks_ - 1) * own));
    add("controllers",
        through_controllers((bytes() - block(point_.cores - 1) + (ranks_ - 1) * block(0)) /
                            mesh::line_bytes));
  }

  void reduce_scatter() {
    add("distance", prices_.write() + prices_.way(from_owner()) + prices_.read(0));
    for (const double own : longest_and_shortest())
      add("each",
          lines_of(bytes() - own) * (prices_.write() + near()) + lines_of(own) * (prices_.read(0) + near()) +
              far(lines_of(bytes()) + lines_of(own)));
    const double joined = bytes() / mesh::line_bytes * (prices_.write() + prices_.read(0) + 2 * near()) +
        prices_.combine(static_cast<double>(point_.elements()));
    add("work", (ranks_ - 1) * joined / ranks_ + far(lines_of(bytes()) + lines_of(block(0))));
    add("controllers", through_controllers((bytes() + block(0)) / mesh::line_bytes));
    const auto element = static_cast<double>(element_bytes(point_.type));
    add("depth", depth(element, 1));
  }

  void scan() {
    add("distance", prices_.write() + prices_.way(widest()) + prices_.read(0));
    const double sent = lines_ * (prices_.write() + near()), received = lines_ * (prices_.read(0) + near());
    const double memory = far(2 * lines_);
    add("sender", sent + memory + prices_.read(0));
    add("receiver", prices_.write() + received + memory);
    if (ranks_ > 2) add("each", sent + received + memory);
    add("work", (ranks_ - 1) * (sent + lines_ * brought_together()) / ranks_ + memory);
    add("controllers", through_controllers(2 * lines_));
    add("depth", depth());
  }

  /// What a core pays for so many bytes of its own that it puts, and of others' that it gets and stores.
  [[nodiscard]] double put(double bytes) const {
    return lines_of(bytes) * prices_.write() + memory(lines_of(bytes), false);
  }
  [[nodiscard]] double got(double bytes) const {
    return lines_of(bytes) * prices_.read(0) + memory(lines_of(bytes), true);
  }

  /// Both, which share the caches.
  [[nodiscard]] double put_and_got(double sent, double received) const {
    const double out = lines_of(sent), in = lines_of(received);
    return out * prices_.write() + in * prices_.read(0) +
        std::max(memory(out, false) + memory(in, true), memory(out + in, false));
  }

  [[nodiscard]] double bytes() const { return static_cast<double>(point_.bytes); }
  /// Bytes of a rank's block. Rank 0 has a shortest one, the last rank a longest.
  [[nodiscard]] double block(int rank) const {
    const std::int64_t unit = point_.operation().combines ? element_bytes(point_.type) : 1;
    const auto length = static_cast<std::size_t>(point_.bytes / unit);
    return static_cast<double>(rockcreek_block_begin(length, point_.cores, rank + 1) -
                               rockcreek_block_begin(length, point_.cores, rank)) *
        static_cast<double>(unit);
  }
  [[nodiscard]] std::array<double, 2> longest_and_shortest() const {
    return {block(point_.cores - 1), block(0)};
  }
  [[nodiscard]] double longest_of_others() const {
    double longest = 0;
    for (int rank = 0; rank < point_.cores; ++rank)
      if (rank != point_.root) longest = std::max(longest, block(rank));
    return longest;
  }
  /// From the root to the farthest rank that has one.
  [[nodiscard]] int farthest_block() const {
    int hops = 0;
    for (int rank = 0; rank < point_.cores; ++rank)
      if (block(rank) > 0) hops = std::max(hops, topology_.hops(tile_of(point_.root), tile_of(rank)));
    return hops;
  }
  [[nodiscard]] static double lines_of(double bytes) { return std::ceil(bytes / mesh::line_bytes); }
  /// Hops between two ranks, as far apart as there are, of which one has a block that is not empty.
  [[nodiscard]] int from_owner() const {
    return block(0) > 0 ? widest() : farthest_from(point_.cores - 1).hops;
  }
  [[nodiscard]] double shortest_message() const { return point_.operation().has_blocks ? block(0) : bytes(); }

  /// Of several with one name the largest stays.
  void add(std::string_view name, double picoseconds) {
    const auto known = std::ranges::find(limit_.terms, name, &LimitTerm::name);
    if (known == limit_.terms.end())
      limit_.terms.push_back({name, picoseconds / 1e6});
    else
      known->us = std::max(known->us, picoseconds / 1e6);
  }

  /// Up to here a payload may travel within the line of a flag, or in several, past the program's memory.
  static constexpr std::int64_t most_bytes_beside_flags = 4 * mesh::line_bytes;
  [[nodiscard]] double memory(double lines, bool stored) const {
    return by_copies_ * prices_.memory(lines, stored);
  }
  [[nodiscard]] double far(double lines) const { return by_copies_ * prices_.far_memory(lines); }
  [[nodiscard]] double near() const { return by_copies_ * prices_.near_memory(); }

  /// A line of another's operand that is got and combined.
  [[nodiscard]] double brought_together() const {
    return prices_.read(0) + near() + prices_.combine(in_line_of_many());
  }
  /// Elements of a line on the average.
  [[nodiscard]] double in_line_of_many() const { return static_cast<double>(point_.elements()) / lines_; }

  /// One line from one rank to all others, but for the memory of those: the copies of it that are put, and
  /// what the others pay to get it. `count` copies have at most so many cores so near.
  [[nodiscard]] double handed_out() {
    if (handed_out_ > 0) return handed_out_;
    const double others = ranks_ - 1;
    for (double copies = 1;; ++copies) {
      double cost = copies * prices_.write() + (copies - 1) * near(), left = others;
      for (int hops = 0; left > 0; ++hops) {
        const double here = std::min(left, copies * cores_at(hops));
        cost += here * prices_.read(hops);
        left -= here;
      }
      if (handed_out_ == 0 || cost < handed_out_) handed_out_ = cost;
      if (copies * cores_at(0) >= others || copies * prices_.write() > handed_out_) break;
    }
    return handed_out_;
  }

  /// Cores that are so many hops from a tile at most: a tile of a grid has so many others at that distance.
  [[nodiscard]] double cores_at(int hops) {
    const auto per_tile = static_cast<double>(config_.cores_per_tile);
    if (hops == 0) return per_tile;
    if (!config_.is_graph()) return 4.0 * hops * per_tile;
    if (at_hops_.empty()) count_tiles();
    return hops < static_cast<int>(at_hops_.size()) ? at_hops_[static_cast<std::size_t>(hops)] * per_tile
                                                    : ranks_;
  }
  void count_tiles() {
    at_hops_.assign(static_cast<std::size_t>(topology_.most_hops()) + 1, 0);
    for (int from = 0; from < topology_.tiles(); ++from) {
      std::vector<double> own(at_hops_.size());
      for (int to = 0; to < topology_.tiles(); ++to)
        ++own[static_cast<std::size_t>(topology_.hops(mesh::TileId{from}, mesh::TileId{to}))];
      for (std::size_t i = 0; i < own.size(); ++i) at_hops_[i] = std::max(at_hops_[i], own[i]);
    }
  }

  struct Far {
    int rank, hops;
  };
  [[nodiscard]] mesh::TileId tile_of(int rank) const {
    return topology_.tile_of(mesh::CoreId{cores_[static_cast<std::size_t>(rank)]});
  }
  [[nodiscard]] Far farthest_from(int rank) const {
    Far far{rank, 0};
    for (int other = 0; other < point_.cores; ++other)
      if (const int hops = topology_.hops(tile_of(rank), tile_of(other)); hops > far.hops)
        far = {other, hops};
    return far;
  }
  /// Two ranks that far apart there are.
  [[nodiscard]] int widest() const { return farthest_from(farthest_from(0).rank).hops; }

  /// What the busiest memory controller takes, if each rank reads or stores so many lines once.
  [[nodiscard]] double through_controllers(double lines) const {
    return through_controllers(prices_.beyond_caches(lines), prices_.beyond_caches(lines));
  }
  /// If so many lines of the root and of each other rank go through it.
  [[nodiscard]] double through_controllers(double of_root, double of_others) const {
    if (!config_.contention) return 0;
    std::map<int, double> lines;
    for (int rank = 0; rank < point_.cores; ++rank)
      lines[topology_.controller_of(tile_of(rank))] += rank == point_.root ? of_root : of_others;
    double most = 0;
    for (const auto& [controller, count] : lines) most = std::max(most, count);
    return by_copies_ * most * prices_.controller_line();
  }

  /// Until the operands of all can have come together in one core, if everything else were free: what a core
  /// knows at a time is what it knew before it looked last, and what that line brought.
  [[nodiscard]] double depth() const {
    return depth(static_cast<double>(point_.bytes), std::max(1.0, lines_ < 2 ? in_line_ : 1));
  }
  /// Of operands of so many bytes, of which so many elements are combined at each look.
  [[nodiscard]] double depth(double operand, double elements) const {
    const double in_one_line = std::max(1.0, std::floor(static_cast<double>(mesh::line_bytes) / operand));
    const double get = prices_.read(0) + prices_.combine(elements);
    const auto step = [](double picoseconds) { return static_cast<std::size_t>(picoseconds / 1000); };
    const std::size_t looks = step(get), puts = step(prices_.write());
    std::vector<double> known;
    for (std::size_t now = 0;; ++now) {
      const bool has_got = now >= looks + puts;
      known.push_back(has_got ? known[now - looks] + in_one_line * known[now - looks - puts] : 1);
      if (known.back() >= ranks_) return static_cast<double>(now) * 1000;
    }
  }

  const Point& point_;
  const MachineConfig& config_;
  const Topology topology_;
  const std::vector<int> cores_;
  const double ranks_, lines_;
  const Prices prices_;
  const double by_copies_; ///< 1: the message goes through private memory by copies; 0: it need not
  double in_line_ = 0;     ///< elements of an operand that one line has
  double handed_out_ = 0;
  std::vector<double> at_hops_; ///< tiles at that distance from the tile that has most of them
  Limit limit_;
};

} // namespace

LimitTerm Limit::binding() const {
  const auto most = std::ranges::max_element(terms, {}, &LimitTerm::us);
  return most == terms.end() ? LimitTerm{"", 0} : *most;
}

Limit limit_on_messages(const Point& point) {
  const auto config = mesh::scc_config(point.machine->config);
  if (!config || !point.spread.is_none()) return {};
  return Bounds(point, *config).of_operation();
}

} // namespace lab
