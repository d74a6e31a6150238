// SPDX-License-Identifier: Apache-2.0
// What every access to the simulated SCC costs its core as long as nobody stands in the way: where things
// are, the clocks, the caches and private memory of each core, and the memory itself. Here stands every rule
// of access: when it acts, when its core goes on, what it does to the caches, how loops of looks go round.
// Knows neither who acts next nor what waits for what: machine.hpp adds order and contention; an engine on
// operating-system threads adds its own order. What is modelled and what is not: machine.hpp.
//
// Functions that take a CoreState change that core's state only, so that several threads may use one object,
// each for a core of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh_sim/machines/scc/config.hpp"
#include "mesh_sim/parts/access.hpp"
#include "mesh_sim/parts/address_space.hpp"
#include "mesh_sim/parts/cache.hpp"
#include "mesh_sim/parts/own_accesses.hpp"
#include "mesh_sim/parts/reservation.hpp"
#include "mesh_sim/parts/topology.hpp"

namespace mesh {

class SccCosts {
 public:
  /// The place of a line on a copy's private side.
  enum class Found : std::uint8_t {
    l1,         ///< read: in L1
    l2,         ///< read: in L2
    dram,       ///< read: in no cache
    dram_dirty, ///< ... and a modified line makes room in L2
    store_l1,   ///< stored to word by word: in L1
    store_l2,   ///< ... in L2
    store_dram, ///< ... in no cache
    mpb,        ///< no private memory at all
  };
  /// Lines of a copy, one behind the other, of which the same was found.
  struct Extent {
    std::uint32_t lines;
    Found found;
  };
  using Extents = std::vector<Extent>;
  struct CoreState {
    CoreState(const MachineConfig& config, int core, const Topology& topology, Cache::Tag* tags);
    TileId tile;
    int controller;
    Picoseconds cycle = 0;     ///< period of the tile clock
    Picoseconds dram_line = 0; ///< read of a line, or of an uncached word
    Cache l1, l2;
    AddressSpace memory;
    Extents extents;     ///< extents of the last copy
    bool active = false; ///< has used its caches
    std::uint64_t lines_put = 0, lines_got = 0, l2_hits = 0, dram_lines = 0, write_backs = 0;
    std::uint64_t stored_lines = 0; ///< part of dram_lines: words that its own code stores there
    // What its own code has had from memory since that was charged last: lines fetched, words stored.
    std::uint64_t own_lines = 0, own_words = 0;
    Picoseconds own_l2_time = 0; ///< time of access() for lines of the second-level cache
  };
  enum class MemoryPlacement : std::uint8_t { priv, mpb, shared };
  struct RouteCost { ///< how lines get to and from an MPB
    TileId tile;
    Picoseconds one_way; ///< request or store, without waiting
    Picoseconds read;    ///< whole read of a line, without waiting
  };
  /// An access, both from its issue and without waiting.
  struct Moments {
    Picoseconds acts; ///< when it looks at the buffer or register, or can be seen there
    Picoseconds ends; ///< when its core goes on
    /// Time that the access is still on its way after the core has gone on.
    [[nodiscard]] Picoseconds flight() const noexcept { return acts - ends; }
  };
  enum class Words : std::uint8_t { none, loaded, stored };
  struct Work { ///< private side of a segment
    Picoseconds time = 0;
    std::uint32_t dram = 0;    ///< lines that pass the memory controller
    Picoseconds fetch = 0;     ///< if a modified line leaves first: time until the line itself is fetched
    Words words = Words::none; ///< if its lines are words, each a packet behind the one before
  };
  /// A loop that reads a word again and again.
  struct PollingLoop {
    Picoseconds start = 0;  ///< issue of the first poll
    Picoseconds period = 0; ///< from one issue to the next
    Picoseconds sample = 0; ///< from issue until the request looks at the memory
    Picoseconds finish = 0; ///< from issue until the core goes on after the poll that sees its condition met

    /// When the core goes on if its condition can be seen from `at` on.
    [[nodiscard]] Picoseconds end(Picoseconds at) const noexcept {
      const Picoseconds late = at - (start + sample);
      const Picoseconds polls = late <= 0 ? 0 : (late + period - 1) / period;
      return start + polls * period + finish;
    }
  };

  /// A loop that reads an atomic counter, with longer and longer pauses.
  struct CounterLoop {
    Moments read;
    Picoseconds pause, longest;
    Picoseconds issue; ///< issue of the present read
    [[nodiscard]] Picoseconds acts() const noexcept { return issue + read.acts; }
    void next() noexcept {
      issue += read.ends + pause;
      pause = std::min(2 * pause, longest);
    }
  };

