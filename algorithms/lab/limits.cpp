// SPDX-License-Identifier: Apache-2.0
#include "lab/limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>

#include "algorithms/operation.h"
#include "mesh_sim/machines/scc/costs.hpp"
#include "mesh_sim/machines/scc/kind.hpp"
#include "mesh_sim/parts/address_space.hpp"
#include "rcce_emu/private_copy.hpp"

namespace lab {
namespace {

using mesh::MachineConfig;
using mesh::Picoseconds;
using mesh::Topology;

/// Prices of a machine, all in picoseconds, each the least that such an access takes: nobody else is in the
/// way. Those of the machine's own rules.
class Prices {
 public:
  Prices(const MachineConfig& config, const std::vector<int>& cores, const rcce::GenerationCosts& library)
      : config_(config),
        costs_(config, 0, mesh::Reservation::For::simulator),
        element_cycles_(library.element),
        cores_(cores) {
    core_ = &costs_.core_state(cores.front());
    for (const int core : cores) // the one that is nearest to memory
      if (costs_.core_state(core).dram_line < core_->dram_line) core_ = &costs_.core_state(core);
  }

  /// For which a core waits that writes a line to a buffer, wherever that is.
  [[nodiscard]] double write() const { return number(costs_.write_line(*core_)); }
  /// A line of a buffer that is so many hops away or further.
  [[nodiscard]] double read(int hops) const {
    const double here = number(costs_.line_read(*core_, hops));
    return hops == 0 ? std::min(here, read(1)) : here;
  }
  [[nodiscard]] double way(int hops) const {
    return number(costs_.mesh_cycles(config_.router_cycles * hops));
  }
  /// From the beginning of a write of a line to the end of a read of it, by cores that far apart.
  [[nodiscard]] double told(int hops) const {
    const double near = one_way(hops) + seen_at(0);
    return write() + std::min(near, way(std::max(hops, 1)) + seen_at(1) - one_way(1));
  }
  /// From the end of a write of a line to the end of a read of it at least.
  [[nodiscard]] double heard() const { return told(0) - write(); }
  /// A read of a test-and-set register, which is a signal, too: it takes it at its beginning, `way` hops
  /// away.
  [[nodiscard]] double register_read() const {
    double least = number(costs_.lock_read(*core_, number_of(*core_)).ends);
    for (const int other : cores_) least = std::min(least, own_part(costs_.lock_read(*core_, other)));
    return least;
  }
  /// From the beginning of an access to an atomic counter to the end of another's that sees it.
  [[nodiscard]] double counted() const {
    double least = number(costs_.counter(*core_).ends);
    for (const int core : cores_)
      least = std::min(least, number(costs_.counter(costs_.core_state(core)).ends));
    return least;
  }
  /// From one such access to the next one that the system interface serves.
  [[nodiscard]] double counter_service() const {
    return config_.contention ? number(costs_.mesh_cycles(config_.counter_service_cycles)) : 0;
  }

  /// The elements of so many bytes: they may be told of 8 bytes at a time.
  [[nodiscard]] double combine(double bytes) const {
    constexpr double longest = 8;
    return bytes / longest * number(element_cycles_ * core_->cycle);
  }
  [[nodiscard]] double combine_one() const { return number(element_cycles_ * core_->cycle); }

  /// Private side of a copy of so many lines: those that the caches can have held before, then the others.
  /// `stored`: the lines are written, and leave the caches for others later.
  [[nodiscard]] double memory(double lines, bool stored) const {
    return in_caches(lines, stored ? stored_line() : read_line());
  }
  /// Private side of a copy of so many lines, each read or stored, whichever is cheaper.
  [[nodiscard]] double any_memory(double lines) const {
    return in_caches(lines, cheaper(stored_line(), read_line()));
  }
  [[nodiscard]] double beyond_caches(double lines) const {
    return std::max(0.0, lines - l1_lines() - l2_lines());
  }
  /// The least cost of these lines beyond the first-level cache, however they are read or stored to, once
  /// each; the caches can have held as many as above.
  [[nodiscard]] double far_memory(double lines) const {
    const LinePrices line = cheaper(cheaper(stored_line(), read_line()), loaded_line(0));
    return in_caches(lines, {0, std::max(0.0, line.l2 - line.near), std::max(0.0, line.dram - line.near)});
  }
  [[nodiscard]] double near_memory() const { return std::min(stored_line().near, read_line().near); }
  /// A line through a memory controller.
  [[nodiscard]] double controller_line() const {
    return mesh::line_bytes * 1000.0 / config_.controller_gb_per_s;
  }
  /// A line through the port of a buffer.
  [[nodiscard]] double port_line() const { return number(config_.mpb_port_cycles * core_->cycle); }

