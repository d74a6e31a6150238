// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/scc/costs.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "mesh_sim/errors.hpp"

namespace mesh {

namespace {

/// Copies are charged for as many private lines as they fill, from the line of their first byte on. The
/// further line that an unaligned copy touches is left out: where a compiler puts an array must not show in
/// communication times.
const std::byte* line_start(const void* address) {
  return static_cast<const std::byte*>(address) - reinterpret_cast<std::uintptr_t>(address) % line_bytes;
}

// Shared memory is laid out over the controllers in slots of 16 MB, one table entry of the chip each.
constexpr std::size_t shared_slot_bytes = std::size_t{16} << 20;

} // namespace

SccCosts::CoreState::CoreState(const MachineConfig& config, int core, const Topology& topology,
                               Cache::Tag* tags)
    : tile(topology.tile_of(CoreId{core})),
      controller(topology.controller_of(tile)),
      l1(static_cast<std::size_t>(config.l1_bytes), static_cast<std::size_t>(config.l1_ways), tags),
      l2(static_cast<std::size_t>(config.l2_bytes), static_cast<std::size_t>(config.l2_ways),
         tags +
             Cache::tag_words(static_cast<std::size_t>(config.l1_bytes),
                              static_cast<std::size_t>(config.l1_ways))),
      memory(config.frames == "random" ? Frames::random : Frames::contiguous,
             static_cast<std::uint64_t>(config.frame_seed) * 65536 + static_cast<std::uint64_t>(core)) {}

SccCosts::SccCosts(const MachineConfig& config, std::size_t shared_bytes, Reservation::For memories)
    : config_(config),
      topology_(config.make_topology()),
      core_count_(topology_.cores()),
      mpb_bytes_(static_cast<std::size_t>(config.mpb_bytes)),
      mesh_cycle_(period(config.mesh_clock_mhz)),
      mpbs_(mpb_bytes_ * static_cast<std::size_t>(topology_.cores()), memories),
      shared_(shared_bytes, memories),
      tags_((Cache::tag_words(static_cast<std::size_t>(config.l1_bytes),
                              static_cast<std::size_t>(config.l1_ways)) +
             Cache::tag_words(static_cast<std::size_t>(config.l2_bytes),
                              static_cast<std::size_t>(config.l2_ways))) *
                sizeof(Cache::Tag) * static_cast<std::size_t>(topology_.cores()),
            Reservation::For::simulator) {
  constexpr int most_tiles = 64;
  if (topology_.tiles() <= most_tiles) {
    for (int from = 0; from < topology_.tiles(); ++from)
      for (int to = 0; to < topology_.tiles(); ++to) ways_.push_back(find_way(TileId{from}, TileId{to}));
  }
  const std::size_t words = tags_.size() / sizeof(Cache::Tag) / static_cast<std::size_t>(topology_.cores());
  cores_.reserve(static_cast<std::size_t>(topology_.cores()));
  for (int core = 0; core < topology_.cores(); ++core) {
    cores_.emplace_back(config_, core, topology_,
                        reinterpret_cast<Cache::Tag*>(tags_.data()) + words * static_cast<std::size_t>(core));
    set_core_clock(core, static_cast<int>(config.tile_divider));
  }
}

Picoseconds SccCosts::set_core_clock(int id, int divider) noexcept {
  CoreState& core = core_state(id);
  core.cycle = period(config_.global_clock_mhz / divider);
  core.dram_line =
      dram_access(config_, core.cycle, 0) + way(core.tile, topology_.controller_tile(core.controller)).both;
  return core.cycle;
}

SccCosts::WayTime SccCosts::find_way(TileId from, TileId to) const noexcept {
  const Cycles there = topology_.cycles(from, to, config_.router_cycles);
  const Cycles back = topology_.is_grid() ? there : topology_.cycles(to, from, config_.router_cycles);
  return {mesh_cycles(there), mesh_cycles(there + back)};
}

void SccCosts::first_use(CoreState& core) noexcept {
  core.active = true;
  core.l1.keep(static_cast<unsigned>(config_.l1_kept_lines));
  core.l2.keep(static_cast<unsigned>(config_.l2_kept_pages) * (AddressSpace::page_bytes / line_bytes));
}

// --- where things are
// -----------------------------------------------------------------------------------------------

void SccCosts::refuse(int target, std::size_t offset, std::size_t bytes) const {
  throw UserError(fmt::format("access to bytes {}..{} of the message-passing buffer of core {}; there are "
                              "{} cores with {} bytes each",
                              offset, offset + bytes, target, core_count_, mpb_bytes_));
}

void SccCosts::map_private(int core, const void* base, std::size_t bytes) {
  cores_[static_cast<std::size_t>(core)].memory.map(base, bytes);
}

// --- private side of a copy
// --------------------------------------------------------------------------------------------

/// Calls visit(first line, count) for the private lines of a copy, in runs that lie in consecutive sets under
/// one tag.
template <class Visit>
void SccCosts::for_each_run(CoreState& core, const void* address, std::size_t bytes, Visit&& visit) {
  const unsigned group = std::min({core.l1.sets(), core.l2.sets(), Cache::longest_run});
  const std::byte* at = line_start(address);
  for (std::size_t left = lines_of(bytes); left > 0;) {
    const std::uint64_t line = core.memory.physical(at) / line_bytes;
    const auto count = static_cast<unsigned>(std::min<std::size_t>(group - (line & (group - 1)), left));
    core.l2.expect(line, count);
    visit(line, count);
    at += count * line_bytes;
    left -= count;
  }
}

namespace {

void add(SccCosts::Extents& extents, std::uint32_t lines, SccCosts::Found found) {
  if (!extents.empty() && extents.back().found == found)
    extents.back().lines += lines;
  else
    extents.push_back({lines, found});
}

/// Adds the lines of a run of `count`, the first of which has number `line`: block by block where all three
/// are even there, else one by one.
template <class FoundAt>
void add_each(SccCosts::Extents& extents, std::uint64_t line, unsigned count, FoundAt&& found_at,
              const Cache::LineSet& a, const Cache::LineSet& b, const Cache::LineSet& c) {
  for (unsigned position = line % Cache::block_sets; count > 0;) {
    const bool even = a.even(position) && b.even(position) && c.even(position);
    const unsigned n = even ? std::min(count, Cache::block_sets - position % Cache::block_sets) : 1;
    add(extents, n, found_at(position));
    position += n;
    count -= n;
  }
}

constexpr unsigned words_per_line = line_bytes / 4;

} // namespace

SccCosts::Work SccCosts::line_work(const CoreState& core, Found found) const noexcept {
  const auto cycles = [&](Cycles n) { return n * core.cycle; };
  const Picoseconds from_dram = core.dram_line + cycles(config_.l1_line_cycles + config_.dram_copy_cycles);
  switch (found) {
  case Found::l1:
    return {cycles(config_.l1_line_cycles)};
  case Found::l2:
    return {cycles(config_.l1_line_cycles + config_.l2_line_cycles)};
  case Found::dram:
    return {from_dram, 1};
  case Found::dram_dirty:
    // It leaves before the line is fetched that it makes room for.
    return {from_dram + cycles(config_.dram_write_back_cycles), 2, cycles(config_.dram_write_back_cycles)};
  case Found::store_l1:
    return {cycles(words_per_line * config_.plain_store_l1_cycles), 0};
  case Found::store_l2:
    return {cycles(words_per_line * config_.plain_store_l2_cycles), 0};
  case Found::store_dram:
  case Found::mpb:
    break;
  }
  return {cycles(words_per_line * config_.plain_store_dram_cycles), words_per_line, 0, Words::stored};
}

SccCosts::Work SccCosts::total(const CoreState& core, const Extents& extents) const noexcept {
  Work sum;
  for (const Extent& extent : extents) {
    const Work line = line_work(core, extent.found);
    sum.time += line.time * extent.lines;
    sum.dram += line.dram * extent.lines;
    sum.fetch = std::max(sum.fetch, line.fetch);
    sum.words = std::max(sum.words, line.words);
  }
  return sum;
}

/// Runs lines of private memory through the caches as loads do; every absent line is fetched. With `store`
/// they are then stored to, which costs nothing of its own. Adds what was found to the core's extents.
void SccCosts::find_lines(CoreState& core, const void* address, std::size_t bytes, bool store) {
  for_each_run(core, address, bytes, [&](std::uint64_t line, unsigned count) {
    Cache::LineSet not_l1, not_l2, dirty;
    const unsigned l1_hits = core.l1.read(line, count, nullptr, &not_l1).hits;
    Cache::Counts l2;
    if (l1_hits == 0) {
      l2 = store ? core.l2.read_then_write(line, count, &not_l2, &dirty)
                 : core.l2.read(line, count, nullptr, &not_l2, &dirty);
    } else {
      if (l1_hits < count) l2 = core.l2.read(line, count, &not_l1, &not_l2, &dirty);
      if (store) core.l2.write(line, count, nullptr, nullptr);
    }
    const unsigned dram = count - l1_hits - l2.hits;
    if (l1_hits == count)
      add(core.extents, count, Found::l1);
    else if (l2.hits == count)
      add(core.extents, count, Found::l2);
    else if (dram == count && l2.written_back == 0)
      add(core.extents, count, Found::dram);
    else if (dram == count && l2.written_back == count)
      add(core.extents, count, Found::dram_dirty);
    else
      add_each(
          core.extents, line, count,
          [&](unsigned position) {
            return l1_hits != 0 && !not_l1.has(position) ? Found::l1
                : !not_l2.has(position)                  ? Found::l2
                : dirty.has(position)                    ? Found::dram_dirty
                                                         : Found::dram;
          },
          not_l1, not_l2, dirty);
    core.l2_hits += l2.hits;
    core.dram_lines += dram;
    core.write_backs += l2.written_back;
  });
}

/// Runs lines of private memory through the caches as the stores of a copy do.
void SccCosts::find_written(CoreState& core, const void* address, std::size_t bytes, Copy how) {
  // Present since that read; the stores themselves are part of the copy loop's cost.
  if (how == Copy::prefetching) return find_lines(core, address, bytes, true);
  for_each_run(core, address, bytes, [&](std::uint64_t line, unsigned count) {
    Cache::LineSet not_l1, not_l2;
    const unsigned l1_hits = core.l1.write(line, count, nullptr, &not_l1).hits;
    core.l2.write(line, count, nullptr, &not_l2);
    const unsigned dram = Cache::LineSet::common(not_l1, not_l2, line, count);
    const unsigned l2_hits = count - l1_hits - dram;
    if (l1_hits == count)
      add(core.extents, count, Found::store_l1);
    else if (l2_hits == count)
      add(core.extents, count, Found::store_l2);
    else if (dram == count)
      add(core.extents, count, Found::store_dram);
    else
      add_each(
          core.extents, line, count,
          [&](unsigned position) {
            return !not_l1.has(position) ? Found::store_l1
                : !not_l2.has(position)  ? Found::store_l2
                                         : Found::store_dram;
          },
          not_l1, not_l2, not_l2);
    core.l2_hits += l2_hits;
    core.dram_lines += dram;
  });
}

const SccCosts::Extents& SccCosts::find_read(CoreState& core, const void* address, std::size_t bytes) {
  core.extents.clear();
  find_lines(core, address, bytes, false);
  return core.extents;
}

SccCosts::Work SccCosts::other_side(CoreState& core, const void* address, std::size_t bytes, bool write,
                                    Copy how) {
  const auto lines = static_cast<Picoseconds>(lines_of(bytes));
  switch (place_of(address)) {
  case MemoryPlacement::mpb:
    return {lines * (write ? write_line(core) : route_cost(core, spot_of(address).core).read)};
  case MemoryPlacement::shared: {
    // Uncached: every word is an access of its own to the controller that holds the slot.
    const auto slot =
        static_cast<std::size_t>(static_cast<const std::byte*>(address) - shared_.data()) / shared_slot_bytes;
    const TileId holds =
        topology_.controller_tile(static_cast<int>(slot % static_cast<std::size_t>(topology_.controllers())));
    const Picoseconds word = core.dram_line + way(core.tile, holds).both -
        way(core.tile, topology_.controller_tile(core.controller)).both;
    const auto words = static_cast<std::uint32_t>((bytes + 3) / 4);
    return {words * word, words, 0, write ? Words::stored : Words::loaded};
  }
  case MemoryPlacement::priv:
    break;
  }
  return write ? write_private(core, address, bytes, how) : read_private(core, address, bytes);
}

SccCosts::Work SccCosts::take_lines(CoreState& core, std::size_t offset, const void* target,
                                    std::size_t bytes, Copy how) {
  if (place_of(target) == MemoryPlacement::priv)
    return total(core, find_taken(core, offset, target, bytes, how));
  core.l1.read_mpb(offset, static_cast<unsigned>(lines_of(bytes)));
  return other_side(core, target, bytes, true, how);
}

const SccCosts::Extents& SccCosts::find_mpb(CoreState& core, std::size_t offset, std::size_t bytes,
                                            bool reading) {
  const auto lines = static_cast<std::uint32_t>(lines_of(bytes));
  if (reading) core.l1.read_mpb(offset, lines);
  core.extents.assign(1, {lines, Found::mpb});
  return core.extents;
}

const SccCosts::Extents& SccCosts::find_taken(CoreState& core, std::size_t offset, const void* target,
                                              std::size_t bytes, Copy how) {
  const auto read_mpb = [&](std::size_t from, std::size_t n) {
    core.l1.read_mpb(offset + from, static_cast<unsigned>(lines_of(n)));
  };
  // Line i of the MPB and line j of private memory meet in a set of L1 where i - j is a multiple of the sets
  // away from the distance of the two starts. As many lines are taken together as leave none that meet in the
  // other order than one by one, where i comes first if i <= j.
  const unsigned sets = core.l1.sets();
  const auto private_line = reinterpret_cast<std::uintptr_t>(target) / line_bytes;
  const auto apart = static_cast<unsigned>((private_line - offset / line_bytes) & (sets - 1));
  const bool known =
      sets <= AddressSpace::page_bytes / line_bytes; // else the set depends on the page's frame
  const bool private_first = known && apart != 0 && apart < sets / 2;
  const unsigned together = !known ? 1 : private_first || apart == 0 ? sets - apart : apart;
  core.extents.clear();
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t n = std::min(together * line_bytes, bytes - done);
    if (!private_first) read_mpb(done, n);
    find_written(core, static_cast<const std::byte*>(target) + done, n, how);
    if (private_first) read_mpb(done, n);
    done += n;
  }
  return core.extents;
}