  /// `memories`: who addresses the buffers and the shared memory.
  SccCosts(const MachineConfig& config, std::size_t shared_bytes,
           Reservation::For memories = Reservation::For::programs);
  SccCosts(const SccCosts&) = delete;
  SccCosts& operator=(const SccCosts&) = delete;

  [[nodiscard]] const Topology& topology() const noexcept { return topology_; }
  [[nodiscard]] const MachineConfig& config() const noexcept { return config_; }
  [[nodiscard]] std::byte* mpb(int core) noexcept {
    return mpbs_.data() + static_cast<std::size_t>(core) * mpb_bytes_;
  }
  [[nodiscard]] std::size_t mpb_bytes() const noexcept { return mpb_bytes_; }
  [[nodiscard]] std::byte* shared_memory() noexcept { return shared_.data(); }
  [[nodiscard]] std::size_t shared_memory_bytes() const noexcept { return shared_.size(); }

  void map_private(int core, const void* base, std::size_t bytes);

  /// Sets the clock of a core; returns its period.
  Picoseconds set_core_clock(int core, int divider) noexcept;
  /// An access of a core, of that period, to memory behind a controller, so many mesh cycles there and back,
  /// which reads or writes its memory so often.
  [[nodiscard]] static Picoseconds dram_access(const MachineConfig& config, Picoseconds core_cycle,
                                               Cycles there_and_back, int reads_and_writes = 1) noexcept {
    return config.dram_core_cycles * core_cycle + there_and_back * period(config.mesh_clock_mhz) +
        reads_and_writes * config.dram_ram_cycles * period(config.dram_clock_mhz / 2);
  }
  [[nodiscard]] CoreState& core_state(int core) noexcept { return cores_[static_cast<std::size_t>(core)]; }
  [[nodiscard]] const CoreState& core_state(int core) const noexcept {
    return cores_[static_cast<std::size_t>(core)];
  }
  [[nodiscard]] std::size_t number_of(const CoreState& core) const noexcept {
    return static_cast<std::size_t>(&core - cores_.data());
  }
  /// A core that is about to use its caches. What never leaves them is put there at the first use only: of
  /// ten thousand cores those that do nothing shall take no memory.
  CoreState& active(int id) noexcept {
    CoreState& core = core_state(id);
    if (!core.active) first_use(core);
    return core;
  }

  /// Throws UserError where these are no bytes of an MPB.
  void check(int target, std::size_t offset, std::size_t bytes) const {
    if (target < 0 || target >= core_count_ || offset > mpb_bytes_ || bytes > mpb_bytes_ - offset)
      refuse(target, offset, bytes);
  }
  [[nodiscard]] Picoseconds mesh_cycles(Cycles n) const noexcept { return n * mesh_cycle_; }
  /// From one tile to another, and back again, without waiting.
  struct WayTime {
    Picoseconds there, both;
  };
  [[nodiscard]] WayTime way(TileId from, TileId to) const noexcept {
    if (ways_.empty()) [[unlikely]]
      return find_way(from, to);
    return ways_[static_cast<std::size_t>(index(from) * topology_.tiles() + index(to))];
  }
  [[nodiscard, gnu::always_inline]] RouteCost route_cost(const CoreState& core, int target) const noexcept {
    const TileId tile = topology_.tile_of(CoreId{target});
    if (tile == core.tile) return {tile, one_way(0), line_read(core, 0)};
    const WayTime way = this->way(core.tile, tile);
    return {tile, way.there, (config_.mpb_read_cycles + config_.mpb_remote_cycles) * core.cycle + way.both};
  }
  /// No RouteCost::one_way is longer.
  [[nodiscard]] Picoseconds longest_way() const noexcept {
    return std::max(mesh_cycles(topology_.most_cycles(config_.router_cycles)),
                    mesh_cycles(config_.mpb_local_mesh_cycles));
  }
  /// To an MPB at so many hops, on no route in particular, without waiting; and the read of a line from it.
  [[nodiscard]] Picoseconds one_way(int hops) const noexcept {
    return hops == 0 ? mesh_cycles(config_.mpb_local_mesh_cycles) / 2
                     : mesh_cycles(config_.router_cycles * hops);
  }
  [[nodiscard]] Picoseconds line_read(const CoreState& core, int hops) const noexcept {
    if (hops == 0) return config_.mpb_read_cycles * core.cycle + mesh_cycles(config_.mpb_local_mesh_cycles);
    return (config_.mpb_read_cycles + config_.mpb_remote_cycles) * core.cycle +
        2 * mesh_cycles(config_.router_cycles * hops);
  }
  [[nodiscard]] MemoryPlacement place_of(const void* address) const noexcept {
    if (mpbs_.contains(address)) return MemoryPlacement::mpb;
    if (shared_.contains(address)) return MemoryPlacement::shared;
    return MemoryPlacement::priv;
  }
  /// The place in an MPB of an address.
  struct Spot {
    int core; ///< whose MPB
    std::size_t offset;
  };
  [[nodiscard]] Spot spot_of(const void* address) const noexcept {
    const auto at = static_cast<std::size_t>(static_cast<const std::byte*>(address) - mpbs_.data());
    return {static_cast<int>(at / mpb_bytes_), at % mpb_bytes_};
  }