 private:
  using Found = mesh::SccCosts::Found;
  /// Prices of a line that is found in the first-level cache, in the second-level cache, in memory.
  struct LinePrices {
    double near, l2, dram;
  };
  static constexpr auto lines_of_page =
      static_cast<std::int64_t>(mesh::AddressSpace::page_bytes / mesh::line_bytes);
  static constexpr double words_of_line = mesh::line_bytes / 4;

  [[nodiscard]] static double number(Picoseconds time) { return static_cast<double>(time); }
  [[nodiscard]] int number_of(const mesh::SccCosts::CoreState& core) const {
    return static_cast<int>(costs_.number_of(core));
  }
  [[nodiscard]] static double own_part(const mesh::SccCosts::Moments& access) {
    return number(access.ends - 2 * access.acts);
  }
  [[nodiscard]] double one_way(int hops) const { return number(costs_.one_way(hops)); }
  [[nodiscard]] double seen_at(int hops) const {
    return number(costs_.line_read(*core_, hops)) - one_way(hops);
  }
  [[nodiscard]] double work(Found found) const { return number(costs_.line_work(*core_, found).time); }
  [[nodiscard]] double cycles(double n) const { return n * number(core_->cycle); }

  [[nodiscard]] static LinePrices cheaper(const LinePrices& a, const LinePrices& b) {
    return {std::min(a.near, b.near), std::min(a.l2, b.l2), std::min(a.dram, b.dram)};
  }
  /// Loaded a word at a time, and worked on for so many cycles.
  [[nodiscard]] LinePrices loaded_line(double worked) const {
    const double near = work(Found::l1) + cycles(worked);
    return {near, near + cycles(static_cast<double>(config_.l2_read_cycles)),
            near + number(core_->dram_line)};
  }
  /// Read by a copy to a buffer, or by rcce_copy() before that.
  [[nodiscard]] LinePrices read_line() const {
    return cheaper({work(Found::l1), work(Found::l2), work(Found::dram)},
                   loaded_line(words_of_line * rcce::private_copy_word_cycles));
  }
  /// Written by a copy from a buffer, prefetching or plain, or by rcce_copy() behind that, likewise.
  [[nodiscard]] LinePrices stored_line() const {
    constexpr double word_cycles = rcce::private_copy_word_cycles;
    const double written_back = cycles(static_cast<double>(config_.dram_write_back_cycles));
    LinePrices loaded = loaded_line(words_of_line * word_cycles);
    loaded.dram += written_back;
    const auto by_words = [&](double transfer) {
      return work(Found::l1) + words_of_line * std::max(0.0, transfer - cycles(word_cycles));
    };
    const LinePrices words{work(Found::l1), by_words(cycles(static_cast<double>(config_.l2_read_cycles))),
                           by_words(number(core_->dram_line))};
    const LinePrices copied =
        cheaper({work(Found::l1), work(Found::l2), work(Found::dram) + written_back},
                {work(Found::store_l1), work(Found::store_l2), work(Found::store_dram)});
    return cheaper(copied, cheaper(loaded, words));
  }

  /// The price of so many lines, as many of them as possible in the cheapest place.
  [[nodiscard]] double in_caches(double lines, const LinePrices& line) const {
    const double l2 = std::min(line.l2, line.dram), near = std::min(line.near, l2);
    const double first = std::min(lines, l1_lines()), second = std::min(lines - first, l2_lines());
    return first * near + second * l2 + beyond_caches(lines) * line.dram;
  }
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