// --- registers
// ---------------------------------------------------------------------------------------------------------

SccCosts::RegisterCost SccCosts::register_cost(const CoreState& core, int core_of_lock,
                                               Cycles cycles) const noexcept {
  const TileId tile = topology_.tile_of(CoreId{core_of_lock});
  if (tile == core.tile) cycles = std::max<Cycles>(cycles - config_.lock_local_discount_cycles / 2, 0);
  return {way(core.tile, tile), cycles * core.cycle};
}

SccCosts::Moments SccCosts::lock_read(const CoreState& core, int core_of_lock) const noexcept {
  const RegisterCost cost = register_cost(core, core_of_lock, config_.lock_acquire_cycles);
  return {cost.way.there, cost.way.both + cost.own};
}

SccCosts::Moments SccCosts::lock_reset(const CoreState& core, int core_of_lock) const noexcept {
  const RegisterCost cost = register_cost(core, core_of_lock, config_.lock_release_cycles);
  return {cost.own + cost.way.there, cost.own + 2 * cost.way.both};
}

SccCosts::PollingLoop SccCosts::lock_loop(const CoreState& core, int core_of_lock,
                                          Picoseconds start) const noexcept {
  const Moments read = lock_read(core, core_of_lock);
  return {start, read.ends, read.acts, 0};
}

SccCosts::Moments SccCosts::counter(const CoreState& core) const noexcept {
  const WayTime way = this->way(core.tile, interface_tile());
  const Picoseconds beside = mesh_cycles(config_.router_cycles) + config_.counter_cycles * core.cycle / 2;
  return {way.there + beside, way.both + 2 * beside};
}

SccCosts::CounterLoop SccCosts::counter_loop(const CoreState& core, Backoff pauses,
                                             Picoseconds issue) const noexcept {
  return {counter(core), pauses.first * core.cycle, pauses.last * core.cycle, issue};
}

} // namespace mesh