  /// Private side of a copy; moves the lines through the core's caches.
  Work read_private(CoreState& core, const void* address, std::size_t bytes) {
    return total(core, find_read(core, address, bytes));
  }
  Work write_private(CoreState& core, const void* address, std::size_t bytes, Copy how) {
    core.extents.clear();
    find_written(core, address, bytes, how);
    return total(core, core.extents);
  }
  /// Accesses of the program's own code. Of a loop the lines that it comes to, in its order, each once. With
  /// 0 rounds each stream is one load or store, one after the other. Loads are of a word, or of all lines
  /// where they are longer. A store of at most 8 bytes is one transfer, longer ones are one for each 4 bytes;
  /// a line that lies in no cache is not fetched. A transfer takes as long as a load from there, of which
  /// what the core works until the next one is hidden (rcce_emu/instruction_costs.hpp says why). Accesses to
  /// MPBs are left out: MessageBuffers::own_load() and own_store() are for these.
  Picoseconds access(CoreState& core, std::uint64_t rounds, std::span<const AccessStream> streams,
                     KnownLines& known) {
    const std::uint64_t before = core.dram_lines - core.stored_lines;
    core.own_l2_time = 0;
    const Picoseconds time =
        rounds == 0 ? access_each(core, streams, known) : access_in_loop(core, rounds, streams, known);
    core.own_lines += core.dram_lines - core.stored_lines - before;
    known.note_l2_time(core.own_l2_time);
    return time;
  }
  /// The side of a copy that is not the MPB given by core and offset.
  Work other_side(CoreState& core, const void* address, std::size_t bytes, bool write, Copy how);

  /// The same of the program's own memcpy(), as far as it takes more than lines that are near.
  Work own_side(CoreState& core, const void* address, std::size_t bytes, bool write) {
    if (place_of(address) == MemoryPlacement::mpb) return {}; // its lines are told of by themselves
    Work work = other_side(core, address, bytes, write, Copy::plain);
    work.time =
        std::max<Picoseconds>(0, work.time - static_cast<Picoseconds>(lines_of(bytes)) * near_line(core));
    return work;
  }
  /// The same for a copy from an MPB, from its `offset` to `target`, whose lines go through the first-level
  /// cache, too.
  Work take_lines(CoreState& core, std::size_t offset, const void* target, std::size_t bytes, Copy how);

  /// The same for private memory, line by line, at whatever speed the core runs when their turn comes: valid
  /// until the core's next access.
  const Extents& find_read(CoreState& core, const void* address, std::size_t bytes);
  const Extents& find_taken(CoreState& core, std::size_t offset, const void* target, std::size_t bytes,
                            Copy how);
  /// The same where the other side is another MPB.
  const Extents& find_mpb(CoreState& core, std::size_t offset, std::size_t bytes, bool reading);
  /// The cost of one such line; not for lines of an MPB, whose route decides.
  [[nodiscard]] Work line_work(const CoreState& core, Found found) const noexcept;
  /// That of all.
  [[nodiscard]] Work total(const CoreState& core, const Extents& extents) const noexcept;