  const MachineConfig& config_;
  mesh::SccCosts costs_;
  const mesh::Cycles element_cycles_;
  const std::vector<int>& cores_;
  const mesh::SccCosts::CoreState* core_;
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
        prices_(config, cores_, point.machine->costs.of(point.generation == Generation::rcce20 ? 20 : 10)),
        by_copies_(shortest_message() > most_bytes_beside_flags ? 1 : 0) {}

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
    if (operation == "barrier") barrier();
    return std::move(limit_);
  }

 private:
  void bcast() {
    const double others = ranks_ - 1;
    add("distance", prices_.told(farthest_from(point_.root).hops));
    add("looks", spread());
    add("root", lines_ * prices_.write() + memory(lines_, false) + prices_.heard());
    add("receiver", first_got() + lines_ * prices_.read(0) + memory(lines_, true));
    add("work", (memory(lines_, false) + lines_ * handed_out() + others * memory(lines_, true)) / ranks_);
    add("controllers", through_controllers(0, prices_.beyond_caches(lines_)));
    add("ports", through_ports(lines_, others * lines_));
  }

  void reduce() {
    const double others = ranks_ - 1;
    add("distance", prices_.told(farthest_from(point_.root).hops));
    add("sender", lines_ * (prices_.write() + near()) + far(lines_) + prices_.heard());
    add("root", first_got() + lines_ * (prices_.read(0) + near()) + far(2 * lines_));
    add("work", others * lines_ * (prices_.write() + near() + brought_together()) / ranks_ + far(lines_));
    add("controllers", through_controllers(prices_.beyond_caches(2 * lines_), prices_.beyond_caches(lines_)));
    add("ports", through_ports(others * lines_, others * lines_));
    add("depth", depth());
  }

  void allreduce() {
    const double others = ranks_ - 1;
    add("distance", prices_.told(widest()));
    const double memory = far(2 * lines_);
    add("each", lines_ * (prices_.write() + prices_.read(0) + 2 * near()) + memory);
    add("work",
        lines_ * (others * (prices_.write() + near() + brought_together()) + handed_out() + others * near()) /
                ranks_ +
            memory);
    add("controllers", through_controllers(2 * lines_));
    add("ports", through_ports(ranks_ * lines_, 2 * others * lines_));
    add("depth", depth());
  }

  void gather() {
    add("distance", prices_.told(farthest_block()));
    add("sender", put(longest_of_others()) + prices_.heard());
    add("root", first_got() + got(bytes() - block(point_.root)));
    const double moved = (bytes() - block(point_.root)) / mesh::line_bytes;
    add("ports", through_ports(moved, moved));
  }

  void scatter() {
    add("distance", prices_.told(farthest_block()));
    add("root", put(bytes() - block(point_.root)) + prices_.heard());
    add("receiver", first_got() + got(longest_of_others()));
    const double moved = (bytes() - block(point_.root)) / mesh::line_bytes;
    add("ports", through_ports(moved, moved));
  }

  void allgather() {
    add("distance", prices_.told(from_owner()));
    for (const double own : longest_and_shortest()) add("each", put_and_got(own, bytes() - own));
    const double handed = bytes() / mesh::line_bytes * handed_out();
    const double sent = block(0), received = bytes() - block(point_.cores - 1);
    add("work",
        memory(sent / mesh::line_bytes, false) + memory(received / mesh::line_bytes, true) + handed / ranks_);
    add("controllers", through_controllers(bytes() / mesh::line_bytes));
    add("ports", through_ports(bytes() / mesh::line_bytes, (ranks_ - 1) * bytes() / mesh::line_bytes));
  }

  void alltoall() {
    add("distance", prices_.told(from_owner()));
    for (const double own : longest_and_shortest())
      add("each", put_and_got(bytes() - own, (ranks_ - 1) * own));
    add("controllers",
        through_controllers((bytes() - block(point_.cores - 1) + (ranks_ - 1) * block(0)) /
                            mesh::line_bytes));
    const double moved = (ranks_ - 1) * bytes() / mesh::line_bytes;
    add("ports", through_ports(moved, moved));
  }

  void reduce_scatter() {
    add("distance", prices_.told(from_owner()));
    for (const double own : longest_and_shortest())
      add("each",
          lines_of(bytes() - own) * (prices_.write() + near()) + lines_of(own) * (prices_.read(0) + near()) +
              far(lines_of(bytes()) + lines_of(own)));
    const double joined = bytes() / mesh::line_bytes * (prices_.write() + prices_.read(0) + 2 * near()) +
        prices_.combine(bytes());
    add("work", (ranks_ - 1) * joined / ranks_ + far(lines_of(bytes()) + lines_of(block(0))));
    add("controllers", through_controllers((bytes() + block(0)) / mesh::line_bytes));
    const double moved = (ranks_ - 1) * bytes() / mesh::line_bytes;
    add("ports", through_ports(moved, moved));
    add("depth", depth(static_cast<double>(element_bytes(point_.type))));
  }

  void scan() {
    add("distance", prices_.told(widest()));
    const double sent = lines_ * (prices_.write() + near()), received = lines_ * (prices_.read(0) + near());
    const double memory = far(2 * lines_);
    add("sender", sent + memory + prices_.heard());
    add("receiver", first_got() + received + memory);
    if (ranks_ > 2) add("each", sent + received + memory);
    add("work", (ranks_ - 1) * (sent + lines_ * brought_together()) / ranks_ + memory);
    add("controllers", through_controllers(2 * lines_));
    add("ports", through_ports((ranks_ - 1) * lines_, (ranks_ - 1) * lines_));
    add("depth", depth());
  }

  void barrier() {
    const int hops = widest();
    add("distance",
        std::min({prices_.told(hops), prices_.way(hops) + prices_.register_read(), prices_.counted()}));
    add("looks", looks());
  }

  /// When a core begins at the latest with its first get, of a line that another has put first, so that it
  /// ends no earlier than it can.
  [[nodiscard]] double first_got() const { return std::max(0.0, prices_.told(0) - prices_.read(0)); }

  /// A core's price of putting so many bytes of its own, and of getting and storing so many bytes of others.
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
        std::max(memory(out, false) + memory(in, true), by_copies_ * prices_.any_memory(out + in));
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
      if (block(rank) > 0) hops = std::max(hops, hops_between(tile_of(point_.root), tile_of(rank)));
    return hops;
  }
  [[nodiscard]] static double lines_of(double bytes) { return std::ceil(bytes / mesh::line_bytes); }
  /// Hops between two ranks, as far apart as there are, of which one has a block that is not empty.
  [[nodiscard]] int from_owner() const {
    return block(0) > 0 ? widest() : farthest_from(point_.cores - 1).hops;
  }
  [[nodiscard]] double shortest_message() const { return point_.operation().has_blocks ? block(0) : bytes(); }