  /// Private side of a line that is near.
  [[nodiscard]] Picoseconds near_line(const CoreState& core) const noexcept {
    return config_.l1_line_cycles * core.cycle;
  }
  /// MPB side of a line that leaves the core.
  [[nodiscard]] Picoseconds write_line(const CoreState& core) const noexcept {
    return config_.mpb_write_cycles * core.cycle;
  }
  /// MPB side of the lines of a copy.
  [[nodiscard]] Picoseconds copy(const CoreState& core, const RouteCost& path, std::size_t lines,
                                 bool reading) const noexcept {
    return static_cast<Picoseconds>(lines) * (reading ? path.read : write_line(core));
  }
  /// A store of at most one line to an MPB.
  [[nodiscard]] Moments store(const CoreState& core, const RouteCost& path) const noexcept {
    return {write_line(core) + path.one_way, write_line(core)};
  }
  /// A read of at most one line of an MPB.
  [[nodiscard]] static Moments load(const RouteCost& path) noexcept { return {path.one_way, path.read}; }
  /// The effect of a load on the core's cache: lines of MPBs leave it before each read.
  static void load_into_cache(CoreState& core, std::size_t offset) {
    core.l1.invalidate_mpb();
    core.l1.read_mpb(offset, 1);
  }
  /// The effect on the cache of the first round of polls of words of one MPB. Returns the time of a round, of
  /// which `overhead` core cycles come before the polls. Throws UserError if a word is outside.
  Picoseconds begin_polls(CoreState& core, int source, const RouteCost& path,
                          std::span<const PollTarget> looks, Cycles overhead) const {
    core.l1.invalidate_mpb();
    Picoseconds period = overhead * core.cycle;
    for (const PollTarget& look : looks) {
      check(source, look.offset, look.condition.bytes);
      core.l1.read_mpb(look.offset, 1);
      period += look.overhead * core.cycle + path.read;
    }
    return period;
  }
  /// The looks of a round that begins at `round`: calls sees(i, issue) for one after the other until it
  /// returns true. Returns the issue of that look, or when the next round begins.
  template <class Sees>
  [[gnu::always_inline]] static Picoseconds round_of_polls(const CoreState& core, const RouteCost& path,
                                                           std::span<const PollTarget> looks, Cycles overhead,
                                                           Picoseconds round, Sees&& sees) {
    round += overhead * core.cycle;
    for (std::size_t i = 0; i < looks.size(); ++i) {
      round += looks[i].overhead * core.cycle;
      if (sees(i, round)) break;
      round += path.read;
    }
    return round;
  }
  /// The loop that reads a word of an MPB until it has a value; `overhead` core cycles come before each look.
  [[nodiscard]] static PollingLoop flag_loop(const CoreState& core, const RouteCost& path, Cycles overhead,
                                             Picoseconds start) noexcept {
    const Picoseconds period = path.read + overhead * core.cycle;
    return {start, period, overhead * core.cycle + path.one_way, period};
  }

  /// A read of a test-and-set register, which takes it, and its reset, which is two round trips: see
  /// lock_release_cycles.
  [[nodiscard]] Moments lock_read(const CoreState& core, int core_of_lock) const noexcept;
  [[nodiscard]] Moments lock_reset(const CoreState& core, int core_of_lock) const noexcept;
  /// The loop that reads a taken register; it goes on at the issue of the read that will find it free.
  [[nodiscard]] PollingLoop lock_loop(const CoreState& core, int core_of_lock,
                                      Picoseconds start) const noexcept;
  /// An access to an atomic counter.
  [[nodiscard]] Moments counter(const CoreState& core) const noexcept;
  /// The tile at which the chip's system interface is, with the counters behind it: in the middle of the
  /// lowest row; where there is none, the first one.
  [[nodiscard]] TileId interface_tile() const noexcept {
    const int x = topology_.columns() / 2;
    return topology_.contains(x, 0) ? topology_.tile_at(x, 0) : TileId{0};
  }
  [[nodiscard]] CounterLoop counter_loop(const CoreState& core, Backoff pauses,
                                         Picoseconds issue) const noexcept;
  [[nodiscard]] int counters() const noexcept { return 2 * topology_.cores(); }

 private:
  class StreamWalk;
  class EvenWalks;
  Picoseconds access_each(CoreState& core, std::span<const AccessStream> accesses, KnownLines& known);
  Picoseconds access_once(CoreState& core, const AccessStream& access, KnownLines& known);
  Picoseconds access_long(CoreState& core, const AccessStream& access);
  Picoseconds access_in_loop(CoreState& core, std::uint64_t rounds, std::span<const AccessStream> streams,
                             KnownLines& known);
  Picoseconds stall_of(CoreState& core, const AccessStream& store, Picoseconds time,
                       Picoseconds in_l2) noexcept;
  Picoseconds load_line(CoreState& core, std::uint64_t line);
  Picoseconds store_line(CoreState& core, std::uint64_t line);
  [[noreturn]] void refuse(int target, std::size_t offset, std::size_t bytes) const;
  void first_use(CoreState& core) noexcept;
  [[nodiscard]] WayTime find_way(TileId from, TileId to) const noexcept;
  void find_lines(CoreState& core, const void* address, std::size_t bytes, bool store);
  void find_written(CoreState& core, const void* address, std::size_t bytes, Copy how);
  template <class Visit>
  void for_each_run(CoreState& core, const void* address, std::size_t bytes, Visit&& visit);
  /// The cost of an access to a register: the route there, and the cycles beside the routes.
  struct RegisterCost {
    WayTime way;
    Picoseconds own;
  };
  [[nodiscard]] RegisterCost register_cost(const CoreState& core, int core_of_lock,
                                           Cycles cycles) const noexcept;

  MachineConfig config_;
  Topology topology_;
  int core_count_;
  std::size_t mpb_bytes_;
  Picoseconds mesh_cycle_;
  Reservation mpbs_, shared_;
  std::vector<CoreState> cores_;
  Reservation tags_;
  std::vector<WayTime> ways_; ///< by both tiles, of a mesh small enough for the host's caches
};

} // namespace mesh