  /// Adds a term. Of several terms of one name the largest stays.
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
    return prices_.read(0) + near() + prices_.combine(bytes() / lines_);
  }

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
        ++own[static_cast<std::size_t>(hops_between(mesh::TileId{from}, mesh::TileId{to}))];
      for (std::size_t i = 0; i < own.size(); ++i) at_hops_[i] = std::max(at_hops_[i], own[i]);
    }
  }

  struct Far {
    int rank, hops;
  };
  /// In the direction in which they are fewer: links of a graph may go one way.
  [[nodiscard]] int hops_between(mesh::TileId a, mesh::TileId b) const {
    const int there = topology_.hops(a, b);
    return topology_.is_grid() ? there : std::min(there, topology_.hops(b, a));
  }
  [[nodiscard]] mesh::TileId tile_of(int rank) const {
    return topology_.tile_of(mesh::CoreId{cores_[static_cast<std::size_t>(rank)]});
  }
  [[nodiscard]] Far farthest_from(int rank) const {
    Far far{rank, 0};
    for (int other = 0; other < point_.cores; ++other)
      if (const int hops = hops_between(tile_of(rank), tile_of(other)); hops > far.hops) far = {other, hops};
    return far;
  }
  /// Two ranks that far apart there are.
  [[nodiscard]] int widest() const { return farthest_from(farthest_from(0).rank).hops; }

  /// The time of the busiest memory controller if each rank reads or stores so many lines once.
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

  /// The time of the ports of the ranks' tiles, if so many lines are put and got through them. A port keeps
  /// only the next line waiting, so the last one is free; a wait for a flag goes past it, with what its line
  /// brings.
  [[nodiscard]] double through_ports(double puts, double gets) const {
    if (!config_.contention) return 0;
    std::set<int> tiles;
    for (int rank = 0; rank < point_.cores; ++rank) tiles.insert(index(tile_of(rank)));
    const double lines = (puts + by_copies_ * gets) / static_cast<double>(tiles.size());
    return std::max(0.0, lines - 1) * prices_.port_line();
  }

  /// Until the operands of all can have come together in one core, if everything else were free: what a core
  /// knows at a time is what it knew before it looked last, and what that line brought.
  [[nodiscard]] double depth() const {
    return depth(lines_ < 2 ? bytes() : static_cast<double>(element_bytes(point_.type)), bytes());
  }
  /// The depth for so many bytes of each operand.
  [[nodiscard]] double depth(double operand) const { return depth(operand, operand); }
  /// `combined`: bytes that are combined at each look; `operand`: those of one rank, of which as many come in
  /// a line as fit.
  [[nodiscard]] double depth(double combined, double operand) const {
    const double in_one_line = std::max(1.0, std::floor(static_cast<double>(mesh::line_bytes) / operand));
    const double combining = std::max(prices_.combine_one(), prices_.combine(combined));
    const Steps look = steps(prices_.read(0) + combining), age = steps(prices_.told(0) + combining);
    return until_all_known([&](const Known& known) { return known(look) + in_one_line * known(age); });
  }

  /// A core hears of others by looks at lines, registers and counters, one after the other. A line brings
  /// what as many cores have known as it has bits, when they began to write to it; a register what one has
  /// known; a counter what all have known that the system interface has served by then.
  [[nodiscard]] double looks() const {
    constexpr double bits = 8.0 * mesh::line_bytes;
    const Steps line = steps(prices_.read(0)), told = steps(prices_.told(0)),
                taken = steps(prices_.register_read()), counted = steps(prices_.counted());
    const double service = prices_.counter_service();
    return until_all_known([&](const Known& known) {
      const double others = service > 0 ? std::floor(known.time() / service) + 1 : ranks_;
      return std::max(
          {known(line) + bits * known(told), 2 * known(taken), known(counted) + others * known(counted)});
    });
  }

  /// One line of the root's comes to all: whoever has it can put it into a buffer, one after the other, and
  /// the port of a buffer gives it to one reader after the other.
  [[nodiscard]] double spread() const {
    const double service = prices_.port_line() / 1000, put = prices_.write() / 1000;
    const Steps told = steps(prices_.told(0));
    if (!config_.contention || told == 0 || service == 0 || put == 0) return 0;
    std::vector<double> begun; // puts, by step
    double have = 1, had = 0, given = 0;
    for (Steps now = 0;; ++now) {
      if (now >= told) {
        given += begun[now - told];
        have = 1 + begun[now - told] + given / service;
      }
      if (have >= ranks_) return 1000.0 * static_cast<double>(now);
      had += have;
      begun.push_back(have + had / put);
    }
  }

  /// Time in nanoseconds.
  using Steps = std::size_t;
  [[nodiscard]] static Steps steps(double picoseconds) { return static_cast<Steps>(picoseconds / 1000); }
  /// How many operands a core can have heard of at each step until now.
  class Known {
   public:
    /// So long ago: before the beginning nothing. Where a look takes no time nobody knows a bound.
    [[nodiscard]] double operator()(Steps ago) const {
      if (ago == 0) return std::numeric_limits<double>::infinity();
      return ago <= now() ? at_[now() - ago] : 0;
    }
    [[nodiscard]] double time() const { return 1000.0 * static_cast<double>(now()); } ///< picoseconds
    void add(double known) { at_.push_back(known); }

   private:
    [[nodiscard]] Steps now() const { return at_.size(); }
    std::vector<double> at_;
  };
  /// `rule`: how many it knows now, by its last look.
  template <class Rule>
  [[nodiscard]] double until_all_known(Rule&& rule) const {
    Known known;
    for (double last = 1;; known.add(last)) {
      last = std::max(last, rule(known));
      if (last >= ranks_) return known.time();
    }
  }

  const Point& point_;
  const MachineConfig& config_;
  const Topology topology_;
  const std::vector<int> cores_;
  const double ranks_, lines_;
  const Prices prices_;
  const double by_copies_; ///< 1: the message goes through private memory by copies; 0: it need not
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
